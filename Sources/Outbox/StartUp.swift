import DurableFiles
import Wire

// Invariants
// 1. Nothing that holds sound is removed: what cannot be decoded is parked with a note, what cannot be moved or
//    written (a full card, a failing one) stays and is reported; the next start tries again.
// 2. Every action can be interrupted anywhere and is then found again, or is done, at the next start.
// 3. What is acted on is on the card before: a program that was killed may have renamed, removed or written it and not
//    come to the sync.
// 4. Of what waits already, however much it is, names and sizes are read and no file is opened.
//
// Order: fsync the four folders and list them; act on each name by the table in Found.swift, in the order of the
// sequence numbers; list again what waits. Salvage makes clear audio valid in place; it is synced and hashed before a
// manifest that holds the hash is written. A sealed part is kept as it is, see StartUp+Sealed.swift.

/// Mends what a crash left, once, before anything else touches the outbox.
struct StartUp {
    var report = StartupReport()
    private(set) var state = Outbox.State()
    private(set) var largestSeq: UInt64 = 0

    let layout: Layout
    let calls: FileCalls
    let salvage: Salvage

    /// Files of other items are passed over when this is not nil.
    private let only: ItemName?
    /// The files may be this program's own, whose sync failed.
    var mendsOwn: Bool { only != nil }

    /// - Parameter only: mends this item alone, beside others that are recorded.
    init(layout: Layout, calls: FileCalls, salvage: @escaping Salvage, only: ItemName? = nil) {
        self.layout = layout
        self.calls = calls
        self.salvage = salvage
        self.only = only
        for place in Layout.Place.allCases {
            do { try calls.syncFolder(layout.folder(place)) } catch { report.problems.append("\(error)") }
        }
        for (name, found) in lookAround().sorted(by: { $0.key < $1.key }) {
            do {
                try act(on: name, found)
            } catch {
                report.problems.append("\(name): \(error)")
            }
        }
        index()
    }

    /// What is there, by name. Files with other names are parked: they may be somebody's recording.
    private mutating func lookAround() -> [ItemName: Found] {
        var listed: [(place: Layout.Place, files: [String])] = []
        for place in Layout.Place.allCases {
            do { listed.append((place, try calls.list(layout.folder(place)))) } catch {
                // What is in the others may belong to what is in this one: nothing is touched.
                report.problems.append("\(error)")
                return [:]
            }
        }
        var all: [ItemName: Found] = [:]
        for (place, files) in listed {
            for file in files where isConcerned(file) { take(file, in: place, into: &all) }
        }
        // A copy without its recording is all that is left of it.
        for (name, found) in all where found.audio == nil && !found.copies.isEmpty {
            for copy in found.copies {
                parkUnknown(
                    copy.fileName, in: .rec, why: "It is the unfinished copy of a recording that is gone.")
            }
            all[name]?.copies = []
        }
        return all
    }

    private func isConcerned(_ file: String) -> Bool {
        guard let only else { return true }
        return file.hasPrefix("\(only).")
    }

    private mutating func take(
        _ file: String, in place: Layout.Place, into all: inout [ItemName: Found]
    ) {
        switch FileKind(file) {
        case .audio(let name, let form):
            // Two files of sound under one name are nobody's work; the second is parked.
            if all[name]?.audio == nil {
                all[name, default: Found()].audio = (place, form)
                if form.sealed { all[name]?.sealed = true }
            } else {
                parkUnknown(file, in: place, why: "There is another recording with this name.")
            }
        case .manifest(let name, let sealed):
            all[name, default: Found()].manifests.insert(place)
            if sealed { all[name]?.sealed = true }
        case .head(let name, let sealed):
            all[name, default: Found()].head = true
            if sealed { all[name]?.sealed = true }
        case .tail(let name):
            all[name, default: Found()].tails.insert(place)
            all[name]?.sealed = true
        case .gap(let name): all[name, default: Found()].gap = true
        case .unfinished(let name):
            all[name, default: Found()].unfinished.append(layout.file(place, file))
            if file.hasSuffix(".age.new") { all[name]?.sealed = true }
        case .copy(let name) where place == .rec:
            all[name, default: Found()].copies.append(layout.file(place, file))
        case .spareTail where place == .rec, .note: break
        case .unknown, .copy, .spareTail:
            parkUnknown(file, in: place, why: "Its name is not one of the outbox's.")
        }
    }

    private mutating func parkUnknown(_ file: String, in place: Layout.Place, why: String) {
        guard place != .parked else { return }
        do throws(DurableFileError) {
            // It may be somebody's only copy: neither of the two is written over.
            guard try !isThere(layout.file(.parked, file)) else {
                report.problems.append(
                    "\(file): There is a file of this name in parked/ already; rename one of them.")
                return
            }
            try writeNote(layout.file(.parked, file + ".reason.txt"), why, calls: calls)
            try calls.rename(layout.file(place, file), layout.file(.parked, file))
            try calls.syncFolder(layout.folder(.parked))
            try calls.syncFolder(layout.folder(place))
            report.parked.append(file)
        } catch {
            report.problems.append("\(file): \(error)")
        }
    }

    private func isThere(_ path: String) throws(DurableFileError) -> Bool {
        do {
            _ = try calls.size(path)
            return true
        } catch  where error.isMissing {
            return false
        }
    }

    /// Lists what there is now.
    private mutating func index() {
        var found = Indexed(layout: layout, calls: calls)
        for place in Layout.Place.allCases { found.take(place, where: isConcerned) }
        report.problems += found.problems.filter { !report.problems.contains($0) }
        largestSeq = found.largestSeq
        state = found.state
    }
}

extension String {
    /// The last part of a path.
    var fileName: String { lastIndex(of: "/").map { String(self[index(after: $0)...]) } ?? self }
}
