import Glibc
import Sealing

extension FuzzTarget {
    /// A header is read from its own bytes alone, and from no fewer.
    static let ageHeader = FuzzTarget(name: "age-header", longest: 2_048) {
        let note = AgeStanza(type: "lapel-audio", arguments: [sampleHash, "12345"], body: [1, 2, 3])
        return [
            Sample.one.sealed(0),
            AgeSealer.seal([1], to: [Sample.one.recipient, Sample.other.recipient], notes: [note]),
            Array("age-encryption.org/v1\n-> X25519 a\nAA\n--- AAAA\n".utf8),
        ]
    } check: { input, _ in
        guard let header = try? AgeHeader.parse(input) else { return }
        try must(header.bytes <= input.count, "a header ends where it was read")
        try must(!header.stanzas.isEmpty, "a header has a stanza")
        let again = try? AgeHeader.parse(Array(input[..<header.bytes]))
        try must(again?.stanzas == header.stanzas, "what follows a header does not change it")
        let less = try AgeHeader.parse(Array(input[..<(header.bytes - 1)]))
        try must(less == nil, "a part of a header is no header")
        for stanza in header.stanzas {
            let copy = AgeStanza(type: stanza.type, arguments: stanza.arguments, body: stanza.body)
            try must(copy == stanza, "a stanza that was read can be written")
        }
        let opened = try? AgeOpener.open(input, with: [Sample.stranger.identity])
        try must(opened == nil, "a key opens nothing that is not sealed to it")
    }

    /// Keys have one spelling; a file of keys gives the keys that stand in it.
    static let ageKeys = FuzzTarget(name: "age-keys", longest: 512) {
        let (recipient, identity) = (Sample.one.recipient.description, Sample.one.identity.text)
        let file: [UInt8] = Sample.one.identity.file() + [10, 13, 10] + Sample.stranger.identity.file()
        return [[0] + Array(recipient.utf8), [1] + Array(identity.utf8), [2] + file]
    } check: { input, _ in
        let body = Array(input.dropFirst())
        let text = String(decoding: body, as: UTF8.self)
        switch input.first.map({ $0 % 3 }) {
        case 0:
            guard let recipient = AgeRecipient(text) else { return }
            try must(recipient.description == text, "a recipient has one spelling")
            let sealed = AgeSealer.seal([1, 2, 3], to: [recipient])
            try must(try AgeHeader.parse(sealed) != nil, "whatever is a recipient can be sealed to")
        case 1:
            guard let identity = AgeIdentity(text) else { return }
            try must(identity.text == text, "an identity has one spelling")
            let sealed = AgeSealer.seal([1, 2, 3], to: [identity.recipient])
            try must(
                try AgeOpener.open(sealed, with: [identity]) == [1, 2, 3], "an identity opens what is its own"
            )
        case 2:
            guard let identities = try? AgeIdentity.parse(file: body) else { return }
            try must(identities.allSatisfy { text.contains($0.text) }, "keys of a file stand in it")
        default: return
        }
    }

    /// A sealed file that was changed in any way gives a part of what was sealed and says that it is not whole.
    static let ageFile = FuzzTarget(name: "age-file", longest: 128) {
        (0..<UInt8(Sample.sizes.count)).map { [$0] } + [
            [4, 3, 1, 0, 0, 200, 1], [6, 4, 4, 0, 1], [5, 0, 7, 1],
        ]
    } check: { input, _ in
        var input = FuzzInput(input)
        let size = input.number(below: Sample.sizes.count)
        let (ours, other) = (Sample.one.sealed(size), Sample.other.sealed(size))
        var file = ours
        let piece = [70_000, 65_552, 65_551, 1_000, 16, 65_536][input.number(below: 6)]
        while !input.isAtEnd { edit(&file, with: other, &input) }
        let (plain, isWhole) = opened(file, piece: piece)
        let (first, second) = (Sample.one.plain(size), Sample.other.plain(size))
        try must(
            first.starts(with: plain) || second.starts(with: plain), "nothing comes out that was not sealed")
        try must(!isWhole || file == ours || file == other, "a file that was changed is not whole")
        try must(file != ours || isWhole && plain == first, "a file that was not changed is whole")
    }

    /// What is put together of a part file and a tail journal, both damaged, is the beginning of what was recorded.
    static let tail = FuzzTarget(name: "tail", longest: 256) {
        [[], [0, 2, 0, 200, 1, 3], [1, 2, 3, 4], [2, 0, 0], [3, 0, 1, 0, 2]]
    } check: { input, _ in
        var input = FuzzInput(input)
        var part = Part.sample.file
        var journal = Part.sample.journal
        while !input.isAtEnd {
            if input.byte() & 1 == 0 {
                edit(&part, with: Sample.other.sealed(6), &input)
            } else {
                editSlots(of: &journal, &input)
            }
        }
        let ranges = TailJournal.records(in: journal, of: Part.utterance)
        let isInOrder = zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound }
        let isInside = ranges.allSatisfy {
            $0.upperBound <= journal.count && $0.lowerBound % TailJournal.slot == 0
        }
        try must(isInOrder && isInside, "records stand in slots, one after the other")
        let compact = TailJournal.compact(journal, of: Part.utterance)
        try must(same(TailJournal.compact(compact, of: Part.utterance), compact), "compacting once is enough")
        let all = assembled(part, journal)
        let again = assembled(part, compact)
        try must(same(all ?? [], again ?? []) && (all == nil) == (again == nil), "compacting loses nothing")
        guard let all else { return }
        try must(isRecorded(all), "only what was recorded is put together")
        let isUnharmed = same(part, Part.sample.file) && same(journal, Part.sample.journal)
        try must(!isUnharmed || same(all, Part.sample.plain), "without damage nothing is missing")
    }

    /// The beginning of the recording. A journal does not say whose part file stands beside it: where an edit put the
    /// other one's there, its chunks come first.
    private static func isRecorded(_ all: [UInt8]) -> Bool {
        let (own, other) = (Part.sample.plain, Sample.other.plain(6))
        if begins(own, with: all) || begins(other, with: all) { return true }
        return (1...2).contains { chunks in
            let from = chunks * AgeSealer.chunkBytes
            let rest = own.dropFirst(from).prefix(all.count - from)
            return all.count > from && begins(other, with: Array(all[..<from]))
                && same(Array(all[from...]), Array(rest))
        }
    }

    /// Nil when the keys do not fit.
    private static func assembled(_ part: [UInt8], _ journal: [UInt8]) -> [UInt8]? {
        var plain: [UInt8] = []
        let read = { (offset: Int, buffer: UnsafeMutableRawBufferPointer) -> Int in
            let count = min(buffer.count, part.count - offset)
            part.withUnsafeBytes {
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset...].prefix(count)))
            }
            return count
        }
        let result = try? assemble(
            part: read, tail: journal, utterance: Part.utterance, identities: [Sample.one.identity],
            into: { plain += $0 })
        return result == nil ? nil : plain
    }

    /// Everything that comes out before an error, and whether the opener says that the file is whole.
    private static func opened(_ file: [UInt8], piece: Int) -> (plain: [UInt8], isWhole: Bool) {
        var plain: [UInt8] = []
        var opener = AgeOpener(identities: [Sample.one.identity])
        do {
            try file.withUnsafeBytes { bytes in
                for start in stride(from: 0, to: bytes.count, by: piece) {
                    let part = bytes[start..<min(start + piece, bytes.count)]
                    try opener.open(UnsafeRawBufferPointer(rebasing: part)) { plain += $0 }
                }
            }
            try opener.finish { plain += $0 }
            return (plain, true)
        } catch {
            return (plain, false)
        }
    }
}

/// As the operators do, in a fraction of the time: what a sanitizer sees is one call.
private func begins(_ whole: [UInt8], with part: [UInt8]) -> Bool {
    part.count <= whole.count && memcmp(whole, part, part.count) == 0
}

private func same(_ a: [UInt8], _ b: [UInt8]) -> Bool { a.count == b.count && begins(a, with: b) }
