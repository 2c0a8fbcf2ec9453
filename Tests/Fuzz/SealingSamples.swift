import Sealing

/// Fixed keys and what is sealed to them. Each process seals anew, with the same lengths.
struct Sample: Sendable {
    /// Plain bytes of each file: around the ends of chunks.
    static let sizes = [0, 1, 1_000, 65_535, 65_536, 65_537, 140_000]
    /// Whose files are opened.
    static let one = Sample(ownKey, salt: 3)
    /// Other plain bytes for the same key.
    static let other = Sample(ownKey, salt: 11)
    /// A key that nothing is sealed to.
    static let stranger = Sample(
        "AGE-SECRET-KEY-1JQCYLRS96TYVCZ86XANRRCMJAS6HW9H0GTNQP3XNX2EAG36LF4VS98XERR", salt: 5)
    private static let ownKey = "AGE-SECRET-KEY-1Z0QSMCULEFPPZFZKK7H9E0TMGUQWZNUWTZMM6QKCLL7SC0QV70HQZ3ZPMA"

    let identity: AgeIdentity
    private let plains: [[UInt8]]
    private let files: [[UInt8]]

    var recipient: AgeRecipient { identity.recipient }
    func plain(_ size: Int) -> [UInt8] { plains[size] }
    func sealed(_ size: Int) -> [UInt8] { files[size] }

    private init(_ key: String, salt: Int) {
        guard let identity = AgeIdentity(key) else { preconditionFailure("the sample's key is a key") }
        self.identity = identity
        plains = Self.sizes.map { Self.bytes($0, salt: salt) }
        files = plains.map { AgeSealer.seal($0, to: [identity.recipient]) }
    }

    fileprivate static func bytes(_ count: Int, salt: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* salt) >> 3 ^ $0) }
    }
}

/// A recording that was never finished: two whole chunks in the part file, the rest in the journal, which was used for
/// another recording and for an earlier chunk before.
struct Part: Sendable {
    static let utterance = [UInt8](0..<16)
    static let sample = Part()

    let plain = Sample.bytes(2 * 65_536 + 12_000, salt: 3)
    let file: [UInt8]
    let journal: [UInt8]
    /// Of a recording of a few seconds: the part file is a header and the first words, the rest is in the journal.
    let sealed = AgeSealer.seal(Array("Some sealed sound".utf8), to: [Sample.one.recipient])
    let smallJournal = Array("some more".utf8).withUnsafeBytes {
        TailJournal.record(
            utterance: hexBytes(sampleID) ?? [], position: 17, $0,
            to: [Sample.one.recipient])
    }

    private init() {
        let recipients = [Sample.one.recipient]
        var sealer = AgeSealer(to: recipients)
        var file = sealer.header
        plain.withUnsafeBytes { bytes in sealer.seal(bytes) { file += $0 } }
        self.file = file
        let own = (0..<4).flatMap { [plain] in
            Self.record(Self.utterance, chunk: 2, offset: 3_000 * $0, of: plain)
        }
        let before = Self.record(Self.utterance, chunk: 1, offset: 15_000, of: plain)
        let others = Self.record(
            Array(16..<32), chunk: 2, offset: 9_000, of: Sample.bytes(plain.count, salt: 11))
        journal = own + before + others + [UInt8](repeating: 0, count: TailJournal.slot)
    }

    /// One second of a recording, as the device writes it.
    private static func record(
        _ utterance: [UInt8], chunk: Int, offset: Int, of plain: [UInt8]
    ) -> [UInt8] {
        let start = chunk * AgeSealer.chunkBytes + offset
        return plain[start..<(start + 3_000)].withUnsafeBytes {
            TailJournal.record(
                utterance: utterance, position: start, $0, to: [Sample.one.recipient])
        }
    }
}

/// One change of a sealed file, as the input says.
func edit(_ file: inout [UInt8], with other: [UInt8], _ input: inout FuzzInput) {
    let chunk = 65_536 + 16
    let header = file.count % chunk
    func place(_ input: inout FuzzInput) -> Int { input.number(below: file.count + 1) }
    switch input.byte() % 9 {
    case 0:
        let at = place(&input)
        if at < file.count { file[at] ^= UInt8(truncatingIfNeeded: input.byte()) }
    case 1: file.removeLast(file.count - place(&input))
    case 2: file += input.field()
    case 3:
        let at = place(&input)
        file.removeSubrange(at..<min(at + input.byte(), file.count))
    case 4, 5:
        // A whole chunk's length from one place to another.
        let from = input.byte() % 3 * chunk + header
        let to = input.byte() % 3 * chunk + header
        guard from + chunk <= file.count, to + chunk <= file.count else { return }
        file.replaceSubrange(to..<(to + chunk), with: Array(file[from..<(from + chunk)]))
    case 6:
        let at = place(&input)
        file.insert(contentsOf: input.field(), at: at)
    case 7:
        let at = place(&input)
        file = Array(file[..<at] + other.dropFirst(at))
    case 8:
        let at = place(&input)
        file = Array(other.prefix(at) + file[at...])
    default: return
    }
}

/// One change of a journal: slots move, go, come again or are damaged.
func editSlots(of journal: inout [UInt8], _ input: inout FuzzInput) {
    let slot = TailJournal.slot
    let slots = journal.count / slot
    guard slots > 0 else { return }
    let (from, to) = (input.byte() % slots * slot, input.byte() % slots * slot)
    switch input.byte() % 6 {
    case 0: journal.replaceSubrange(to..<(to + slot), with: Array(journal[from..<(from + slot)]))
    case 1: journal[from + input.number(below: slot)] ^= UInt8(truncatingIfNeeded: input.byte())
    case 2: journal.removeSubrange(from..<(from + slot))
    case 3: journal.removeLast(journal.count - from - input.number(below: slot))
    case 4: journal.replaceSubrange(from..<(from + slot), with: [UInt8](repeating: 0, count: slot))
    case 5:
        // The frame's fields, where lies do most.
        let lie = input.field().prefix(64)
        journal.replaceSubrange(from..<(from + lie.count), with: lie)
    default: return
    }
}
