import DurableFiles
import Sealing
import Wire

// Keeping what a crash left of a sealed recording. The device cannot open it; what it holds stays as it is.
//
// Invariants
// 1. Whatever a `sync` brought to the card goes to the host: the part file with its chunks, the records of the tail
//    journal, the head manifest.
// 2. A part that waits has a tail journal beside it, if only an empty one, so that the host knows what to wait for.
// 3. A sealed manifest called `.json.age` in `rec/` is whole and on the card; its header holds the audio's hash.
//
// Order
// 1. Cut the audio to its size (the reservation goes back) and fsync it.
// 2. Put the records of the tail journal alone into a new file, durably, in the old one's place.
// 3. fsync the head manifest; one that is torn or missing is made anew, with the name alone, sealed to the recipients
//    that the audio's header names.
// 4. Rename the audio, then the journal, then the head as the manifest into `out/`: the commit point.
// 5. Unlink the space of the unwritten manifest. fsync `out/`, then `rec/`.
// Each step can be done twice: a crash in between begins again.

extension StartUp {
    mutating func finishSealed(
        _ name: ItemName, _ form: Form, from place: Layout.Place, _ found: Found
    ) throws(DurableFileError) {
        let path = layout.audio(place, name, form)
        let audio = try calls.open(path, .update(creating: false))
        if found.manifests.contains(.rec), try manifestFits(name, audio) {
            return try commit(name, form, from: place, found)
        }
        let journal = try journal(of: name, found)
        switch try remains(of: audio, journal) {
        case .nothing:
            try calls.unlink(path)
            try calls.syncFolder(layout.folder(place))
            try removeLeftovers(name, found)
            report.removed.append(name)
        case .part(let recipients):
            guard try headIsWhole(name, found) || !recipients.isEmpty else {
                return try park(
                    name, form, from: place, found,
                    why: "Its head is torn, and it does not say whom it is sealed to.")
            }
            try audio.truncate(to: audio.size())
            try secure(path)
            try prepareJournal(journal, name, found)
            try prepareHead(name, form, recipients, found)
            try commitPart(name, form, from: place, found)
            report.recovered.append(name)
        case .unreadable:
            try park(
                name, form, from: place, found,
                why: "Its beginning is damaged and it has no tail journal: nobody can open it.")
        }
    }

    private enum Remains {
        /// No byte of sound reached the card.
        case nothing
        /// `recipients`: those that the audio's header names; none when it is torn.
        case part(recipients: [AgeRecipient])
        case unreadable
    }

    private func remains(
        of audio: borrowing OpenFile, _ journal: [UInt8]
    ) throws(DurableFileError) -> Remains {
        let header: AgeHeader?
        var begin: [UInt8] = []
        try audio.read(onto: &begin, upTo: AgeHeader.longest)
        do { header = try AgeHeader.parse(begin) } catch {
            if !journal.isEmpty { return .part(recipients: []) }
            return try isZero(audio, from: 0) ? .nothing : .unreadable
        }
        let recipients = header.map { SealedNote($0).recipients } ?? []
        if !journal.isEmpty { return .part(recipients: recipients) }
        // The header is written before any sound: where it is cut off, there is none.
        guard let header else { return .nothing }
        return try isZero(audio, from: header.payloadStart) ? .nothing : .part(recipients: recipients)
    }

    private func isZero(_ file: borrowing OpenFile, from start: Int) throws(DurableFileError) -> Bool {
        var zero = true
        try readPieces(of: file) { (piece, offset) throws(DurableFileError) in
            if zero { zero = piece.dropFirst(max(0, start - offset)).allSatisfy { $0 == 0 } }
        }
        return zero
    }

    private func manifestFits(
        _ name: ItemName, _ audio: borrowing OpenFile
    ) throws(DurableFileError) -> Bool {
        guard let header = try calls.sealedHeader(layout.manifest(.rec, name, sealed: true)),
            case .whole(let sha256, let bytes) = SealedNote(header).audio
        else { return false }
        return try digest(of: audio) == (sha256, bytes)
    }

    /// The records of this recording in its tail journal, wherever that is.
    private func journal(of name: ItemName, _ found: Found) throws(DurableFileError) -> [UInt8] {
        guard let utterance = hexBytes(name.id) else { return [] }
        for place in [Layout.Place.rec, .out] where found.tails.contains(place) {
            let records = TailJournal.compact(
                try calls.contents(layout.tail(place, name)), of: utterance)
            if !records.isEmpty { return records }
        }
        return []
    }

    private func prepareJournal(
        _ journal: [UInt8], _ name: ItemName, _ found: Found
    ) throws(DurableFileError) {
        // In `out/` it was prepared before.
        if found.tails.contains(.out) { return }
        let empty = [UInt8](repeating: 0, count: TailJournal.slot)
        try replace(layout.tail(.rec, name), journal.isEmpty ? empty : journal, calls: calls)
    }

    private func headIsWhole(_ name: ItemName, _ found: Found) throws(DurableFileError) -> Bool {
        guard found.head else { return false }
        return SealedNote.isWholeHead(try calls.contents(layout.head(name, sealed: true)))
    }

    private func prepareHead(
        _ name: ItemName, _ form: Form, _ recipients: [AgeRecipient], _ found: Found
    ) throws(DurableFileError) {
        let path = layout.head(name, sealed: true)
        if try headIsWhole(name, found) {
            try secure(path)
        } else {
            let manifest = Manifest(nothingKnownOf: name, format: form.format)
            try replace(path, SealedNote.head(manifest.encoded(), to: recipients), calls: calls)
        }
    }

    private func commitPart(
        _ name: ItemName, _ form: Form, from place: Layout.Place, _ found: Found
    ) throws(DurableFileError) {
        if place != .out { try calls.rename(layout.audio(place, name, form), layout.audio(.out, name, form)) }
        if found.tails.contains(.out) {
            if found.tails.contains(.rec) { try calls.unlink(layout.tail(.rec, name)) }
        } else {
            try calls.rename(layout.tail(.rec, name), layout.tail(.out, name))
        }
        try calls.rename(layout.head(name, sealed: true), layout.manifest(.out, name, sealed: true))
        if found.manifests.contains(.rec) { try calls.unlink(layout.manifest(.rec, name, sealed: true)) }
        for path in found.unfinished + found.copies { try calls.unlink(path) }
        if found.gap { try calls.unlink(layout.gap(name)) }
        try calls.syncFolder(layout.folder(.out))
        try calls.syncFolder(layout.folder(.rec))
    }
}
