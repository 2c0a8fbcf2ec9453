import DurableFiles
import Wire

// Dropping, in this order, so that a crash anywhere leaves a whole item or a gap record, never neither:
// 1. Rename the manifest to the gap record, and fsync `out/`. (Start-up finds audio with a gap record and undoes it.)
//    Of a sealed item the record is written anew, durably, with no more than its name: the sealed manifest stays.
// 2. Unlink the audio, and fsync `out/`: only then is its room counted as free.
// 3. Unlink the sealed manifest and the tail journal. (Start-up removes them: there is no audio.)

extension Outbox {
    /// Whether a new recording may begin. Drops nothing: with `dropOldest` room that a drop would make counts.
    package func room() throws(OutboxError) -> Room {
        let (free, total) = try space()
        let used = state.withLock { state in
            switch limits.full {
            case .refuse: (state.used, 0)
            case .dropOldest:
                (state.used, state.waiting.bytes + state.sent.bytes)
            }
        }
        return limits.room(
            for: limits.headroomPerRecording, used: used.0 - used.1, free: free + used.1, total: total)
    }

    /// Finds room for `needed` more bytes, of which the recording `name` now reserves `reserving`.
    /// Under `dropOldest` that may unlink files and sync their folder.
    func claimRoom(for name: ItemName, needed: Int, reserving: Int) throws(OutboxError) {
        while true {
            let (free, total) = try space()
            let room = state.withLock { state in
                let room = limits.room(for: needed, used: state.used, free: free, total: total)
                if case .available = room { state.recording[name, default: 0] += reserving }
                return room
            }
            switch room {
            case .available: return
            case .refused(let refusal):
                switch limits.full {
                case .refuse: throw .refused(refusal)
                case .dropOldest: if try !dropOldest() { throw .refused(refusal) }
                }
            }
        }
    }

    /// What the host is told of a gap: the dropped utterance's manifest, as a gap that lost this one.
    package func manifest(of gap: OutboxGap) throws(OutboxError) -> Manifest {
        let bytes: [UInt8]
        do { bytes = try calls.contents(gap.manifestPath) } catch { throw OutboxError(error) }
        // A torn record still says which one is lost.
        var manifest = (try? Manifest(parsing: bytes)) ?? Manifest(nothingKnownOf: gap.name, format: "")
        manifest.kind = .gap(lost: [gap.name.seq])
        return manifest
    }

    private func space() throws(OutboxError) -> (free: Int, total: Int) {
        do { return try calls.space(directory) } catch { throw OutboxError(error) }
    }

    /// False when there is nothing to drop.
    private func dropOldest() throws(OutboxError) -> Bool {
        let claimed = state.withLock { state -> (item: OutboxItem, acknowledged: Bool)? in
            if let item = state.sent.removeFirst() { return (item, true) }
            return state.waiting.removeFirst().map { ($0, false) }
        }
        guard let (item, acknowledged) = claimed else { return false }
        do {
            if acknowledged { try drop(item, from: .sent) } else { try dropUnsent(item) }
        } catch {
            throw OutboxError(error)
        }
        return true
    }

    private func dropUnsent(_ item: OutboxItem) throws(DurableFileError) {
        let path = layout.gap(item.name)
        var bytes = item.manifestBytes
        do {
            if item.sealed {
                var record = Manifest(nothingKnownOf: item.name, format: "")
                record.kind = .gap(lost: [item.name.seq])
                let text = record.encoded()
                bytes = text.count
                try replace(path, text, calls: calls)
            } else {
                try calls.rename(item.manifestPath, path)
            }
        } catch {
            // Nothing happened to it yet.
            state.withLock { $0.waiting.insert(item) }
            throw error
        }
        let gap = OutboxGap(name: item.name, manifestPath: path, bytes: bytes)
        state.withLock { $0.gaps.append(gap) }
        if !item.sealed { try calls.syncFolder(layout.folder(.out)) }
        try calls.unlink(item.audioPath)
        try calls.syncFolder(layout.folder(.out))
        guard item.sealed else { return }
        if let tail = item.tailPath { try calls.unlink(tail) }
        try calls.unlink(item.manifestPath)
    }

    private func drop(_ item: OutboxItem, from place: Layout.Place) throws(DurableFileError) {
        try calls.unlink(item.audioPath)
        if let tail = item.tailPath { try calls.unlink(tail) }
        try calls.unlink(item.manifestPath)
        try calls.syncFolder(layout.folder(place))
    }
}

extension Manifest {
    /// For a recording of which only the name is left.
    init(nothingKnownOf name: ItemName, format: String, rate: Int = 0, channels: Int = 0) {
        self.init(
            utterance: name.id, seq: name.seq, start: Stamp(monotonic: 0, boot: 0, wall: 0), format: format,
            rate: rate, channels: channels)
    }
}
