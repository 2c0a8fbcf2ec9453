// Invariants
// 1. `append` waits for nothing: it puts a record into memory, and the loop calls it on the way of a press.
// 2. When `write` returns, every record appended before is with the kernel, in order: a killed program leaves it
//    behind. The capture thread calls it before it opens the card, so no card is opened before its opening is written
//    down; a journal that cannot be written is an error in the log, and the press goes on.
// 3. Nothing is ever changed or removed. A full file is closed and the next number begins.
// 4. The card is waited for by `sync` only, which recorder and keeper call, and which makes the next file ahead. `write`
//    never waits for a `sync`.
//
// `waiting` guards what is in memory; no file call is made under it. `written` guards the file that grows, and is held
// for one write. `number` is held by the one `sync` that is under way. Taken in the order number, written, waiting.
//
// A power cut may tear the last line: a reader passes over a line that is no JSON, and a new run begins its
// own file, so that a torn line is never continued.

import DeviceMachine
import DurableFiles
import Glibc
import Hardware
import Synchronization
import Threads
import Wire

/// The microphone's journal: one JSON object a line, in `ledger/<number>.jsonl`.
package final class Ledger: Sendable {
    /// Shared by a `sync` that is under way.
    private final class File: Sendable {
        let lines: Append
        init(_ path: String, _ calls: FileCalls) throws(DurableFileError) {
            lines = try Append(path, calls: calls)
        }
    }

    private struct Written {
        var file: File
        var bytes = 0
        var unsynced = false
    }

    /// A file is closed when it has grown past this.
    private static let longestFile = 1 << 20
    private let folder: String
    private let calls: FileCalls
    /// Whole lines that the kernel has not got yet.
    private let waiting = Mutex<[UInt8]>([])
    private let written: Mutex<Written>
    /// Of the file that grows.
    private let number: Mutex<Int>

    /// Opens a new file in `folder`, which is made when it is missing.
    package init(folder: String, calls: FileCalls = .system) throws(DurableFileError) {
        try calls.makeFolders(folder)
        let number = (try Self.numbers(in: folder).last ?? 0) + 1
        self.folder = folder
        self.calls = calls
        self.number = Mutex(number)
        written = Mutex(Written(file: try File(Self.path(folder, number), calls)))
    }

    /// Takes one record in. Returns at once.
    package func append(_ record: JSON) {
        let line = (record.text + "\n").utf8
        waiting.withLock { $0 += line }
    }

    /// Returns when every record so far is with the kernel. May wait for a disk that takes no more writes.
    package func write() throws(DurableFileError) {
        try written.withLock { (written) throws(DurableFileError) in
            let lines = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            if lines.isEmpty { return }
            try written.file.lines.append(lines)
            written.bytes += lines.count
            written.unsynced = true
        }
    }

    /// Returns when every record so far is on the card. May block for seconds.
    func sync() throws(DurableFileError) {
        try number.withLock { (number) throws(DurableFileError) in
            try write()
            let unsynced = written.withLock { written in
                defer { written.unsynced = false }
                return written.unsynced ? written.file : nil
            }
            do throws(DurableFileError) { try unsynced?.lines.sync() } catch {
                written.withLock { $0.unsynced = true }
                throw error
            }
            guard written.withLock({ $0.bytes > Self.longestFile }) else { return }
            let next = try File(Self.path(folder, number + 1), calls)
            number += 1
            let full = written.withLock { written in
                defer { written = Written(file: next) }
                return written
            }
            // What was written while the next one was made.
            if full.unsynced { try full.file.lines.sync() }
        }
    }

    /// All records of a ledger folder, oldest first; a torn line is passed over.
    package static func records(in folder: String) throws(DurableFileError) -> [JSON] {
        var records: [JSON] = []
        for number in try numbers(in: folder) {
            let bytes = try FileCalls.system.contents(path(folder, number))
            for line in bytes.split(separator: 10) {
                if let record = try? JSON(parsing: Array(line)) { records.append(record) }
            }
        }
        return records
    }

    private static func numbers(in folder: String) throws(DurableFileError) -> [Int] {
        try FileCalls.system.list(folder).compactMap { name in
            guard name.hasSuffix(".jsonl"), let number = Int(name.dropLast(6)) else { return nil }
            return path(folder, number) == folder + "/" + name ? number : nil
        }.sorted()
    }

    private static func path(_ folder: String, _ number: Int) -> String {
        let digits = String(number)
        return folder + "/" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits + ".jsonl"
    }
}

extension LedgerEntry {
    /// The record as it is written. Times in nanoseconds by `clocks`, which relates the machine's time to the others.
    package func json(_ clocks: Clocks) -> JSON {
        switch self {
        case .opening(let press, let reason, _, let at):
            return [
                "record": "opening", "press": .string(press.rawValue),
                "opened_by": .string(reason.rawValue),
                "boot_id": .string(MonotonicClock.bootID),
                "monotonic_ns": .int(at.wholeNanoseconds), "boot_ns": .int(clocks.boot(at).wholeNanoseconds),
                "wall_ns": .int(clocks.wall(at).wholeNanoseconds),
            ]
        case .firstSample(let press, let afterPress, let at):
            return [
                "record": "first_sample", "press": .string(press.rawValue),
                "monotonic_ns": .int(at.wholeNanoseconds),
                "press_to_first_sample_us": .int(afterPress.wholeMicroseconds),
            ]
        case .closed(let press, let reason, let summary, let at):
            let head: [(key: String, value: JSON)] = [
                ("record", "closed"), ("press", .string(press.rawValue)),
                ("monotonic_ns", .int(at.wholeNanoseconds)),
                ("reason", .string(reason.rawValue)),
            ]
            guard let summary else { return .object(head + [("frames", 0)]) }
            return .object(
                head + [
                    ("frames", .integer(summary.frames)), ("inserted", .integer(summary.inserted)),
                    ("overruns", .integer(summary.overruns)), ("peak", .integer(summary.peak)),
                    ("clipped", .integer(summary.clipped)), ("device_format", .string(summary.format)),
                ])
        }
    }
}

/// How the kernel's clocks stand to each other at one moment.
///
/// The wall clock is read here and by the doctor, and only to be written down or shown: it may stand at 1970, or
/// be set by years in the middle of a recording.
package struct Clocks: Sendable {
    private let monotonic: Duration
    private let bootNow: Duration
    private let wallNow: Duration

    /// As they stand now.
    package init() {
        self.init(now: MonotonicClock.now, boot: MonotonicClock.boot, wall: MonotonicClock.wall)
    }

    init(now: Duration, boot: Duration, wall: Duration) {
        monotonic = now
        bootNow = boot
        wallNow = wall
    }

    /// `CLOCK_BOOTTIME` at a monotonic time of the same stretch without suspend.
    func boot(_ at: Duration) -> Duration { bootNow - (monotonic - at) }

    /// The wall clock at a monotonic time, if it was not set since.
    func wall(_ at: Duration) -> Duration { wallNow - (monotonic - at) }
}
