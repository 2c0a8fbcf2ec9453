// Invariants
// 1. It is a courtesy: without a bus, without Avahi, or where Avahi says no, everything goes on.
// 2. What is announced ends with the bus's connection, and so with the program, however that ends.
// 3. An Avahi that starts later, again, or under another name is told again.

import CSystemd
import Glibc
import Synchronization
import Threads

/// Announces a service of this machine in its networks by the machine's own Avahi, as long as this lives (DNS-SD, RFC
/// 6763, over multicast DNS, RFC 6762). Its thread sleeps until Avahi comes or goes.
package final class Announcement: Sendable {
    private let isEnded = Mutex(false)
    private let wakeUp = WakeUp()
    private let thread = Mutex<NamedThread?>(nil)

    /// - Parameters:
    ///   - name: what a person sees in a browser of services; at most 63 bytes, and no other machine's.
    ///   - type: for example `_lapel._tcp`.
    ///   - field: of the TXT record, `key=value`.
    ///   - told: called on the thread with a sentence whenever Avahi has taken or refused it.
    package init(
        name: String, type: String, port: UInt16, field: String, told: @escaping @Sendable (String) -> Void
    ) {
        thread.withLock {
            $0 = NamedThread("avahi") { [self] in
                serve { bus in
                    switch bus.announce(name: name, type: type, port: port, field: field) {
                    case .announced: told("announced as \"\(name)\" (\(type), port \(port)) by Avahi")
                    case .noAvahi: break
                    case .refused(let reason): told("Avahi does not announce \"\(name)\": \(reason)")
                    }
                }
            }
        }
    }

    /// Takes it back and ends the thread. Blocks for at most one call of the bus, 5 s.
    package func shutDown() {
        isEnded.withLock { $0 = true }
        wakeUp.ring()
        thread.withLock { thread in
            defer { thread = nil }
            return thread
        }?.join()
    }

    /// The thread: one bus for its life.
    private func serve(_ announce: (AvahiBus) -> Void) {
        guard let bus = AvahiBus() else { return }
        announce(bus)
        while !isEnded.withLock({ $0 }) {
            switch bus.next() {
            case .isThere: announce(bus)
            case .nothing: if wakeUp.wait(beside: bus.descriptor) == .gone { return }
            case .gone: return
            }
        }
    }
}

/// The system's bus as far as it is Avahi's.
private final class AvahiBus {
    enum News {
        case isThere
        case nothing
        case gone
    }

    enum Outcome {
        case announced
        case noAvahi
        case refused(String)
    }

    private let bus: OpaquePointer
    /// The path of what is announced; empty: nothing is.
    private var group = [CChar](repeating: 0, count: 128)

    init?() {
        guard let bus = lapel_avahi_open() else { return nil }
        self.bus = bus
    }

    deinit { lapel_avahi_close(bus) }

    var descriptor: Int32 { sd_bus_get_fd(bus) }

    func announce(name: String, type: String, port: UInt16, field: String) -> Outcome {
        let result = lapel_avahi_announce(bus, name, type, port, field, &group)
        if result == 0 { return .noAvahi }
        return result > 0 ? .announced : .refused(String(cString: strerror(-result)))
    }

    func next() -> News {
        switch lapel_avahi_next(bus) {
        case 1...: .isThere
        case 0: .nothing
        default: .gone
        }
    }
}
