import DurableFiles
import Foundation
import Glibc
import Outbox
import Sealing
import Testing
import Wire

@Suite struct SealedOutboxTests {
    private let fixture = Fixture()

    @Test func aKeptUtteranceIsOpenedByItsHostAlone() throws {
        let outbox = try fixture.open()
        let item = try outbox.keep(frames: 200_000, .on)
        #expect(item.sealed && item.format == "opus" && item.audioPath.hasSuffix(".opus.age"))
        #expect(item.tailPath == nil && !item.isSealedPart)
        #expect(try sound(of: item) == FakeSound.head + [UInt8](repeating: 7, count: 200_000))
        #expect(try outbox.everythingIsWhole())
        #expect(try fixture.files("rec") == ["spare.tail"])
        for path in [item.audioPath, item.manifestPath] {
            let bytes = try content(path)
            #expect(throws: AgeError.noIdentityMatches) { try AgeOpener.open(bytes, with: [Seal.backup]) }
        }
    }

    @Test func eachRecipientOpensEverythingByItself() throws {
        let outbox = try fixture.open()
        let recipients = [Seal.key.recipient, Seal.backup.recipient]
        let recording = try outbox.begin(format: "opus", recipients: recipients) { headManifest($0) }
        try recording.say(70_000)
        try recording.sync()
        try recording.finish()
        let item = try recording.commit()
        #expect(try outbox.sealedNote(of: item)?.recipients == recipients)
        for key in [Seal.key, Seal.backup] {
            #expect(try sound(of: item, with: key).count == 70_004)
            let manifest = try Manifest(parsing: opened(item.manifestPath, true, with: key))
            #expect(manifest.utterance == item.name.id)
        }
    }

    @Test(arguments: [Seal.key, Seal.backup]) func eachRecipientOpensWhatACrashLeft(key: AgeIdentity) throws {
        let said = speech(70_000)
        do {
            let recipients = [Seal.key.recipient, Seal.backup.recipient]
            let recording = try fixture.open().begin(format: "opus", recipients: recipients) {
                headManifest($0)
            }
            try recording.append(said)
            try recording.sync()
        }
        let item = try #require(fixture.open().waiting().first)
        #expect(try sound(of: item, with: key) == said)
    }

    @Test func theManifestsHeaderTellsItsAudioAndItsRecipients() throws {
        let outbox = try fixture.open()
        let item = try outbox.keep(.on)
        let audio = try content(item.audioPath)
        let note = SealedNote(
            recipients: Seal.on.recipients,
            audio: .whole(sha256: SHA256.digest(of: audio), bytes: audio.count))
        #expect(try outbox.sealedNote(of: item) == note)
        #expect(try outbox.sealedNote(of: try outbox.keep(.off)) == nil)
    }

    @Test func anItemSurvivesTheOutboxThatMadeIt() throws {
        let kept = [Seal.on, .off, .on].map { seal in Result { try fixture.open().keep(seal) } }
        #expect(try fixture.open().waiting() == kept.map { try $0.get() })
    }

    @Test func aFlippedHeaderIsSaidToBeDamage() throws {
        let outbox = try fixture.open()
        let item = try outbox.keep(.on)
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: item.manifestPath))
        #expect(throws: OutboxError.file(DurableFileError(.read, item.manifestPath, EIO))) {
            try outbox.sealedNote(of: item)
        }
    }

    /// Speech at 3 kB/s and a WAV file's at 192 kB/s.
    @Test(arguments: [3_000, 192_000]) func whatIsSyncedEachSecondIsThereAfterACrash(perSecond: Int) throws {
        let seconds = perSecond > 10_000 ? 5 : 60
        let said = speech(perSecond * seconds)
        for crash in [1, 21, 22, 23, 44, seconds] where crash <= seconds {
            let fixture = Fixture(inMemory: true)
            do {
                let recording = try fixture.open(CallLog.quick).begin(.on)
                for second in 0..<crash {
                    try recording.append(Array(said[(second * perSecond)..<((second + 1) * perSecond)]))
                    try recording.sync()
                }
                // Never synced: what of it is there nobody knows.
                try recording.append([1, 2, 3])
            }
            let outbox = try fixture.open(CallLog.quick)
            let item = try #require(outbox.waiting().first)
            #expect(try sound(of: item) == Array(said[..<(crash * perSecond)]))
            #expect(try outbox.everythingIsWhole())
        }
    }

    @Test func aSlowEncoderMakesTheJournalGrow() throws {
        let said = speech(60_000)
        do {
            let recording = try fixture.open(CallLog.quick).begin(.on)
            for second in 0..<100 {
                try recording.append(Array(said[(second * 600)..<((second + 1) * 600)]))
                try recording.sync()
            }
        }
        let item = try #require(fixture.open(CallLog.quick).waiting().first)
        #expect(item.tailBytes == 100 * TailJournal.slot)
        #expect(try sound(of: item) == said)
    }

    @Test func aJournalThatIsUsedAgainGivesUpNothingOfItsLastRecording() throws {
        do {
            let outbox = try fixture.open()
            for seconds in [30, 3] {
                let recording = try outbox.begin(.on)
                for _ in 0..<seconds {
                    try recording.append(speech(2_000))
                    try recording.sync()
                }
                if seconds == 30 { try recording.discard() }
            }
        }
        let item = try #require(fixture.open().waiting().first)
        #expect(item.tailBytes == 3 * TailJournal.slot)
        #expect(try sound(of: item) == speech(2_000) + speech(2_000) + speech(2_000))
    }

    @Test(arguments: [[], [7], speech(300_000)]) func aSpareJournalMayHoldAnything(bytes: [UInt8]) throws {
        try fixture.put("rec/spare.tail", bytes)
        do {
            let recording = try fixture.open().begin(.on)
            try recording.append(speech(5_000))
            try recording.sync()
        }
        let outbox = try fixture.open()
        let item = try #require(outbox.waiting().first)
        #expect(try sound(of: item) == speech(5_000))
        #expect(outbox.startup.parked.isEmpty && outbox.startup.problems.isEmpty)
    }

    @Test func nothingIsInTheClearOnTheCard() throws {
        let text = Array("MARKER-tell-nobody".utf8)
        let tone = [UInt8]((0..<64).map { UInt8(128 + 100 * sin(Double($0))) })
        do {
            let outbox = try fixture.open()
            for ending in 0..<4 {
                let recording = try outbox.begin(format: "wav", recipients: Seal.on.recipients) { name in
                    var head = headManifest(name)
                    head.participant = String(decoding: text, as: UTF8.self)
                    return head
                }
                for _ in 0..<30 {
                    for _ in 0..<100 { try recording.append(tone + text) }
                    try recording.sync()
                }
                try expectNothing(of: [text, tone], "while recording")
                if ending == 3 { break }
                try recording.finish { bytes, sha256 in
                    var manifest = headManifest(recording.name, bytes: bytes, sha256: sha256)
                    manifest.participant = String(decoding: text, as: UTF8.self)
                    return manifest
                }
                try expectNothing(of: [text, tone], "when finished")
                if ending == 1 { try recording.discard() } else { _ = try recording.commit() }
            }
            try outbox.park(outbox.waiting()[0], reason: "no")
        }
        let outbox = try fixture.open()
        #expect(outbox.waiting().count == 2 && outbox.startup.recovered.count == 1)
        try expectNothing(of: [text, tone], "after the next start")
        let exported = try outbox.export(to: fixture.folder.file("stick"))
        #expect(exported.count == 8)
        try expectNothing(of: [text, tone], "when exported")
    }

    /// Reads every file below the test's folder.
    private func expectNothing(of markers: [[UInt8]], _ when: String) throws {
        let all = try #require(FileManager.default.enumerator(atPath: fixture.folder.path))
        var read = 0
        for case let file as String in all {
            guard let data = try? Data(contentsOf: URL(fileURLWithPath: fixture.folder.file(file))) else {
                continue
            }
            read += 1
            for marker in markers {
                #expect(data.range(of: Data(marker)) == nil, "\(file) \(when)")
            }
        }
        #expect(read > 3)
    }

    @Test func anItemSealedAndOneInTheClearWaitBesideEachOther() throws {
        let outbox = try fixture.open()
        let items = [try outbox.keep(.on), try outbox.keep(.off), try outbox.keep(.on)]
        #expect(outbox.waiting() == items)
        #expect(try outbox.everythingIsWhole())
        let listed = try Outbox.listing(directory: fixture.directory)
        #expect(listed.map(\.sealed) == [true, false, true])
        #expect(listed.map(\.format) == ["opus", "opus", "opus"])
        for item in items { try outbox.letGo(item) }
        #expect(try fixture.files("out") == [])
    }

    @Test func theJournalOfARunningRecordingTakesItsRoom() throws {
        var fixture = fixture
        fixture.limits = Limits(maxBytes: 1344 << 10, reserveFraction: 0, headroomPerRecording: 608 << 10)
        let outbox = try fixture.open()
        let first = try outbox.begin(.on)
        let second = try outbox.begin(.on)
        #expect(throws: OutboxError.self) { try outbox.begin(.on) }
        try first.discard()
        try second.discard()
        _ = try outbox.begin(.on)
    }
}
