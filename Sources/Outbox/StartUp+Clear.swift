import DurableFiles
import Sealing
import Wire

extension StartUp {
    /// Completes a recording that is not sealed: by its whole manifest, or by what salvage makes of it.
    mutating func finishClear(
        _ name: ItemName, _ form: Form, from place: Layout.Place, _ found: Found
    ) throws(DurableFileError) {
        let path = layout.audio(place, name, form)
        let manifestPath = layout.manifest(.rec, name, sealed: false)
        let audio = try calls.open(path, .update(creating: false))
        let whole = found.manifests.contains(.rec) ? manifest(manifestPath) : nil
        if let whole, !whole.sha256.isEmpty, whole.sha256 == (try digest(of: audio).digest.hex) {
            try commit(name, form, from: place, found)
            return
        }
        let salvaged: SalvagedAudio
        do {
            salvaged = try salvage(path, form.format)
        } catch {
            return try park(name, form, from: place, found, why: "It could not be decoded: \(error)")
        }
        switch salvaged {
        case .nothing:
            try calls.unlink(path)
            try calls.syncFolder(layout.folder(place))
            try removeLeftovers(name, found)
            report.removed.append(name)
        case .refused(let reason):
            report.problems.append("\(name): \(reason)")
        case .audio(let frames, let rate, let channels):
            try secure(path)
            let head = whole ?? (found.head ? manifest(layout.head(name, sealed: false)) : nil)
            var final =
                head
                ?? Manifest(nothingKnownOf: name, format: form.format, rate: rate, channels: channels)
            let (digest, bytes) = try digest(of: audio)
            final.sha256 = digest.hex
            final.bytes = bytes
            final.rate = rate
            final.channels = channels
            final.frames = frames
            final.endReason = "recovered"
            final.recovered = true
            let file = try calls.open(manifestPath, .createOrEmpty)
            try file.write(final.encoded())
            try file.sync()
            try commit(name, form, from: place, found)
        }
    }

    /// The manifest in `rec/` is whole: the recording waits from now on.
    mutating func commit(
        _ name: ItemName, _ form: Form, from place: Layout.Place, _ found: Found
    ) throws(DurableFileError) {
        // Whoever wrote them may have been killed before they were synced.
        for path in [layout.audio(place, name, form), layout.manifest(.rec, name, sealed: form.sealed)] {
            try secure(path)
        }
        for path in found.copies + found.unfinished { try calls.unlink(path) }
        try commitFiles(name, form, from: place, layout: layout, calls: calls)
        if found.gap {
            try calls.unlink(layout.gap(name))
            try calls.syncFolder(layout.folder(.out))
        }
        report.recovered.append(name)
    }

    /// Brings a file to the card.
    ///
    /// While the program that wrote it runs it may have to be mended because its sync failed, and a second sync of it
    /// would answer that all is well (`fsync` reports an error once). Then what can be read of it goes into a new file.
    func secure(_ path: String) throws(DurableFileError) {
        let file = try calls.open(path, .update(creating: false))
        guard mendsOwn else { return try file.sync() }
        let copyPath = path + ".copy"
        let copy = try calls.open(copyPath, .createOrEmpty)
        try readPieces(of: file) { (piece, offset) throws(DurableFileError) in
            try copy.write(piece, at: offset)
        }
        try copy.sync()
        try calls.rename(copyPath, path)
    }

    /// Nil for one that is torn: then it is as if there were none.
    private func manifest(_ path: String) -> Manifest? {
        guard let bytes = try? calls.contents(path) else { return nil }
        return try? Manifest(parsing: bytes)
    }
}
