import DurableFiles
import Sealing
import Wire

extension StartUp {
    mutating func act(on name: ItemName, _ found: Found) throws(DurableFileError) {
        switch found.action {
        case .keep(let place):
            try settle(name, found, at: place)
        case .finish(let place):
            guard let form = found.audio?.form else { return }
            if form.sealed {
                try finishSealed(name, form, from: place, found)
            } else {
                try finishClear(name, form, from: place, found)
            }
        case .follow(let from, let to):
            guard let form = found.audio?.form else { return }
            try calls.rename(layout.audio(from, name, form), layout.audio(to, name, form))
            try calls.syncFolder(layout.folder(to))
            try calls.syncFolder(layout.folder(from))
            try settle(name, found, at: to)
        case .restore:
            try calls.rename(layout.gap(name), layout.manifest(.out, name, sealed: false))
            try calls.syncFolder(layout.folder(.out))
            var restored = found
            restored.gap = false
            try settle(name, restored, at: .out)
        case .removeLeftovers:
            try removeLeftovers(name, found)
            report.removed.append(name)
        case .leave:
            break
        }
    }

    /// The audio is at `place`, for good: its manifest and its tail journal belong there, too, and what else is left of
    /// it goes.
    func settle(_ name: ItemName, _ found: Found, at place: Layout.Place) throws(DurableFileError) {
        var touched: Set<Layout.Place> = []
        func move(_ path: String, _ to: String, from old: Layout.Place) throws(DurableFileError) {
            try calls.rename(path, to)
            touched.formUnion([place, old])
        }
        func remove(_ path: String, in old: Layout.Place) throws(DurableFileError) {
            try calls.unlink(path)
            touched.insert(old)
        }
        let sealed = found.sealed
        let manifest = layout.manifest(place, name, sealed: sealed)
        var hasManifest = found.manifests.contains(place)
        let others: [(Bool, String, Layout.Place)] = [
            (
                place != .out && found.manifests.contains(.out),
                layout.manifest(.out, name, sealed: sealed), .out
            ),
            (found.head, layout.head(name, sealed: sealed), .rec),
            (found.manifests.contains(.rec), layout.manifest(.rec, name, sealed: sealed), .rec),
        ]
        for (isThere, path, old) in others where isThere {
            if hasManifest { try remove(path, in: old) } else { try move(path, manifest, from: old) }
            hasManifest = true
        }
        for old in Layout.Place.allCases where old != place && found.tails.contains(old) {
            if !found.tails.contains(place), try isPart(manifest) {
                try move(layout.tail(old, name), layout.tail(place, name), from: old)
            } else {
                try remove(layout.tail(old, name), in: old)
            }
        }
        if found.gap, place == .out { try remove(layout.gap(name), in: .out) }
        for path in found.unfinished + found.copies { try remove(path, in: self.place(of: path)) }
        // What came is on the card before what went is gone from it.
        for each in [place] + Layout.Place.allCases.filter({ $0 != place }) where touched.contains(each) {
            try calls.syncFolder(layout.folder(each))
        }
    }

    /// Whether a tail journal belongs to the manifest at `path`. One that is damaged or gone keeps its journal.
    private func isPart(_ path: String) throws(DurableFileError) -> Bool {
        do {
            guard let header = try calls.sealedHeader(path) else { return true }
            return SealedNote(header).audio == .part
        } catch  where error.isMissing {
            return true
        }
    }

    func removeLeftovers(_ name: ItemName, _ found: Found) throws(DurableFileError) {
        var touched: Set<Layout.Place> = []
        for place in [Layout.Place.out, .rec] {
            var paths: [String] = []
            if found.manifests.contains(place) {
                paths.append(layout.manifest(place, name, sealed: found.sealed))
            }
            if found.tails.contains(place) { paths.append(layout.tail(place, name)) }
            if place == .rec, found.head { paths.append(layout.head(name, sealed: found.sealed)) }
            paths += (found.unfinished + found.copies).filter { self.place(of: $0) == place }
            for path in paths { try calls.unlink(path) }
            if !paths.isEmpty { touched.insert(place) }
        }
        for place in Layout.Place.allCases where touched.contains(place) {
            try calls.syncFolder(layout.folder(place))
        }
    }

    private func place(of path: String) -> Layout.Place {
        Layout.Place.allCases.first { folder(of: path) == layout.folder($0) } ?? .rec
    }

    /// Keeps what nobody can make sense of, with what belongs to it.
    mutating func park(
        _ name: ItemName, _ form: Form, from place: Layout.Place, _ found: Found, why: String
    ) throws(DurableFileError) {
        try writeNote(layout.reason(name), why, calls: calls)
        let sealed = form.sealed
        if found.manifests.contains(.rec) || found.head {
            let known =
                found.head
                ? layout.head(name, sealed: sealed) : layout.manifest(.rec, name, sealed: sealed)
            try calls.rename(known, layout.manifest(.parked, name, sealed: sealed))
        }
        for old in Layout.Place.allCases where found.tails.contains(old) && old != .parked {
            try calls.rename(layout.tail(old, name), layout.tail(.parked, name))
        }
        try calls.rename(layout.audio(place, name, form), layout.audio(.parked, name, form))
        try calls.syncFolder(layout.folder(.parked))
        if found.head { try calls.unlink(layout.manifest(.rec, name, sealed: sealed)) }
        for path in found.copies { try calls.rename(path, layout.file(.parked, path.fileName)) }
        for path in found.unfinished { try calls.unlink(path) }
        try calls.syncFolder(layout.folder(.rec))
        if place != .rec { try calls.syncFolder(layout.folder(place)) }
        report.parked.append(layout.audio(place, name, form).fileName)
    }
}
