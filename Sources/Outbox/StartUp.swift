import DurableFiles
import Sealing
import Wire

// Invariants
// 1. Nothing that holds sound is removed: what cannot be decoded is parked with a note, what cannot be moved or
//    written (a full card, a failing one) stays and is reported; the next start tries again.
// 2. Every action can be interrupted anywhere and is then found again, or is done, at the next start.
//
// Order: list the four folders; act on each name by the table in Found.swift, in the order of the sequence
// numbers; list again what waits. Salvage makes the audio valid in place; it is synced and hashed before a
// manifest that holds the hash is written.

/// Mends what a crash left, once, before anything else touches the outbox.
struct StartUp {
    var report = StartupReport()
    private(set) var state = Outbox.State()
    private(set) var largestSeq: UInt64 = 0

    let layout: Layout
    let calls: FileCalls
    let salvage: Salvage

    init(layout: Layout, calls: FileCalls, salvage: @escaping Salvage) throws(DurableFileError) {
        self.layout = layout
        self.calls = calls
        self.salvage = salvage
        for (name, found) in try lookAround().sorted(by: { $0.key < $1.key }) {
            do {
                try act(on: name, found)
            } catch {
                report.problems.append("\(name): \(error)")
            }
        }
        try index()
    }

    /// What is there, by name. Files with other names are parked: they may be somebody's recording.
    private mutating func lookAround() throws(DurableFileError) -> [ItemName: Found] {
        var all: [ItemName: Found] = [:]
        for place in Layout.Place.allCases {
            for file in try calls.list(layout.folder(place)) {
                switch FileKind(file) {
                case .audio(let name, let format):
                    // Two files of sound under one name are nobody's work; the second is parked.
                    if all[name]?.audio == nil {
                        all[name, default: Found()].audio = (place, format)
                    } else {
                        try parkUnknown(file, in: place, why: "There is another recording with this name.")
                    }
                case .manifest(let name): all[name, default: Found()].manifests.insert(place)
                case .head(let name): all[name, default: Found()].head = true
                case .gap(let name): all[name, default: Found()].gap = true
                case .note: break
                case .unknown: try parkUnknown(file, in: place, why: "Its name is not one of the outbox's.")
                }
            }
        }
        return all
    }

    private mutating func parkUnknown(
        _ file: String, in place: Layout.Place, why: String
    ) throws(DurableFileError) {
        guard place != .parked else { return }
        try writeNote(layout.file(.parked, file + ".reason.txt"), why, calls: calls)
        try calls.rename(layout.file(place, file), layout.file(.parked, file))
        try calls.syncFolder(layout.folder(.parked))
        try calls.syncFolder(layout.folder(place))
        report.parked.append(file)
    }

    /// Lists what there is now.
    private mutating func index() throws(DurableFileError) {
        for place in Layout.Place.allCases {
            let files = try calls.list(layout.folder(place))
            let present = Set(files)
            for file in files {
                let size = try calls.size(layout.file(place, file))
                switch (place, FileKind(file)) {
                case (.parked, let kind):
                    state.parkedBytes += size
                    if case .audio(let name, _) = kind { note(name) }
                    switch kind {
                    case .audio, .unknown: state.parked += 1
                    case .manifest, .head, .gap, .note: break
                    }
                case (.rec, .audio(let name, _)):
                    // Start-up could not deal with it; it takes its room all the same.
                    note(name)
                    state.leftInRec += size
                case (.out, .audio(let name, let format)), (.sent, .audio(let name, let format)):
                    note(name)
                    guard present.contains("\(name).json") else { continue }
                    let manifest = layout.manifest(place, name)
                    let item = OutboxItem(
                        name: name, format: format, audioPath: layout.file(place, file),
                        manifestPath: manifest, audioBytes: size, manifestBytes: try calls.size(manifest))
                    if place == .out {
                        state.waiting.insertInOrder(item)
                    } else {
                        state.sent.insertInOrder(item)
                    }
                case (.out, .gap(let name)):
                    note(name)
                    state.gaps.append(
                        OutboxGap(name: name, manifestPath: layout.gap(name), bytes: size))
                case (_, .manifest), (_, .head), (_, .gap), (_, .note), (_, .unknown):
                    break
                }
            }
        }
    }

    private mutating func note(_ name: ItemName) { largestSeq = max(largestSeq, name.seq) }
}
