import SQLiteStore
import Wire

/// A boot of a device.
struct ContactKey: Hashable, Sendable {
    let device: String
    let bootID: String
}

/// What the host learnt of one boot's clock. Nanoseconds.
///
/// A request takes time, so the host's wall clock minus the device's boot time is too large by the way's length
/// and never too small: the smallest offset seen is the best, and the spread to the largest says how sure it is.
struct Contact: Equatable, Sendable {
    var firstBoot: Int64
    var lastBoot: Int64
    var leastOffset: Int64
    var mostOffset: Int64
    var seenAt: Int64

    func merged(with newer: Contact) -> Contact {
        Contact(
            firstBoot: min(firstBoot, newer.firstBoot), lastBoot: max(lastBoot, newer.lastBoot),
            leastOffset: min(leastOffset, newer.leastOffset), mostOffset: max(mostOffset, newer.mostOffset),
            seenAt: max(seenAt, newer.seenAt))
    }
}

extension Inbox {
    /// Remembers that a device was here, and its clocks when it sent them. Stored with the next commit, because a
    /// sync for each request would hold up the recordings themselves.
    package func noteContact(device: String, clock sent: LapelClock?) {
        let now = clock.now()
        let offset = sent.map { now.wall - $0.boot } ?? 0
        let contact = Contact(
            firstBoot: sent?.boot ?? 0, lastBoot: sent?.boot ?? 0, leastOffset: offset, mostOffset: offset,
            seenAt: now.milliseconds)
        let key = ContactKey(device: device, bootID: sent?.bootID ?? "")
        contacts.withLock { contacts in
            contacts[key] = contacts[key].map { $0.merged(with: contact) } ?? contact
        }
    }

    /// Stores what `noteContact` holds: at the end of the program.
    package func storeContacts() throws(InboxError) {
        try store { () throws(StoreError) in try write { _ in } }
    }

    static func keep(
        _ contact: Contact, of key: ContactKey, _ connection: inout Connection
    ) throws(StoreError) {
        try connection.rows(
            "UPDATE devices SET last_seen = max(coalesce(last_seen, 0), ?) WHERE pin = ?",
            [.integer(contact.seenAt), .text(key.device)])
        // A request without the header says that the device lives, and nothing of its clocks.
        if key.bootID.isEmpty { return }
        try connection.rows(
            """
            INSERT INTO contacts (device, boot_id, first_boot, last_boot, least_offset, most_offset)
            VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (device, boot_id) DO UPDATE SET
                first_boot = min(first_boot, excluded.first_boot), last_boot = max(last_boot, excluded.last_boot),
                least_offset = min(least_offset, excluded.least_offset),
                most_offset = max(most_offset, excluded.most_offset)
            """,
            [
                .text(key.device), .text(key.bootID), .integer(contact.firstBoot), .integer(contact.lastBoot),
                .integer(contact.leastOffset), .integer(contact.mostOffset),
            ])
    }
}
