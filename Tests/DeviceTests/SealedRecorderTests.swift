import AudioFiles
import DurableFiles
import Foundation
import Glibc
import Sealing
import Synchronization
import TestSupport
import Testing
import Threads
import Turn
import Wire

@testable import Device

/// The recorder, with recipients.
@Suite struct SealedRecorderTests {
    /// A quiet noise that is the same everywhere.
    private static func noise(_ count: Int) -> [Int16] {
        var state: UInt32 = 2_654_435_761
        return (0..<count).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return Int16(truncatingIfNeeded: Int(state >> 20) - 2048)
        }
    }

    @Test(arguments: AudioFormat.allCases, [159, 40_123, 200_000])
    func aSealedRecordingOpensToWhatWasHeard(format: AudioFormat, frames: Int) throws {
        let bench = try RecorderBench(format, sealed: true)
        let heard = Self.noise(frames)
        let id = bench.begin()
        bench.hear(heard)
        bench.serve(.finish(id, .of(frames: frames)))
        bench.serve(.commit(id))
        #expect(bench.kinds == ["finished", "kept", "room"])
        let (manifest, samples) = try #require(try bench.kept().first)
        #expect(manifest.frames == frames && manifest.format == format.rawValue)
        if format == .opus {
            #expect(samples.count == 3 * frames)
        } else {
            #expect(samples == heard)
        }
    }

    /// What is sealed is not written to again: the lengths that a head would hold stay open.
    @Test func theHeadOfASealedFileKeepsItsOpenLengths() throws {
        for format in [AudioFormat.wav, .flac] {
            let bench = try RecorderBench(format, sealed: true)
            let id = bench.begin()
            bench.hear(Self.noise(16_000))
            bench.serve(.finish(id, .of(frames: 16_000)))
            bench.serve(.commit(id))
            let path = try #require(bench.outbox.waiting().first).audioPath
            let audio = try bench.open([UInt8](Data(contentsOf: URL(fileURLWithPath: path))))
            if format == .wav {
                #expect(audio[4..<8].allSatisfy { $0 == 0xFF } && audio[40..<44].allSatisfy { $0 == 0xFF })
            } else {
                // RFC 9639 §8.2: 36 bits of the number of samples, 0 where it is not known, then the MD5, likewise.
                #expect(audio[21] & 0x0F == 0 && audio[22..<42].allSatisfy { $0 == 0 })
            }
        }
    }

    /// The card gives no more room after the second step; what was promised before can still be written.
    @Test(arguments: [AudioFormat.wav, .flac])
    func aFullCardKeepsWhatIsThere(format: AudioFormat) throws {
        let seen = Counter()
        let bench = try RecorderBench(
            format, sealed: true,
            seam: { call in
                guard call.operation == .reserve, call.path.hasSuffix(".\(format.rawValue).age") else {
                    return nil
                }
                return seen.next() >= 2 ? .fail(ENOSPC) : nil
            })
        let heard = Self.noise(1_000_000)
        let id = bench.begin()
        bench.hear(heard)
        #expect(bench.kinds == ["full"])
        bench.serve(.finish(id, .of(frames: heard.count, reason: .full)))
        bench.serve(.commit(id))
        #expect(bench.kinds == ["full", "finished", "kept", "room"])
        let (manifest, samples) = try #require(try bench.kept().first)
        #expect(manifest.frames == samples.count && samples.count > 200_000)
        #expect(samples.elementsEqual(heard.prefix(samples.count)))
    }

    @Test(arguments: AudioFormat.allCases)
    func aFullOutboxKeepsWhatIsThere(format: AudioFormat) throws {
        let bench = try RecorderBench(format, maxBytes: 1_700_000, sealed: true)
        let heard = Self.noise(4_000_000)
        let id = bench.begin()
        bench.hear(heard)
        #expect(bench.kinds == (format == .opus ? [] : ["full"]))
        bench.serve(.finish(id, .of(frames: heard.count, reason: .full)))
        bench.serve(.commit(id))
        let (manifest, samples) = try #require(try bench.kept().first)
        let frames = format == .opus ? samples.count / 3 : samples.count
        #expect(manifest.frames == frames && frames > 300_000)
        if format != .opus { #expect(samples.elementsEqual(heard.prefix(samples.count))) }
    }

    @Test func aCardThatDoesNotSyncCostsACopyAndIsToldOnceAllIsKept() throws {
        let bench = try RecorderBench(
            sealed: true,
            seam: { call in
                [.sync, .syncData].contains(call.operation) && call.path.hasSuffix(".wav.age")
                    ? .fail(EIO) : nil
            })
        let heard = Self.noise(80_000)
        let id = bench.begin()
        bench.hear(heard)
        bench.serve(.finish(id, .of(frames: heard.count)))
        bench.serve(.commit(id))
        #expect(bench.kinds == ["finished", "kept", "card failing", "room"])
        #expect(try bench.kept().map(\.samples) == [heard])
    }

    /// Second by second is the promise: a card without room for that is full.
    @Test func aCardWithoutRoomForTheLastSecondsIsFull() throws {
        let isFull = Mutex(false)
        let bench = try RecorderBench(
            sealed: true,
            seam: { call in
                let fails = call.operation == .write && call.path.hasSuffix(".tail")
                return fails && isFull.withLock { $0 } ? .fail(ENOSPC) : nil
            })
        let heard = Self.noise(16_000)
        let id = bench.begin()
        bench.hear(heard)
        isFull.withLock { $0 = true }
        bench.work.takeFrames(upTo: bench.queue.mark.position, now: MonotonicClock.now + .seconds(1))
        #expect(bench.kinds == ["full"])
        bench.serve(.finish(id, .of(frames: heard.count, reason: .full)))
        bench.serve(.commit(id))
        #expect(try bench.kept().map(\.samples) == [heard])
    }

    @Test func aDiscardedRecordingLeavesNoSoundAndNoName() throws {
        let bench = try RecorderBench(sealed: true)
        let id = bench.begin()
        bench.hear(Self.noise(16_000))
        bench.serve(.finish(id, .of(frames: 16_000)))
        bench.serve(.discard(id))
        #expect(bench.kinds == ["finished", "discarded", "room"])
        #expect(try bench.files("out").isEmpty)
        #expect(try !bench.files("rec").contains { $0.contains(id.rawValue) })
    }

    /// Samples, and texts of the manifest, are looked for in every file at every stage.
    @Test(arguments: AudioFormat.allCases, [true, false])
    func whatIsSealedIsNeverOnTheCardInTheClear(format: AudioFormat, sealed: Bool) throws {
        let bench = try RecorderBench(format, sealed: sealed)
        let heard = Self.noise(80_000)
        let window = heard[20_000..<20_032].withUnsafeBytes { Data($0) }
        let marks = [window, Data("reference".utf8), Data("hangover_s".utf8)]
        var found = 0
        func look() throws {
            for file in try FileManager.default.subpathsOfDirectory(atPath: bench.outbox.directory) {
                let path = bench.outbox.directory + "/" + file
                guard let bytes = FileManager.default.contents(atPath: path) else { continue }
                found += marks.count { bytes.range(of: $0) != nil }
            }
        }
        let id = bench.begin()
        for piece in stride(from: 0, to: heard.count, by: 16_000) {
            bench.hear(Array(heard[piece..<piece + 16_000]))
            try look()
        }
        bench.serve(.finish(id, .of(frames: heard.count)))
        try look()
        bench.serve(.commit(id))
        try look()
        // Without sealing the manifest, and of a WAV file the samples, are found: the search can find.
        #expect(sealed ? found == 0 : found > 0)
    }

    @Test func eachRecordingIsSealedToWhoeverIsPairedWhenItBegins() throws {
        let bench = try RecorderBench()
        let paired = [AgeIdentity.generate(), AgeIdentity.generate()]
        let asked = Counter()
        bench.work = RecorderWork(
            outbox: bench.outbox, ledger: bench.ledger, queue: bench.queue, form: RecorderBench.form(.wav),
            recipients: { [paired[asked.next()].recipient] }, report: bench.reports.report,
            keep: bench.keep)
        for _ in paired {
            let id = bench.begin()
            bench.hear(Self.noise(4000))
            bench.serve(.finish(id, .of(frames: 4000)))
            bench.serve(.commit(id))
        }
        let items = bench.outbox.waiting()
        #expect(items.count == 2)
        for (item, identity) in zip(items, paired) {
            let note = try #require(try bench.outbox.sealedNote(of: item))
            #expect(note.recipients == [identity.recipient])
        }
    }

    @Test func withoutAKeyNothingIsRecordedAndItIsSaid() throws {
        struct NoKey: Error, CustomStringConvertible { let description = "There is no key." }
        let bench = try RecorderBench()
        bench.work = RecorderWork(
            outbox: bench.outbox, ledger: bench.ledger, queue: bench.queue, form: RecorderBench.form(.wav),
            recipients: { throw NoKey() }, report: bench.reports.report,
            keep: bench.keep)
        bench.begin()
        bench.hear(Self.noise(4000))
        #expect(bench.kinds == ["failed"])
        #expect(try bench.files("rec").isEmpty)
    }
}
