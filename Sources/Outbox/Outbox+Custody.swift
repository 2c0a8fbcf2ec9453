import DurableFiles
import Wire

// Letting go, in this order:
// 1. Unlink the audio, fsync `out/`. (Start-up takes a manifest without audio for received, and removes it.)
// 2. Unlink the tail journal, if there is one, and the manifest. Were they first, start-up would take the audio for an
//    unfinished recording.
//
// Moving to `parked/` or `sent/`, in this order:
// 1. The note, durably.
// 2. Rename the manifest, then the tail journal, if there is one, then the audio. (Start-up finds what has not
//    followed the manifest, and moves it.)
// 3. fsync the new folder before the old one: a name may be in both for an instant, never in neither.

extension Outbox {
    /// The paired host's receipt for all of its files is checked: the item goes. Does nothing for an item that was
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
            if let tail = item.tailPath { try calls.unlink(tail) }
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
            try writeNote(layout.reason(item.name), reason, calls: calls)
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
        state.withLock { $0.sent.insert(moved(item, to: .sent)) }
    }

    private func moved(_ item: OutboxItem, to place: Layout.Place) -> OutboxItem {
        layout.item(
            place, item.name, item.form, audioBytes: item.audioBytes, manifestBytes: item.manifestBytes,
            tailBytes: item.tailBytes)
    }

    private func move(_ item: OutboxItem, to place: Layout.Place) throws(DurableFileError) {
        let moved = moved(item, to: place)
        try calls.rename(item.manifestPath, moved.manifestPath)
        do throws(DurableFileError) {
            if let from = item.tailPath, let to = moved.tailPath { try calls.rename(from, to) }
            try calls.rename(item.audioPath, moved.audioPath)
        } catch {
            // The item stays where its audio is; should this fail as well, start-up follows the manifest.
            if let from = item.tailPath, let to = moved.tailPath { try? calls.rename(to, from) }
            try? calls.rename(moved.manifestPath, item.manifestPath)
            throw error
        }
        try calls.syncFolder(layout.folder(place))
        try calls.syncFolder(layout.folder(.out))
    }

    /// Takes the item out of the index; false when somebody else has.
    private func claim(_ item: OutboxItem) -> Bool {
        state.withLock { $0.waiting.remove(item.name) } != nil
    }

    private func putBack(_ item: OutboxItem) { state.withLock { $0.waiting.insert(item) } }
}

/// A note for a person. A full card goes without: what it is about matters more.
func writeNote(_ path: String, _ text: String, calls: FileCalls) throws(DurableFileError) {
    do {
        try replace(path, Array((text + "\n").utf8), calls: calls)
    } catch  where error.isCardFull {
        return
    }
}
