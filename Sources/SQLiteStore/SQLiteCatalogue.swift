import Catalogue
import Synchronization

// Invariants
//  1. One change is one transaction. Contacts that were noted are in the next one, whichever; of one that failed they
//     are noted again.
//  2. No SQL and no row of SQLite leaves this target.
//  3. Contacts and wakes have a lock each, held with no other; then come those of `Database`.

/// A catalogue in one SQLite file. Several programs may have it open.
package final class SQLiteCatalogue: Catalogue {
    let database: Database
    private let contacts = Mutex<[ContactKey: Contact]>([:])
    /// Who waits for additions to the feed.
    let wakes = Mutex<(next: Int, bodies: [Int: @Sendable () -> Void])>((0, [:]))
    let feedEntries: Int

    /// Opens the file, makes it when it is missing, and brings its schema up to date. Throws for one that a newer
    /// program wrote. The newest `feedEntries` of the feed can be read.
    package init(path: String, feedEntries: Int = FeedLimit.entries) throws(StoreError) {
        self.feedEntries = feedEntries
        database = try Database(path: path, migrations: Schema.migrations)
    }

    package func settle() throws(StoreError) { try database.settle() }

    package func faults() throws(StoreError) -> [String] {
        try database.rows("PRAGMA quick_check").compactMap { $0.text(0) }.filter { $0 != "ok" }
    }

    package func note(_ contact: Contact, of key: ContactKey) {
        contacts.withLock { contacts in
            contacts[key] = contacts[key].map { $0.merged(with: contact) } ?? contact
        }
    }

    package func keepContacts() throws(StoreError) { try write { _ in } }

    /// A transaction that also stores the contacts noted since the last one; not durable before it is settled.
    @discardableResult
    func writeLazily<Result: Sendable>(
        _ body: (inout Connection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let noted = contacts.withLock { contacts in
            defer { contacts = [:] }
            return contacts
        }
        do {
            return try database.writeLazily { connection throws(StoreError) in
                for (key, contact) in noted { try Self.keep(contact, of: key, &connection) }
                return try body(&connection)
            }
        } catch {
            contacts.withLock { contacts in
                contacts.merge(noted) { newer, older in older.merged(with: newer) }
            }
            throw error
        }
    }

    /// The same, settled.
    @discardableResult
    func write<Result: Sendable>(
        _ body: (inout Connection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let result = try writeLazily(body)
        try database.settle()
        return result
    }
}
