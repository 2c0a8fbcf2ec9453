import Catalogue
import Wire

/// What an instant of a device means in UTC.
package struct MappedTime: Equatable, Sendable {
    /// What it is known by.
    package enum Source: Equatable, Sendable {
        /// The boot was in contact with this host.
        case contact
        /// The boots before and after it were.
        case neighbours
        /// The device's wall clock, which was synchronised; within what the neighbours allow.
        case synchronised
        /// Nothing but that it was before this.
        case before
    }

    /// What it is known by.
    package let source: Source
    /// Nanoseconds since 1970.
    package let utc: Int64
    /// By how much it may be off, nanoseconds; nil for `before`.
    package let uncertainty: Int64?
}

/// When utterances began: reads what is known of each device once, for a whole list. A value of one moment.
package struct UtteranceTimes {
    private let inbox: Inbox
    private var devices: [String: BootTimes] = [:]

    init(_ inbox: Inbox) { self.inbox = inbox }

    /// The press; nil when the manifest is not here or names no boot. Throws `store`.
    package mutating func start(of utterance: StoredUtterance) throws(InboxError) -> MappedTime? {
        guard let manifest = utterance.manifest, !manifest.bootID.isEmpty else { return nil }
        // The manifest names the device that recorded it; a moved card may have been sent by another one.
        let recorder = manifest.device.isEmpty ? utterance.device : manifest.device
        if devices[recorder] == nil { devices[recorder] = try inbox.bootTimes(of: recorder) }
        guard let zero = devices[recorder]?[manifest.bootID] else { return nil }
        return MappedTime(
            source: zero.source, utc: zero.utc.plus(manifest.start.boot), uncertainty: zero.uncertainty)
    }
}

extension Inbox {
    /// What is known now of when utterances began.
    package func times() -> UtteranceTimes { UtteranceTimes(self) }

    /// UTC, in nanoseconds since 1970, of a boot time of a device, and by how much it may be off; nil when no
    /// request of that boot has arrived.
    package func time(
        ofBoot boot: Int64, bootID: String, device: String
    ) throws(InboxError) -> (utc: Int64, uncertainty: Int64)? {
        let boots = try store { () throws(StoreError) in try catalogue.contactedBoots(of: device) }
        guard let zero = boots.first(where: { $0.id == bootID })?.zero else { return nil }
        return (boot.plus(zero.lowerBound), zero.upperBound.minus(zero.lowerBound))
    }

    func bootTimes(of recorder: String) throws(InboxError) -> BootTimes {
        let (contacted, recorded) = try store { () throws(StoreError) in
            (try catalogue.contactedBoots(of: recorder), try catalogue.recordedBoots(of: recorder))
        }
        let contacts = Dictionary(uniqueKeysWithValues: contacted.map { ($0.id, $0) })
        let boots = recorded.map { boot in
            Boot(
                id: boot.id, firstSeq: boot.firstSeq,
                lasted: max(0, boot.lastStart, contacts[boot.id]?.lasted ?? 0),
                // Rounded down when it was stored.
                rangAt: boot.rangAt.map { ($0 + 1) * 1_000_000 }, contact: contacts[boot.id]?.zero,
                synchronised: boot.synchronised)
        }
        return BootTimes(boots, shippers: contacted.map(\.seen))
    }
}

extension ContactedBoot {
    /// UTC from its zero to its last contact.
    fileprivate var seen: ClosedRange<Int64> { zero.lowerBound...zero.lowerBound.plus(lasted) }
}
