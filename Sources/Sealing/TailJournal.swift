// Invariants
//   1. A record begins on a slot of its own: writing one changes no block of an older one.
//   2. What is in a box decides: it holds the sum of its frame. The frame itself, in the clear, can be damaged or lie.
//   3. A record may be overwritten only when the chunks that its bytes belong to are on the card.
//   4. A record says whose it is, so a journal file that is used again gives up nothing of its last recording.

/// The seconds of a recording that are not on the card yet, beside its part file.
///
/// A chunk is sealed when its 64 KiB are there, which are 22 s of speech at 24 kb/s. Until it is on the card each second's
/// plain bytes are in this journal, as a record: a clear frame, then the bytes in a sealed box for each recipient. A
/// record may begin in one chunk and end in the next.
package enum TailJournal {
    /// A record begins at a multiple of this: a block of the card and of the file systems used on it.
    package static let slot = 4_096
    /// The most boxes a record may have; more are taken for damage.
    static let mostBoxes = 32

    /// Plain bytes, sealed; a multiple of `slot` long.
    ///
    /// - Parameters:
    ///   - utterance: its id, 16 bytes.
    ///   - position: of the first byte in the recording.
    ///   - plain: at most as many as a chunk has.
    package static func record(
        utterance: [UInt8], position: Int, _ plain: UnsafeRawBufferPointer, to recipients: [AgeRecipient]
    ) -> [UInt8] {
        precondition((1...mostBoxes).contains(recipients.count), "a record is for 1 to 32 recipients")
        precondition(position >= 0 && plain.count <= AgeChunk.plain, "a record holds at most a chunk")
        let frame = TailFrame(
            utterance: utterance, position: position, count: plain.count, boxes: recipients.count)
        var record = frame.bytes
        for recipient in recipients { record += TailBox.seal(plain, under: frame, to: recipient) }
        record += [UInt8](repeating: 0, count: slots(record.count) - record.count)
        return record
    }

    /// What of a record is not padding: only these bytes need be written, whatever follows them in their slot.
    package static func bytes(ofRecord plain: Int, recipients: Int) -> Int {
        TailFrame.count + recipients * (TailBox.overhead + plain)
    }

    /// The records of an utterance, found by their clear frames: for a device, which cannot open them. The ranges are
    /// whole slots, except at the journal's end. Records of other utterances and damaged frames are left out.
    package static func records(in journal: [UInt8], of utterance: [UInt8]) -> [Range<Int>] {
        frames(in: journal, of: utterance).map { found in
            found.at..<min(found.at + slots(found.frame.recordBytes), journal.count)
        }
    }

    /// Only those records, each padded with zeros to whole slots: what is kept of a journal file that is used again.
    package static func compact(_ journal: [UInt8], of utterance: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        for (at, frame) in frames(in: journal, of: utterance) {
            kept += journal[at..<(at + frame.recordBytes)]
            kept += [UInt8](repeating: 0, count: slots(kept.count) - kept.count)
        }
        return kept
    }

    static func frames(in journal: [UInt8], of utterance: [UInt8]) -> [(at: Int, frame: TailFrame)] {
        var found: [(at: Int, frame: TailFrame)] = []
        var at = 0
        while at < journal.count {
            if let frame = TailFrame(journal[at...]), frame.utterance == utterance,
                at + frame.recordBytes <= journal.count
            {
                found.append((at, frame))
                at += slots(frame.recordBytes)
            } else {
                at += slot
            }
        }
        return found
    }

    /// Rounded up to whole slots.
    static func slots(_ bytes: Int) -> Int { (bytes + slot - 1) / slot * slot }
}
