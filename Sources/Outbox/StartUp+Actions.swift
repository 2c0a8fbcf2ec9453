import DurableFiles
import Sealing
import Wire

extension StartUp {
    mutating func act(on name: ItemName, _ found: Found) throws(DurableFileError) {
        switch found.action {
        case .keep:
            if found.audio?.place == .out { try tidy(name, found) }
        case .finish(let place):
            guard let format = found.audio?.format else { return }
            try finish(name, format, from: place, found)
        case .follow(let from, let to):
            guard let format = found.audio?.format else { return }
            try calls.rename(layout.audio(from, name, format), layout.audio(to, name, format))
            try calls.syncFolder(layout.folder(to))
            try calls.syncFolder(layout.folder(from))
            try tidy(name, found)
        case .restore:
            try calls.rename(layout.gap(name), layout.manifest(.out, name))
            try calls.syncFolder(layout.folder(.out))
            try tidy(name, found)
        case .removeLeftovers:
            try removeLeftovers(name, found)
            report.removed.append(name)
        }
    }

    /// The recording is whole elsewhere: what is left of it in `rec/` goes, and a gap record beside it is wrong.
    private func tidy(_ name: ItemName, _ found: Found) throws(DurableFileError) {
        if found.gap, found.manifests.contains(.out) {
            try calls.unlink(layout.gap(name))
            try calls.syncFolder(layout.folder(.out))
        }
        guard found.head || found.manifests.contains(.rec) else { return }
        try calls.unlink(layout.manifest(.rec, name))
        try calls.unlink(layout.head(name))
        try calls.syncFolder(layout.folder(.rec))
    }

    private func removeLeftovers(_ name: ItemName, _ found: Found) throws(DurableFileError) {
        if found.manifests.contains(.out) {
            try calls.unlink(layout.manifest(.out, name))
            try calls.syncFolder(layout.folder(.out))
        }
        guard found.head || found.manifests.contains(.rec) else { return }
        try calls.unlink(layout.manifest(.rec, name))
        try calls.unlink(layout.head(name))
        try calls.syncFolder(layout.folder(.rec))
    }

    private mutating func finish(
        _ name: ItemName, _ format: String, from place: Layout.Place, _ found: Found
    ) throws(DurableFileError) {
        let path = layout.audio(place, name, format)
        let audio = try calls.open(path, .update(creating: false))
        let whole = found.manifests.contains(.rec) ? manifest(layout.manifest(.rec, name)) : nil
        if let whole, !whole.sha256.isEmpty, whole.sha256 == (try digest(of: audio).digest.hex) {
            try commitFiles(name, format, from: place, layout: layout, calls: calls)
            report.recovered.append(name)
            return
        }
        let salvaged: SalvagedAudio
        do {
            salvaged = try salvage(path, format)
        } catch {
            return try park(name, format, from: place, found, why: "It could not be decoded: \(error)")
        }
        switch salvaged {
        case .nothing:
            try calls.unlink(path)
            try calls.syncFolder(layout.folder(place))
            try removeLeftovers(name, found)
            report.removed.append(name)
        case .audio(let frames, let rate, let channels):
            try audio.sync()
            let head = whole ?? (found.head ? manifest(layout.head(name)) : nil)
            var final =
                head
                ?? Manifest(
                    utterance: name.id, seq: name.seq, start: Manifest.Stamp(monotonic: 0, boot: 0, wall: 0),
                    format: format, rate: rate, channels: channels)
            let (digest, bytes) = try digest(of: audio)
            final.sha256 = digest.hex
            final.bytes = bytes
            final.rate = rate
            final.channels = channels
            final.frames = frames
            final.endReason = "recovered"
            final.recovered = true
            let file = try calls.open(layout.manifest(.rec, name), .createOrEmpty)
            try file.write(final.encoded())
            try file.sync()
            try commitFiles(name, format, from: place, layout: layout, calls: calls)
            report.recovered.append(name)
        }
    }

    /// Keeps what cannot be decoded, with its manifest if it has one.
    private mutating func park(
        _ name: ItemName, _ format: String, from place: Layout.Place, _ found: Found, why: String
    ) throws(DurableFileError) {
        try writeNote(layout.file(.parked, "\(name).reason.txt"), why, calls: calls)
        if found.manifests.contains(.rec) || found.head {
            let known = found.head ? layout.head(name) : layout.manifest(.rec, name)
            try calls.rename(known, layout.manifest(.parked, name))
        }
        try calls.rename(layout.audio(place, name, format), layout.audio(.parked, name, format))
        try calls.syncFolder(layout.folder(.parked))
        try calls.unlink(layout.manifest(.rec, name))
        try calls.syncFolder(layout.folder(.rec))
        if place != .rec { try calls.syncFolder(layout.folder(place)) }
        report.parked.append("\(name).\(format)")
    }

    /// Nil for one that is torn: then it is as if there were none.
    private func manifest(_ path: String) -> Manifest? {
        guard let bytes = try? calls.contents(path) else { return nil }
        return try? Manifest(parsing: bytes)
    }
}
