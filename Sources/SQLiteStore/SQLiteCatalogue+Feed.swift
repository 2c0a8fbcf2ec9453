import Catalogue

// A row holds an event's word and the id of what it is about; the rest stands in the uploads' own rows, which outlive
// a withdrawal.

extension SQLiteCatalogue: Feed {
    /// An event's word in the table. Never renamed.
    enum FeedWord: String {
        case rung, stored, whole, paired, forgotten
    }

    package func entries(after number: Int64, limit: Int) throws(StoreError) -> [FeedEntry] {
        let rows = try database.rows(
            """
            SELECT f.number, f.at, f.event, f.subject, u.utterance, u.kind, u.seq, u.device, u.length, u.sha256,
                d.name
            FROM feed f LEFT JOIN uploads u ON u.id = f.subject LEFT JOIN devices d ON d.pin = f.subject
            WHERE f.number > ? ORDER BY f.number LIMIT ?
            """, [.integer(number), .integer(Int64(limit))])
        if !rows.isEmpty { try settle() }
        return rows.compactMap { FeedEntry(row: $0) }
    }

    package func newest() throws(StoreError) -> Int64 {
        try database.rows("SELECT max(number) FROM feed").first?.integer(0) ?? 0
    }

    package func onAddition(_ body: @escaping @Sendable () -> Void) -> FeedWake {
        let id = wakes.withLock { wakes in
            wakes.next += 1
            wakes.bodies[wakes.next] = body
            return wakes.next
        }
        return FeedWake { [weak self] in self?.wakes.withLock { _ = $0.bodies.removeValue(forKey: id) } }
    }

    /// Calls whoever waits, once the commit is settled.
    func wake() {
        for body in wakes.withLock({ Array($0.bodies.values) }) { body() }
    }

    /// In the transaction of what happened.
    func happened(
        _ word: FeedWord, _ subject: String, at: Int64, _ connection: inout Connection
    ) throws(StoreError) {
        let number = try connection.rows(
            "INSERT INTO feed (at, event, subject) VALUES (?, ?, ?) RETURNING number",
            [.integer(at), .text(word.rawValue), .text(subject)]
        ).first?.integer(0)
        // The newest is never deleted, so no number is given twice.
        let slack = Int64(min(FeedLimit.slack, feedEntries))
        guard let number, number % slack == 0 else { return }
        try connection.rows(
            "DELETE FROM feed WHERE number <= ?", [.integer(number - Int64(feedEntries))])
    }
}

extension FeedEntry {
    /// Nil for a row of a word that this program does not know.
    fileprivate init?(row: SQLRow) {
        guard let number = row.integer(0), let at = row.integer(1), let subject = row.text(3),
            let word = row.text(2).flatMap(SQLiteCatalogue.FeedWord.init(rawValue:))
        else { return nil }
        let event: Event
        let utterance = row.text(4) ?? ""
        let device = row.text(7) ?? ""
        switch word {
        case .rung:
            event = .rung(
                utterance: utterance, seq: UInt64(clamping: row.integer(6) ?? 0), device: device)
        case .stored, .whole:
            event = .stored(
                utterance: utterance, kind: row.text(5).flatMap(StoredKind.init(rawValue:)) ?? .file,
                bytes: Int(row.integer(8) ?? 0), sha256: row.text(9) ?? "", device: device,
                whole: word == .whole)
        case .paired: event = .paired(device: subject, name: row.text(10))
        case .forgotten: event = .forgotten(utterance: subject)
        }
        self.init(number: number, at: at, event: event)
    }
}
