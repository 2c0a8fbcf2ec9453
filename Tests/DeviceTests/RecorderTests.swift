import AudioFiles
import DurableFiles
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing
import Threads
import Turn

@testable import Device

@Suite struct RecorderTests {
    /// A quiet noise that is the same everywhere.
    private static func noise(_ count: Int, seed: Int = 1) -> [Int16] {
        var state = UInt32(truncatingIfNeeded: seed &* 2_654_435_761)
        return (0..<count).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return Int16(truncatingIfNeeded: Int(state >> 20) - 2048)
        }
    }

    @Test(arguments: AudioFormat.allCases, [16_000, 16_001, 159, 40_123])
    func framesInAreFramesInTheFile(format: AudioFormat, frames: Int) throws {
        let bench = try RecorderBench(format)
        let id = bench.begin()
        bench.hear(Self.noise(frames))
        bench.serve(.finish(id, .of(frames: frames)))
        bench.serve(.commit(id))
        #expect(bench.kinds == ["finished", "kept", "room"])
        let (manifest, samples) = try #require(try bench.kept().first)
        #expect(manifest.frames == frames)
        // Opus is decoded at 48 kHz.
        #expect(samples.count == (format == .opus ? 3 * frames : frames))
    }

    @Test(arguments: [AudioFormat.wav, .flac], [1, 2])
    func aLosslessFileIsEqualBitForBit(format: AudioFormat, channels: Int) throws {
        let bench = try RecorderBench(format, channels: channels)
        let id = bench.begin()
        let heard = Self.noise(48_000)
        bench.hear(heard)
        bench.serve(.finish(id, .of(frames: 48_000 / channels)))
        bench.serve(.commit(id))
        let (manifest, samples) = try #require(try bench.kept().first)
        #expect(samples == heard)
        #expect(manifest.frames == 48_000 / channels && manifest.channels == channels)
    }

    @Test func theManifestSaysWhatTheTurnKnows() throws {
        let bench = try RecorderBench()
        let id = bench.begin()
        bench.hear(Self.noise(1600))
        bench.serve(.finish(id, .of(frames: 1600, reason: .unplugged)))
        bench.serve(.commit(id))
        let (manifest, _) = try #require(try bench.kept().first)
        #expect(manifest.utterance == id.rawValue && manifest.seq == 1)
        #expect(manifest.endReason == "unplugged" && manifest.speechSeconds == 1.25)
        #expect(manifest.rule == "reference" && manifest.ruleParameters == ["hangover_s": 3])
        #expect(manifest.readings == [.init(dbfs: -40.13, marks: 4)])
        #expect(manifest.start.monotonic == 1_000_000_000 && manifest.end?.monotonic == 5_000_000_000)
        #expect(manifest.firstSampleMicroseconds == 110_000 && manifest.peak == 1234)
        #expect(manifest.insertedFrames == 0 && manifest.mode == "press")
    }

    @Test func aRecorderThatIsLateGivesEachRecordingItsOwnSamples() throws {
        let bench = try RecorderBench()
        let (heardFirst, heardSecond) = (Self.noise(20_000, seed: 1), Self.noise(30_000, seed: 2))
        let (first, beginFirst) = bench.newBegin()
        var orders = [(beginFirst, bench.queue.mark)]
        bench.queue.give(heardFirst)
        orders.append((.finish(first, .of(frames: 20_000)), bench.queue.mark))
        let (second, beginSecond) = bench.newBegin()
        orders.append((beginSecond, bench.queue.mark))
        bench.queue.give(heardSecond)
        orders.append((.finish(second, .of(frames: 30_000)), bench.queue.mark))
        for (order, mark) in orders { bench.work.serve(order, at: mark) }
        for id in [first, second] { bench.serve(.commit(id)) }
        #expect(try bench.kept().map(\.samples) == [heardFirst, heardSecond])
    }

    @Test func samplesOfATurnWithoutAFileAreInNoOther() throws {
        let bench = try RecorderBench()
        bench.hear(Self.noise(5000, seed: 1))
        let id = bench.begin()
        let heard = Self.noise(5000, seed: 2)
        bench.hear(heard)
        bench.serve(.finish(id, .of(frames: 5000)))
        bench.serve(.commit(id))
        #expect(try bench.kept().map(\.samples) == [heard])
    }

    @Test func aStallIsSilenceOfTheSameLengthAndIsCounter() throws {
        let bench = try RecorderBench(seconds: 1)
        let id = bench.begin()
        let heard = Self.noise(64_000).map { $0 | 1 }
        for start in stride(from: 0, to: 48_000, by: 1600) {
            bench.queue.give(Array(heard[start..<start + 1600]))
        }
        bench.hear(Array(heard[48_000...]))
        bench.serve(.finish(id, .of(frames: 64_000)))
        bench.serve(.commit(id))
        let (manifest, samples) = try #require(try bench.kept().first)
        #expect(samples.count == 64_000 && manifest.frames == 64_000)
        #expect(samples.count(where: { $0 == 0 }) == manifest.insertedFrames)
        #expect(samples.indices.allSatisfy { samples[$0] == 0 || samples[$0] == heard[$0] })
        #expect(samples.prefix(16_000).elementsEqual(heard.prefix(16_000)))
        #expect(samples.suffix(4000).elementsEqual(heard.suffix(4000)))
    }

    @Test func silenceOwedAtTheEndBelongsToItsOwnRecording() throws {
        let bench = try RecorderBench(seconds: 1)
        let first = bench.begin()
        bench.queue.give([Int16](repeating: 1, count: 16_000))
        bench.queue.give([Int16](repeating: 2, count: 9000))  // no room, and nothing comes after it
        bench.serve(.finish(first, .of(frames: 25_000)))
        let second = bench.begin()
        bench.hear([Int16](repeating: 3, count: 4000))
        bench.serve(.finish(second, .of(frames: 4000)))
        for id in [first, second] { bench.serve(.commit(id)) }
        let kept = try bench.kept()
        #expect(kept.map(\.manifest.frames) == [25_000, 4000])
        #expect(kept.map(\.manifest.insertedFrames) == [9000, 0])
        #expect(kept[0].samples.dropFirst(16_000).allSatisfy { $0 == 0 })
        #expect(kept[1].samples == [Int16](repeating: 3, count: 4000))
    }

    /// The card takes no more after some writes of the audio.
    private static func fullCard(_ format: AudioFormat, after writes: Int) -> FileCalls.Seam {
        let seen = Counter()
        return { call in
            guard call.operation == .write, call.path.hasSuffix("." + format.rawValue) else { return nil }
            return seen.next() >= writes ? .fail(ENOSPC) : nil
        }
    }

    @Test(arguments: AudioFormat.allCases)
    func aFullCardKeepsWhatIsThere(format: AudioFormat) throws {
        let bench = try RecorderBench(format, seam: Self.fullCard(format, after: 10))
        let id = bench.begin()
        let heard = Self.noise(160_000)
        bench.hear(heard)
        #expect(bench.kinds == ["full"])
        bench.serve(.finish(id, .of(frames: 160_000, reason: .full)))
        bench.serve(.commit(id))
        #expect(bench.kinds == ["full", "finished", "kept", "room"])
        let (manifest, samples) = try #require(try bench.kept().first)
        #expect(manifest.endReason == "full")
        let frames = format == .opus ? samples.count / 3 : samples.count
        #expect(frames > 10_000 && frames < 160_000)
        if format != .opus { #expect(samples.elementsEqual(heard.prefix(samples.count))) }
        #expect(manifest.frames == frames)
    }

    @Test func aFullOutboxKeepsWhatIsThere() throws {
        let bench = try RecorderBench(maxBytes: 1_500_000)
        let id = bench.begin()
        bench.hear(Self.noise(1_000_000))
        #expect(bench.kinds == ["full"])
        bench.serve(.finish(id, .of(frames: 1_000_000, reason: .full)))
        bench.serve(.commit(id))
        #expect(bench.kinds == ["full", "finished", "kept", "no room"])
        let (manifest, samples) = try #require(try bench.kept().first)
        #expect(samples.count > 400_000 && manifest.frames == samples.count)
    }

    @Test(arguments: [FileOperation.open, .create, .reserve, .write])
    func aFileThatCannotBeginIsReportedAndLeavesNothing(operation: FileOperation) throws {
        let bench = try RecorderBench(seam: { call in
            call.path.hasSuffix(".wav") && call.operation == operation ? .fail(EIO) : nil
        })
        let id = bench.begin()
        if bench.reports.all.isEmpty { return }  // this call is not part of a beginning
        #expect(bench.kinds == ["failed"])
        #expect(try bench.files("rec") == [])
        bench.hear(Self.noise(8000))
        bench.serve(.finish(id, .of(frames: 8000)))
        bench.serve(.commit(id))
        bench.serve(.discard(id))
        #expect(bench.kinds == ["failed"])
        #expect(bench.outbox.counts().recording == 0)
    }

    @Test func aCardThatFailsInTheMiddleIsReportedOnceAndThePartWaits() throws {
        let seen = Counter()
        let bench = try RecorderBench(seam: { call in
            guard call.operation == .write, call.path.hasSuffix(".wav") else { return nil }
            return seen.next() >= 5 ? .fail(EIO) : nil
        })
        let id = bench.begin()
        bench.hear(Self.noise(80_000))
        bench.serve(.finish(id, .of(frames: 80_000)))
        #expect(bench.kinds == ["failed"])
        #expect(bench.outbox.counts().recording == 0 && bench.outbox.counts().waiting == 1)
        let (manifest, samples) = try #require(try bench.kept().first)
        #expect(manifest.recovered && !samples.isEmpty && manifest.frames == samples.count)
    }

    /// Records, finishes and commits on a card that fails once, at the first call that is meant.
    private func recordFailingOnce(
        _ heard: [Int16], at isMeant: @escaping @Sendable (FileCall) -> Bool
    ) throws -> RecorderBench {
        let seen = Counter()
        let bench = try RecorderBench(seam: { isMeant($0) && seen.next() == 0 ? .fail(EIO) : nil })
        let id = bench.begin()
        bench.hear(heard)
        bench.serve(.finish(id, .of(frames: heard.count)))
        bench.serve(.commit(id))
        let calls = seen.next()
        #expect(calls > 0, "the card failed")
        return bench
    }

    @Test func aManifestThatTheCardRefusesOnceIsWrittenAgain() throws {
        let heard = Self.noise(16_000)
        let bench = try recordFailingOnce(heard) { $0.operation == .sync && $0.path.contains(".json") }
        #expect(bench.kinds == ["finished", "kept", "room"])
        #expect(try bench.kept().map(\.samples) == [heard])
    }

    @Test func whatCannotBeCommittedIsToldAndWaitsAsAfterACrash() throws {
        let heard = Self.noise(16_000)
        let bench = try recordFailingOnce(heard) {
            $0.operation == .rename && $0.to?.hasSuffix(".json") == true
        }
        #expect(bench.kinds == ["finished", "failed", "room"])
        #expect(bench.outbox.counts().recording == 0 && bench.outbox.counts().waiting == 1)
        #expect(try bench.kept().map(\.samples) == [heard])
    }

    @Test func aCardThatDoesNotSyncCostsACopyAndIsToldOnceAllIsKept() throws {
        let bench = try RecorderBench(seam: { call in
            call.operation == .sync && call.path.hasSuffix(".wav") ? .fail(EIO) : nil
        })
        let id = bench.begin()
        let heard = Self.noise(16_000)
        bench.hear(heard)
        bench.serve(.finish(id, .of(frames: 16_000)))
        bench.serve(.commit(id))
        #expect(bench.kinds == ["finished", "kept", "card failing", "room"])
        #expect(try bench.kept().map(\.samples) == [heard])
    }

    @Test func aDiscardedRecordingIsGoneWhenItIsTold() throws {
        let bench = try RecorderBench()
        let id = bench.begin()
        bench.hear(Self.noise(16_000))
        bench.serve(.finish(id, .of(frames: 16_000)))
        #expect(try bench.files("rec").count == 3)
        bench.serve(.discard(id))
        #expect(bench.kinds == ["finished", "discarded", "room"])
        #expect(try bench.files("rec") == [] && bench.files("out") == [])
    }

    @Test func aCardThatGivesNoNumberCostsThePlaceInTheOrderAlone() throws {
        let bench = try RecorderBench(seam: { call in call.path.contains("/seq") ? .fail(EIO) : nil })
        let id = bench.begin()
        bench.hear(Self.noise(16_000))
        bench.serve(.finish(id, .of(frames: 16_000)))
        bench.serve(.commit(id))
        let (manifest, samples) = try #require(try bench.kept().first)
        #expect(manifest.seq == 0 && manifest.utterance == id.rawValue)
        #expect(samples == Self.noise(16_000))
    }

    @Test func noRoomIsASentence() throws {
        let bench = try RecorderBench(maxBytes: 1000)
        bench.serve(.checkRoom)
        guard case .room(let refusal?)? = bench.reports.all.first else {
            Issue.record("there is room")
            return
        }
        #expect(refusal.contains("outbox_max"))
    }

    @Test func theThreadServesItsOrdersInOrderAndAllOfThem() throws {
        let bench = try RecorderBench()
        let reports = bench.reports
        let recorder = Recorder(
            outbox: bench.outbox, ledger: bench.ledger, queue: bench.queue, form: RecorderBench.form(.wav),
            report: reports.report)
        var ids: [UtteranceID] = []
        for round in 0..<5 {
            let (id, order) = bench.newBegin()
            ids.append(id)
            recorder.order(order)
            for _ in 0..<10 { bench.queue.give([Int16](repeating: Int16(round + 1), count: 1600)) }
            recorder.order(.finish(id, .of(frames: 16_000)))
            recorder.order(.commit(id))
            // The queue holds 8 s.
            #expect(reports.wait(for: 3 * (round + 1)))
        }
        recorder.shutDown()
        #expect(
            reports.all.map(\.kind)
                == Array(repeating: ["finished", "kept", "room"], count: 5).flatMap { $0 })
        let kept = try bench.kept()
        #expect(kept.map(\.manifest.utterance) == ids.map(\.rawValue))
        for (round, item) in kept.enumerated() {
            #expect(item.samples == [Int16](repeating: Int16(round + 1), count: 16_000))
        }
    }

    /// While the card takes its time with the last recording, the next one must not wait for its own second.
    @Test func theRunningRecordingIsSyncedWhileTheLastOneIsCommitted() throws {
        // The outbox's own start syncs the folder too.
        let (begun, commit, synced) = (Gate(), Gate(), Gate())
        let bench = try RecorderBench(seam: { call in
            switch call.operation {
            case .syncFolder where call.path.hasSuffix("/out") && begun.isOpen && !commit.isOpen:
                commit.open()
                synced.wait()
            case .syncData where call.path.hasSuffix(".wav") && commit.isOpen: synced.open()
            default: break
            }
            return nil
        })
        let recorder = Recorder(
            outbox: bench.outbox, ledger: bench.ledger, queue: bench.queue, form: RecorderBench.form(.wav),
            report: bench.reports.report)
        begun.open()
        let (first, beginFirst) = bench.newBegin()
        recorder.order(beginFirst)
        bench.queue.give([Int16](repeating: 3, count: 1600))
        recorder.order(.finish(first, .of(frames: 1600)))
        recorder.order(.commit(first))
        commit.wait()
        let (second, beginSecond) = bench.newBegin()
        recorder.order(beginSecond)
        // In real time, because a second is the recorder's.
        var fed = 0
        while !synced.isOpen && fed < 600 {
            bench.queue.give([Int16](repeating: 7, count: 800))
            synced.wait(atMost: .milliseconds(50))
            fed += 1
        }
        #expect(synced.isOpen, "no sync within 30 s: it waits for the commit")
        synced.open()
        recorder.order(.finish(second, .of(frames: 0)))
        recorder.order(.commit(second))
        recorder.shutDown()
        #expect(try bench.kept().map(\.manifest.utterance) == [first, second].map(\.rawValue))
    }
}

/// Something that one thread waits for until another says that it happened.
private final class Gate: Sendable {
    private let state = Mutex(false)
    private let wakeUp = WakeUp()

    var isOpen: Bool { state.withLock { $0 } }

    func open() {
        state.withLock { $0 = true }
        wakeUp.ring()
    }

    func wait(atMost limit: Duration = .seconds(30)) {
        if !isOpen { wakeUp.wait(until: MonotonicClock.now + limit) }
    }
}
