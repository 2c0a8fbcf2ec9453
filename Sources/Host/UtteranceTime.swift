import Inbox
import Wire

/// When an utterance began, as well as the host can tell.
struct UtteranceTime: Equatable, Sendable {
    enum Source: String, Sendable {
        /// The device's boot clock against this host's clock.
        case contact
        /// The device's wall clock, which was synchronised.
        case device
        /// The device's wall clock, which may be wrong.
        case unsure
        /// Nothing is known but when the first part arrived.
        case arrival
    }

    /// Milliseconds since 1970.
    let milliseconds: Int64
    let source: Source
    /// By how much it may be off; nil when nobody knows.
    let uncertaintyMilliseconds: Int64?

    init(of utterance: StoredUtterance, in inbox: Inbox) throws(InboxError) {
        guard let manifest = utterance.manifest else {
            milliseconds = utterance.firstAt
            source = .arrival
            uncertaintyMilliseconds = nil
            return
        }
        // The manifest names the device that recorded it; a moved card may have been sent by another one.
        let device = manifest.device.isEmpty ? utterance.device : manifest.device
        if let known = try inbox.time(ofBoot: manifest.start.boot, bootID: manifest.bootID, device: device) {
            milliseconds = known.utc / 1_000_000
            source = .contact
            uncertaintyMilliseconds = known.uncertainty / 1_000_000
            return
        }
        milliseconds = manifest.start.wall / 1_000_000
        source = manifest.wallSynchronised == true ? .device : .unsure
        uncertaintyMilliseconds = nil
    }
}
