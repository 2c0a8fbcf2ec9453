/// Why a turn ended, or cannot begin, by something else than the wearer.
///
/// The lamp blinks the code; the manual lists the codes. What happens most has the shortest.
package enum Fault: Int, Error, Equatable, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    case microphone = 1
    case outboxFull = 2
    case noReply = 3
    case unplugged = 4
    case battery = 5
    case buttonLine = 6
    case cardFailing = 7
    case mistrusted = 8
    case service = 9
    case sleep = 10

    /// Blinks of the lamp.
    package var code: Int { rawValue }

    /// A sentence for whoever holds the device.
    package var description: String {
        switch self {
        case .microphone: "the microphone did not start"
        case .outboxFull: "the outbox is full: bring the device near its host, or export and clear it"
        case .noReply: "no reply"
        case .unplugged: "the microphone was unplugged; what it heard is kept"
        case .battery: "the battery is low; what was heard is kept"
        case .buttonLine: "the button's line is faulty: check its wire; what was heard is kept"
        case .cardFailing: "the storage cannot be written: replace the card"
        case .mistrusted: "the host is not the one this device was paired with: pair again"
        case .service: "the service was stopped; what was heard is kept"
        case .sleep: "the system goes to sleep or shuts down; what was heard is kept"
        }
    }
}
