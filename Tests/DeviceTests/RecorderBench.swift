import AudioFiles
import DurableFiles
import Foundation
import Glibc
import Hardware
import Outbox
import Sealing
import Synchronization
import TestSupport
import Threads
import Turn
import Wire

@testable import Device
@testable import DeviceMachine

/// The recorder's work by hand, in a real outbox, with real encoders, behind a file layer that can fail.
final class RecorderBench {
    let folder = TemporaryFolder()
    let outbox: Outbox
    let queue: AudioQueue
    let ledger: Ledger
    let reports = Reports()
    var work: RecorderWork
    /// Serves what the recorder hands on, at once.
    let keep: (KeeperOrder) -> Void
    /// Opens what is recorded when the bench seals.
    let identity = AgeIdentity.generate()
    private let sealed: Bool

    final class Reports: Sendable {
        private let events = Mutex<[RecorderEvent]>([])
        let wakeUp = WakeUp()
        func report(_ event: RecorderEvent) {
            events.withLock { $0.append(event) }
            wakeUp.ring()
        }
        var all: [RecorderEvent] { events.withLock { $0 } }

        /// Waits for so many events. False after 30 s.
        func wait(for count: Int) -> Bool {
            let end = MonotonicClock.now + .seconds(30)
            while all.count < count {
                if MonotonicClock.now >= end { return false }
                wakeUp.wait(until: end)
                wakeUp.clear()
            }
            return true
        }
    }

    init(
        _ format: AudioFormat = .wav, seconds: Int = 8, maxBytes: Int = 1 << 30, channels: Int = 1,
        sealed: Bool = false, seam: FileCalls.Seam? = nil, ledgerSeam: FileCalls.Seam? = nil
    ) throws {
        self.sealed = sealed
        outbox = try Outbox(
            directory: folder.file("outbox"), limits: Limits(maxBytes: maxBytes, reserveFraction: 0),
            calls: FileCalls(seam: seam), salvage: SalvagedAudio.init(repairing:format:))
        ledger = try Ledger(folder: folder.file("ledger"), calls: FileCalls(seam: ledgerSeam))
        queue = AudioQueue(rate: 16_000, channels: channels, seconds: seconds, wakeUp: WakeUp())
        let reports = reports
        var keeper = KeeperWork(outbox: outbox, ledger: ledger, report: reports.report)
        keep = { keeper.serve($0) }
        work = RecorderWork(
            outbox: outbox, ledger: ledger, queue: queue, form: Self.form(format, channels),
            recipients: { [identity] in sealed ? [identity.recipient] : [] }, report: reports.report,
            keep: keep)
    }

    static func form(_ format: AudioFormat, _ channels: Int = 1) -> RecordingForm {
        var form = RecordingForm()
        form.format = format
        form.channels = channels
        form.device = String(repeating: "ab", count: 32)
        return form
    }

    func newBegin() -> (UtteranceID, Recorder.Order) {
        let id = UtteranceID(randomID())
        return (id, .begin(id, press: .seconds(1)))
    }

    @discardableResult
    func begin() -> UtteranceID {
        let (id, order) = newBegin()
        work.serve(order, at: queue.mark)
        return id
    }

    func serve(_ order: Recorder.Order) { work.serve(order, at: queue.mark) }

    /// A quarter of a second a piece, taken at once.
    func hear(_ samples: [Int16]) {
        for start in stride(from: 0, to: samples.count, by: 4000) {
            queue.give(Array(samples[start..<min(start + 4000, samples.count)]))
            work.takeFrames(upTo: queue.mark.position)
        }
    }

    var kinds: [String] { reports.all.map(\.kind) }

    /// What is kept: manifest and all samples at the file's rate.
    func kept() throws -> [(manifest: Manifest, samples: [Int16])] {
        try outbox.waiting().map { item in
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: item.manifestPath)))
            let audio = Array(try Data(contentsOf: URL(fileURLWithPath: item.audioPath)))
            let manifest = try Manifest(parsing: item.sealed ? open(bytes) : bytes)
            guard manifest.bytes == audio.count, manifest.sha256 == SHA256.digest(of: audio).hex else {
                throw Torn()
            }
            guard item.sealed else { return (manifest, try Self.samples(item.audioPath)) }
            return (
                manifest, try Self.samples(folder.write("opened.\(item.format)", try open(audio)))
            )
        }
    }

    /// What a sealed file holds.
    func open(_ sealed: [UInt8]) throws -> [UInt8] { try AgeOpener.open(sealed, with: [identity]) }

    struct Torn: Error {}

    static func samples(_ path: String) throws -> [Int16] {
        let reader = try AudioReader(path: path)
        var samples: [Int16] = []
        while case let block = try reader.read(), !block.isEmpty { samples += block }
        return samples
    }

    func files(_ place: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.file("outbox/" + place)).sorted()
    }
}

extension TakeFacts {
    static func of(frames: Int, reason: EndReason = .hangover) -> TakeFacts {
        var summary = CaptureSummary()
        summary.frames = frames
        summary.peak = 1234
        return TakeFacts(
            reason: reason, speechSeconds: 1.25, rule: "reference", ruleParameters: ["hangover_s": 3],
            readings: [
                TakenReading(LevelReading(index: 0, dbfs: -40.126, marks: .motor, at: .seconds(2)), nil)
            ],
            summary: summary, press: .seconds(1), firstSample: .seconds(1) + .milliseconds(110),
            firstSpeech: .seconds(2), ended: .seconds(5), mode: "press")
    }
}

extension RecorderEvent {
    var kind: String {
        switch self {
        case .finished: "finished"
        case .kept: "kept"
        case .discarded: "discarded"
        case .full: "full"
        case .failed: "failed"
        case .cardFailing: "card failing"
        case .journalFailing: "journal failing"
        case .room(nil): "room"
        case .room: "no room"
        }
    }
}
