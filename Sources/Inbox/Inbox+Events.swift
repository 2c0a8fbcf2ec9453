import Catalogue

extension Inbox {
    /// What happened after an entry of the feed, at most `limit` of it; from 0 on everything that is known. Asks for
    /// what other programs wrote as well.
    package func events(after number: Int64, limit: Int = 1_000) throws(InboxError) -> [FeedEntry] {
        try store { () throws(StoreError) in try catalogue.entries(after: number, limit: limit) }
    }

    /// The number of the newest entry; 0 when nothing has happened yet.
    package func newestEvent() throws(InboxError) -> Int64 {
        try store { () throws(StoreError) in try catalogue.newest() }
    }
}
