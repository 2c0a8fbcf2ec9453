import DurableFiles
import Wire

// Letting go, in this order:
// 1. Unlink the audio, fsync `out/`. (Start-up takes a manifest without audio for received, and removes it.)
// 2. Unlink the manifest. Were it first, start-up would take the audio for an unfinished recording.
//
// Moving to `parked/` or `sent/`, in this order:
// 1. The note, durably.
// 2. Rename the manifest, then the audio. (Start-up finds audio whose manifest has gone ahead, and follows.)
// 3. fsync the new folder before the old one: a name may be in both for an instant, never in neither.

extension Outbox {
    /// The paired host's receipt for both files is checked: the item goes. Does nothing for an item that was
    /// dropped meanwhile.
    package func letGo(_ item: OutboxItem) throws(OutboxError) {
        guard claim(item) else { return }
        do {
            try calls.unlink(item.audioPath)
        } catch {
            putBack(item)
            throw OutboxError(error)
        }
        do {
            try calls.syncFolder(layout.folder(.out))
            try calls.unlink(item.manifestPath)
        } catch {
            throw OutboxError(error)
        }
    }

    /// The host knows of the gap: its record goes.
    package func letGo(_ gap: OutboxGap) throws(OutboxError) {
        do {
            try calls.unlink(gap.manifestPath)
            try calls.syncFolder(layout.folder(.out))
        } catch {
            throw OutboxError(error)
        }
        state.withLock { $0.gaps.removeAll { $0.name == gap.name } }
    }

    /// The host refused it for good: it moves to `parked/` with the reason as a text beside it, and no longer
    /// stands in the way of the others.
    package func park(_ item: OutboxItem, reason: String) throws(OutboxError) {
        guard claim(item) else { return }
        do {
            try writeNote(layout.file(.parked, "\(item.name).reason.txt"), reason, calls: calls)
            try move(item, to: .parked)
        } catch {
            putBack(item)
            throw OutboxError(error)
        }
        state.withLock {
            $0.parked += 1
            $0.parkedBytes += item.bytes
        }
    }

    /// A foreign server has acknowledged it: it moves to `sent/` and stays until room is needed.
    package func setAside(_ item: OutboxItem) throws(OutboxError) {
        guard claim(item) else { return }
        do {
            try move(item, to: .sent)
        } catch {
            putBack(item)
            throw OutboxError(error)
        }
        let moved = OutboxItem(
            name: item.name, format: item.format, audioPath: layout.audio(.sent, item.name, item.format),
            manifestPath: layout.manifest(.sent, item.name), audioBytes: item.audioBytes,
            manifestBytes: item.manifestBytes)
        state.withLock { $0.sent.insertInOrder(moved) }
    }

    private func move(_ item: OutboxItem, to place: Layout.Place) throws(DurableFileError) {
        try calls.rename(item.manifestPath, layout.manifest(place, item.name))
        do {
            try calls.rename(item.audioPath, layout.audio(place, item.name, item.format))
        } catch {
            // The item stays where its audio is; should this fail as well, start-up follows the manifest.
            try? calls.rename(layout.manifest(place, item.name), item.manifestPath)
            throw error
        }
        try calls.syncFolder(layout.folder(place))
        try calls.syncFolder(layout.folder(.out))
    }

    /// Takes the item out of the index; false when somebody else has.
    private func claim(_ item: OutboxItem) -> Bool {
        state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0.name == item.name }) else { return false }
            state.waiting.remove(at: index)
            return true
        }
    }

    private func putBack(_ item: OutboxItem) { state.withLock { $0.waiting.insertInOrder(item) } }
}

/// A note for a person. A full card goes without: what it is about matters more.
func writeNote(_ path: String, _ text: String, calls: FileCalls) throws(DurableFileError) {
    do {
        try replace(path, Array((text + "\n").utf8), calls: calls)
    } catch  where error.isCardFull {
        return
    }
}
