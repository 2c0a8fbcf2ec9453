import DurableFiles
import Outbox
import Testing

/// The steps of 3-custody's table, as the file system sees them.
@Suite struct OrderOfCallsTests {
    private let fixture = Fixture()
    private let log = CallLog()

    private func calls(_ body: (Outbox) throws -> Void) throws -> [String] {
        let outbox = try fixture.open(log.calls)
        _ = log.take(fixture.directory)
        try body(outbox)
        return log.take(fixture.directory)
    }

    @Test func beginningNeverWaitsForTheCard() throws {
        let calls = try calls { _ = try $0.begin() }
        #expect(
            calls == [
                "space .", "create rec/N.opus", "create rec/N.json", "create rec/N.head",
                "reserve rec/N.json", "reserve rec/N.opus", "write rec/N.head",
            ])
    }

    @Test func theFirstSyncBringsTheNamesToTheCardAsWell() throws {
        let outbox = try fixture.open(log.calls)
        let recording = try outbox.begin()
        try recording.say(10)
        _ = log.take(fixture.directory)
        try recording.sync()
        #expect(
            log.take(fixture.directory) == ["sync rec/N.head", "syncData rec/N.opus", "syncFolder rec"])
        try recording.sync()
        #expect(log.take(fixture.directory) == ["syncData rec/N.opus"])
    }

    @Test func finishingSyncsTheAudioBeforeItsManifestAndRenamesTheManifestLast() throws {
        let outbox = try fixture.open(log.calls)
        let recording = try outbox.begin()
        try recording.say(10)
        _ = log.take(fixture.directory)
        try recording.finish()
        #expect(
            log.take(fixture.directory) == [
                "truncate rec/N.opus", "sync rec/N.opus", "write rec/N.json", "truncate rec/N.json",
                "sync rec/N.json",
            ])
        _ = try recording.commit()
        #expect(
            log.take(fixture.directory) == [
                "rename rec/N.opus out/N.opus", "rename rec/N.json out/N.json", "unlink rec/N.head",
                "syncFolder out", "syncFolder rec",
            ])
    }

    @Test func discardingSyncsTheFolderBeforeItReturns() throws {
        let calls = try calls { outbox in
            let recording = try outbox.begin()
            try recording.say(10)
            _ = log.take(fixture.directory)
            try recording.discard()
        }
        #expect(calls == ["unlink rec/N.opus", "unlink rec/N.json", "unlink rec/N.head", "syncFolder rec"])
    }

    @Test func lettingGoRemovesTheManifestLast() throws {
        let calls = try calls { outbox in
            let item = try outbox.keep()
            _ = log.take(fixture.directory)
            try outbox.letGo(item)
        }
        #expect(calls == ["unlink out/N.opus", "syncFolder out", "unlink out/N.json"])
    }

    @Test func parkingWritesTheReasonFirst() throws {
        let calls = try calls { outbox in
            let item = try outbox.keep()
            _ = log.take(fixture.directory)
            try outbox.park(item, reason: "no")
        }
        #expect(
            calls == [
                "create parked/N.reason.txt.new", "write parked/N.reason.txt.new",
                "sync parked/N.reason.txt.new", "rename parked/N.reason.txt.new parked/N.reason.txt",
                "syncFolder parked", "rename out/N.json parked/N.json", "rename out/N.opus parked/N.opus",
                "syncFolder parked", "syncFolder out",
            ])
    }

    @Test func aPressNeverWaitsForItsSequenceNumber() throws {
        let outbox = try fixture.open(log.calls)
        for _ in 0..<100 {
            _ = log.take(fixture.directory)
            let recording = try outbox.begin()
            #expect(!log.take(fixture.directory).contains { $0.hasPrefix("sync") })
            try recording.discard()
        }
    }
}
