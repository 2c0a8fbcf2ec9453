import DurableFiles
import Outbox
import Testing

/// The steps of a sealed recording, as the file system sees them.
@Suite struct SealedOrderTests {
    private let fixture = Fixture()
    private let log = CallLog()

    private func calls(_ body: () throws -> Void) rethrows -> [String] {
        _ = log.take(fixture.directory)
        try body()
        return log.take(fixture.directory)
    }

    @Test func beginningTakesOverTheLastJournalAndWaitsForNothing() throws {
        let outbox = try fixture.open(log.calls)
        let first = try calls { _ = try outbox.begin(.on) }
        let created = [
            "space .", "create rec/N.opus.age", "rename rec/spare.tail rec/N.tail", "create rec/N.tail",
            "write rec/N.tail", "size rec/N.tail", "create rec/N.json.age.new", "create rec/N.head.age",
            "reserve rec/N.json.age.new", "reserve rec/N.opus.age", "write rec/N.opus.age",
            "write rec/N.head.age",
        ]
        #expect(first == created)
        try outbox.keep(.on)
        let next = try calls { _ = try outbox.begin(.on) }
        #expect(
            Array(next[2...4]) == ["rename rec/spare.tail rec/N.tail", "open rec/N.tail", "size rec/N.tail"])
        #expect(!next.contains("write rec/N.tail"))
    }

    @Test func aJournalThatWasPreparedCostsThePressNothing() throws {
        let outbox = try fixture.open(log.calls)
        for _ in 0..<2 {
            let prepare = calls { outbox.prepareForSealing() }
            #expect(prepare.first == "create rec/spare.tail")
        }
        let begin = try calls { _ = try outbox.begin(.on) }
        #expect(!begin.contains("write rec/N.tail") && begin.contains("open rec/N.tail"))
        #expect(try fixture.files("rec").count == 4)
    }

    @Test func theFirstSyncBringsTheNamesToTheCardAsWell() throws {
        let recording = try fixture.open(log.calls).begin(.on)
        try recording.append(speech(1_000))
        let first = try calls { try recording.sync() }
        #expect(
            first == [
                "sync rec/N.head.age", "syncData rec/N.opus.age", "write rec/N.tail", "syncData rec/N.tail",
                "syncFolder rec",
            ])
        try recording.append(speech(1_000))
        let second = try calls { try recording.sync() }
        #expect(second == ["write rec/N.tail", "syncData rec/N.tail"], "one sync in most seconds")
        let nothingNew = try calls { try recording.sync() }
        #expect(nothingNew.isEmpty)
    }

    /// The journal has room for three chunks of speech; with the fourth it begins again.
    @Test func chunksAreOnTheCardBeforeTheirPartOfTheJournalIsUsedAgain() throws {
        let recording = try fixture.open(log.calls).begin(.on)
        var syncs: [[String]] = []
        for _ in 0..<90 {
            try recording.append(speech(3_000))
            syncs.append(try calls { try recording.sync() })
        }
        let ordinary = ["write rec/N.tail", "syncData rec/N.tail"]
        let startingOver = ["syncData rec/N.opus.age"] + ordinary
        #expect(syncs.dropFirst().allSatisfy { $0 == ordinary || $0 == startingOver })
        #expect(syncs.indices.filter { syncs[$0] == startingOver } == [65])
    }

    @Test func moreThanARecordHoldsGoesToTheCardInChunks() throws {
        let recording = try fixture.open(log.calls).begin(.on)
        try recording.append(speech(60_000))
        try recording.sync()
        let append = try calls { try recording.append(speech(66_000)) }
        #expect(append == ["write rec/N.opus.age"])
        let sync = try calls { try recording.sync() }
        #expect(sync == ["syncData rec/N.opus.age", "write rec/N.tail", "syncData rec/N.tail"])
    }

    @Test func finishingGivesTheManifestItsNameWhenItIsWhole() throws {
        let recording = try fixture.open(log.calls).begin(.on)
        try recording.say(10)
        let finish = try calls { try recording.finish() }
        #expect(
            finish == [
                "write rec/N.opus.age", "truncate rec/N.opus.age", "sync rec/N.opus.age",
                "write rec/N.json.age.new", "truncate rec/N.json.age.new", "sync rec/N.json.age.new",
                "rename rec/N.json.age.new rec/N.json.age",
            ])
        let commit = try calls { _ = try recording.commit() }
        #expect(
            commit == [
                "rename rec/N.opus.age out/N.opus.age", "rename rec/N.json.age out/N.json.age",
                "unlink rec/N.head.age", "rename rec/N.tail rec/spare.tail", "syncFolder out",
                "syncFolder rec",
            ])
    }

    @Test(arguments: [false, true]) func discardingSyncsTheFolderBeforeItReturns(finished: Bool) throws {
        let recording = try fixture.open(log.calls).begin(.on)
        try recording.say(10)
        if finished { try recording.finish() }
        let discard = try calls { try recording.discard() }
        #expect(
            discard == [
                "unlink rec/N.opus.age", "unlink rec/N.json.age" + (finished ? "" : ".new"),
                "unlink rec/N.head.age", "rename rec/N.tail rec/spare.tail", "syncFolder rec",
            ])
    }

    /// A part, as start-up keeps it.
    private func part() throws -> (Outbox, OutboxItem) {
        do {
            let recording = try fixture.open().begin(.on)
            try recording.append(speech(100))
            try recording.sync()
        }
        let outbox = try fixture.open(log.calls)
        return (outbox, try #require(outbox.waiting().first))
    }

    @Test func startUpRenamesTheHeadLast() throws {
        _ = try part()
        let calls = log.take(fixture.directory)
        let from = try #require(calls.firstIndex(of: "truncate rec/N.opus.age"))
        #expect(
            calls[from...].prefix(19) == [
                "truncate rec/N.opus.age", "open rec/N.opus.age", "sync rec/N.opus.age",
                "create rec/N.tail.new",
                "write rec/N.tail.new", "sync rec/N.tail.new", "rename rec/N.tail.new rec/N.tail",
                "syncFolder rec", "open rec/N.head.age", "size rec/N.head.age", "read rec/N.head.age",
                "open rec/N.head.age", "sync rec/N.head.age", "rename rec/N.opus.age out/N.opus.age",
                "rename rec/N.tail out/N.tail", "rename rec/N.head.age out/N.json.age",
                "unlink rec/N.json.age.new", "syncFolder out", "syncFolder rec",
            ])
    }

    @Test func lettingGoOfAPartRemovesItsAudioFirst() throws {
        let (outbox, item) = try part()
        let letGo = try calls { try outbox.letGo(item) }
        #expect(
            letGo == [
                "unlink out/N.opus.age", "syncFolder out", "unlink out/N.tail", "unlink out/N.json.age",
            ])
    }

    @Test func aPartMovesWithItsJournal() throws {
        let (outbox, item) = try part()
        let park = try calls { try outbox.park(item, reason: "no") }
        #expect(
            park.suffix(5) == [
                "rename out/N.json.age parked/N.json.age", "rename out/N.tail parked/N.tail",
                "rename out/N.opus.age parked/N.opus.age", "syncFolder parked", "syncFolder out",
            ])
    }

    @Test func theGapOfASealedItemIsWrittenBeforeItsAudioGoes() throws {
        var fixture = fixture
        fixture.limits = Limits(
            maxBytes: 1360 << 10, reserveFraction: 0, full: .dropOldest, headroomPerRecording: 1 << 20)
        let outbox = try fixture.open(log.calls)
        try outbox.keep(frames: 200_000, .on)
        let press = try calls { _ = try outbox.begin(.on) }
        #expect(
            press.dropFirst().prefix(9) == [
                "create out/N.gap.json.new", "write out/N.gap.json.new", "sync out/N.gap.json.new",
                "rename out/N.gap.json.new out/N.gap.json", "syncFolder out", "unlink out/N.opus.age",
                "syncFolder out", "unlink out/N.json.age", "space .",
            ])
    }
}
