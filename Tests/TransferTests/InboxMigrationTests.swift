import Catalogue
import Glibc
import Inbox
import LocalInbox
import TestSupport
import Testing
import Wire

@testable import SQLiteStore

/// A folder that an older program filled.
@Suite struct InboxMigrationTests {
    let folder = TemporaryFolder()

    @Test func theSumOfWhatADeviceHasIsMadeFromWhatIsThere() throws {
        do {
            let old = try Database(
                path: folder.file("lapel.db"), migrations: Array(Schema.migrations.prefix(2)))
            try old.write { connection throws(StoreError) in
                for (number, forgotten): (Int64, SQLValue) in [
                    (1, .null), (2, .null), (3, .integer(5)),
                ] {
                    try connection.rows(
                        """
                        INSERT INTO uploads (id, utterance, kind, seq, device, length, sha256, ext, created_at,
                            completed_at, forgotten_at) VALUES (?1, ?1, 'audio', ?2, ?3, 100, 'x', 'opus', 5, 6, ?4)
                        """,
                        [.text(String(number)), .integer(number), .text(Part.wrist), forgotten])
                }
            }
        }
        let inbox = try Inbox(folder: folder.path)
        #expect(try inbox.usage(of: Part.wrist) == 200)
        _ = try inbox.create(Part.audio(9, count: 50).new)
        #expect(try inbox.usage(of: Part.wrist) == 250)
    }

    @Test func whatAnOlderProgramStoredIsListedTimedAndChecked() throws {
        let audio = Part.audio(1)
        let manifest = Part.manifest(1, audio: audio)
        do {
            // What it has on its shelves, and its rows by the first schema.
            let inbox = try Inbox(folder: folder.file("new"))
            try inbox.receive(audio)
            let old = try Database(path: folder.file("new/old.db"), migrations: [Schema.migrations[0]])
            try old.write { connection throws(StoreError) in
                for part in [audio, manifest] {
                    let id = UploadKey.text(utterance: part.new.utterance, kind: part.new.kind).sha256
                    try connection.rows(
                        "INSERT INTO uploads VALUES (?, ?, ?, 1, ?, ?, ?, ?, 5, 6)",
                        [
                            .text(id), .text(Part.id(1)), .text(part.new.kind.rawValue), .text(Part.wrist),
                            .integer(Int64(part.bytes.count)), .text(part.new.sha256), .text(part.new.ext),
                        ])
                }
                try connection.rows(
                    "INSERT INTO utterances VALUES (?, 1, ?, ?, 7, ?, 'opus', 1000, 6, 7)",
                    [.text(Part.id(1)), .text(Part.wrist), .blob(manifest.bytes), .text(audio.new.sha256)])
                try connection.rows(
                    "INSERT INTO utterances (id, seq, device, manifest, first_at) VALUES (?, 2, ?, ?, 6)",
                    [.text(Part.id(2)), .text(Part.wrist), .blob([0xFF, 0x7B])])
                try connection.rows(
                    "INSERT INTO contacts VALUES (?, 'boot-of-the-wrist', 0, 0, 1000, 1000)",
                    [.text(Part.wrist)])
            }
        }
        for ending in ["", "-wal", "-shm"] {
            _ = rename(folder.file("new/lapel.db") + ending, folder.file("new/gone") + ending)
            _ = rename(folder.file("new/old.db") + ending, folder.file("new/lapel.db") + ending)
        }
        let inbox = try Inbox(folder: folder.file("new"))
        let stored = try #require(try inbox.utterances(idPrefix: Part.id(1)).first)
        #expect(stored.isWhole)
        var times = inbox.times()
        #expect(try times.start(of: stored)?.utc == 5_000_001_000)
        let (_, state) = try inbox.create(audio.new)
        #expect(state == .complete)
        // The second row's manifest never was one; nothing else is amiss.
        #expect(try inbox.check().problems.map(\.subject) == [Part.id(2)])
        #expect(try inbox.forget(utterance: Part.id(1)))
    }
}
