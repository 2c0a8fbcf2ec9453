import SQLiteStore
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
        let rows = try store { () throws(StoreError) in
            try database.rows(
                "SELECT least_offset, most_offset FROM contacts WHERE device = ? AND boot_id = ?",
                [.text(device), .text(bootID)])
        }
        guard let least = rows.first?.integer(0), let most = rows.first?.integer(1) else { return nil }
        return (boot.plus(least), most.minus(least))
    }

    func bootTimes(of recorder: String) throws(InboxError) -> BootTimes {
        let contacts = try contactedBoots(of: recorder)
        let rows = try store { () throws(StoreError) in
            try database.rows(
                """
                SELECT boot_id, min(seq), max(start_boot), min(rang_at),
                    min(CASE WHEN wall_synchronised = 1 THEN start_wall - start_boot END),
                    max(CASE WHEN wall_synchronised = 1 THEN start_wall - start_boot END)
                FROM utterances WHERE recorder = ? AND boot_id <> '' GROUP BY boot_id
                """, [.text(recorder)])
        }
        let boots = rows.compactMap { row -> Boot? in
            guard let id = row.text(0), let seq = row.integer(1) else { return nil }
            let contact = contacts[id]
            let synchronised = row.integer(4).flatMap { least in row.integer(5).map { least...$0 } }
            return Boot(
                id: id, firstSeq: seq, lasted: max(0, row.integer(2) ?? 0, contact?.lasted ?? 0),
                // Rounded down when it was stored.
                rangAt: row.integer(3).map { ($0 + 1) * 1_000_000 }, contact: contact?.zero,
                synchronised: synchronised)
        }
        return BootTimes(boots, shippers: contacts.values.map(\.seen))
    }

    /// The boots in which the device, or whoever sent its recordings, was in contact.
    private func contactedBoots(of recorder: String) throws(InboxError) -> [String: ContactedBoot] {
        let rows = try store { () throws(StoreError) in
            try database.rows(
                """
                SELECT boot_id, min(least_offset), max(most_offset), max(last_boot) FROM contacts
                WHERE device = ?1 OR device IN (SELECT device FROM utterances WHERE recorder = ?1) GROUP BY boot_id
                """, [.text(recorder)])
        }
        var boots: [String: ContactedBoot] = [:]
        for row in rows {
            guard let id = row.text(0), let least = row.integer(1), let most = row.integer(2),
                let last = row.integer(3)
            else { continue }
            boots[id] = ContactedBoot(zero: least...max(least, most), lasted: max(0, last))
        }
        return boots
    }
}

private struct ContactedBoot {
    /// UTC of its boot time 0.
    let zero: ClosedRange<Int64>
    /// Its boot time at the last contact.
    let lasted: Int64
    /// UTC from its zero to its last contact.
    var seen: ClosedRange<Int64> { zero.lowerBound...zero.lowerBound.plus(lasted) }
}
