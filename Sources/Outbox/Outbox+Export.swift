import DurableFiles
import Sealing

// Invariants
// 1. Nothing in the outbox is changed, and no lock is needed for reading it: a running device is not disturbed.
// 2. A file in the target folder is whole, on the card, and has been read back; until then it is `NAME.part`.
// 3. A file that is in the target folder already is never overwritten: an equal one is left, a different one makes
//    the copy fail.

extension Outbox {
    /// Copies everything out of the outbox at `directory`: finished, parked and acknowledged recordings, their
    /// manifests, tail journals, gap records and notes; recordings in progress only when no device is running.
    /// What is sealed is copied as it is.
    ///
    /// What a running device lets go meanwhile is with the host and is left out.
    /// - Returns: the names of the files that are in `target` now.
    /// - Throws: `exportIncomplete` after everything that can be copied has been.
    package static func export(
        directory: String, to target: String, calls: FileCalls = .system
    ) throws(OutboxError) -> [String] {
        let layout = Layout(directory: directory)
        var copied: [String] = []
        var failed: [String] = []
        do {
            try calls.makeFolders(target)
            for place in Layout.Place.allCases {
                if place == .rec, try isRunning(layout, calls) { continue }
                for file in try calls.list(layout.folder(place)) where FileKind(file) != .spareTail {
                    do {
                        try copy(layout.file(place, file), to: "\(target)/\(file)", calls)
                        copied.append(file)
                    } catch  where error.isMissing {
                        continue
                    } catch {
                        failed.append("\(place.rawValue)/\(file) (\(error))")
                    }
                }
            }
            try calls.syncFolder(target)
        } catch {
            throw OutboxError(error)
        }
        if !failed.isEmpty { throw .exportIncomplete(failed: failed) }
        return copied.sorted()
    }

    /// Copies everything out of this outbox, beside whatever it is doing.
    package func export(to target: String) throws(OutboxError) -> [String] {
        try Self.export(directory: directory, to: target, calls: calls)
    }

    /// Whether a device holds the outbox. Gives the lock back at once.
    private static func isRunning(_ layout: Layout, _ calls: FileCalls) throws(DurableFileError) -> Bool {
        do {
            return try !calls.open(layout.lock, .update(creating: false)).lock()
        } catch  where error.isMissing {
            return false
        }
    }

    private static func copy(_ from: String, to: String, _ calls: FileCalls) throws(DurableFileError) {
        let source = try calls.open(from, .read)
        do throws(DurableFileError) {
            let there = try calls.open(to, .read)
            guard try digest(of: there).digest == digest(of: source).digest else {
                throw DurableFileError(.create, to, DurableFileError.exists)
            }
            return
        } catch  where error.isMissing {
            // Not there yet: copy it.
        }
        let part = to + ".part"
        let copy = try calls.open(part, .createOrEmpty)
        var hash = SHA256()
        try readPieces(of: source) { (piece, _) throws(DurableFileError) in
            hash.update(piece)
            try copy.write(piece)
        }
        try copy.sync()
        guard try digest(of: copy).digest == hash.finish() else {
            throw DurableFileError(.read, to, DurableFileError.damaged)
        }
        try calls.rename(part, to)
    }
}
