import Catalogue
import Wire

extension Inbox {
    /// Remembers that a device was here, and its clocks when it sent them. Stored with the next commit, because a
    /// sync for each request would hold up the recordings themselves.
    package func noteContact(device: String, clock sent: LapelClock?) {
        let now = clock.now()
        let contact = Contact(
            boot: sent?.boot ?? 0, offset: sent.map { now.wall - $0.boot } ?? 0, seenAt: now.milliseconds)
        catalogue.note(contact, of: ContactKey(device: device, bootID: sent?.bootID ?? ""))
    }

    /// Stores what `noteContact` holds: at the end of the program.
    package func storeContacts() throws(InboxError) {
        try store { () throws(StoreError) in try catalogue.keepContacts() }
    }
}
