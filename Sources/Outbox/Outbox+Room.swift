import DurableFiles
import Wire

// Dropping, in this order, so that a crash anywhere leaves a whole item or a gap record, never neither:
// 1. Rename the manifest to the gap record, and fsync `out/`. (Start-up finds audio with a gap record and undoes it.)
// 2. Unlink the audio, and fsync `out/`: only then is its room counted as free.

extension Outbox {
    /// Whether a new recording may begin. Drops nothing: with `dropOldest` room that a drop would make counts.
    package func room() throws(OutboxError) -> Room {
        let (free, total) = try space()
        let used = state.withLock { state in
            switch limits.full {
            case .refuse: (state.used, 0)
            case .dropOldest:
                (state.used, (state.waiting + state.sent).reduce(0) { $0 + $1.bytes })
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
        var manifest =
            (try? Manifest(parsing: bytes))
            ?? Manifest(
                utterance: gap.name.id, seq: gap.name.seq,
                start: Manifest.Stamp(monotonic: 0, boot: 0, wall: 0), format: "", rate: 0, channels: 0)
        manifest.kind = .gap(lost: [gap.name.seq])
        return manifest
    }

    private func space() throws(OutboxError) -> (free: Int, total: Int) {
        do { return try calls.space(directory) } catch { throw OutboxError(error) }
    }

    /// False when there is nothing to drop.
    private func dropOldest() throws(OutboxError) -> Bool {
        let claimed = state.withLock { state -> (item: OutboxItem, acknowledged: Bool)? in
            if !state.sent.isEmpty { return (state.sent.removeFirst(), true) }
            return state.waiting.isEmpty ? nil : (state.waiting.removeFirst(), false)
        }
        guard let (item, acknowledged) = claimed else { return false }
        do {
            if acknowledged {
                try calls.unlink(item.audioPath)
                try calls.unlink(item.manifestPath)
                try calls.syncFolder(layout.folder(.sent))
            } else {
                let gap = layout.gap(item.name)
                try calls.rename(item.manifestPath, gap)
                state.withLock {
                    $0.gaps.append(
                        OutboxGap(name: item.name, manifestPath: gap, bytes: item.manifestBytes))
                }
                try calls.syncFolder(layout.folder(.out))
                try calls.unlink(item.audioPath)
                try calls.syncFolder(layout.folder(.out))
            }
        } catch {
            throw OutboxError(error)
        }
        return true
    }
}
