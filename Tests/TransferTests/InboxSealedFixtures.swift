import Inbox
import Sealing
import TestSupport
import Wire

extension Part {
    /// Any bytes, decided by `seed`.
    static func noise(_ seed: UInt64, count: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    static func notes(_ recipients: [AgeRecipient]) -> [AgeStanza] {
        recipients.map { AgeStanza(type: "lapel-to", arguments: [$0.description]) }
    }

    /// Audio of utterance `seed`, sealed as a device does it.
    static func sealedAudio(
        _ seed: UInt64, _ plain: [UInt8], to recipients: [AgeRecipient], device: String = wrist
    ) -> Part {
        let sealed = AgeSealer.seal(plain, to: recipients, notes: notes(recipients))
        return Part(id(seed), .audio, sealed, seq: seed, ext: "opus.age", device: device)
    }

    /// The manifest that names `audio`, sealed; without it the one of the press.
    static func sealedManifest(
        _ seed: UInt64, audio: Part?, to recipients: [AgeRecipient], text: String = "",
        kind: Manifest.Kind = .utterance
    ) -> Part {
        var manifest = Manifest(
            utterance: id(seed), seq: seed,
            start: .init(monotonic: 1, boot: 5_000_000_000, wall: 1_700_000_000_000_000_000), format: "opus",
            rate: 16_000, channels: 1)
        manifest.kind = kind
        manifest.device = wrist
        manifest.bootID = "boot-of-the-wrist"
        manifest.participant = text
        var notes = Self.notes(recipients)
        if let audio {
            manifest.sha256 = audio.new.sha256
            manifest.bytes = audio.bytes.count
            manifest.frames = 32_000
            notes.append(
                AgeStanza(type: "lapel-audio", arguments: [audio.new.sha256, String(audio.bytes.count)]))
        }
        let sealed = AgeSealer.seal(manifest.encoded(), to: recipients, notes: notes)
        return Part(id(seed), .manifest, sealed, seq: seed, ext: "json.age", device: wrist)
    }

    func signed(by key: SigningKey) -> Part {
        let text = UploadKey.signedText(utterance: new.utterance, kind: new.kind, sha256: new.sha256)
        return Part(self, signature: Hex.encode(key.sign(Array(text.utf8))))
    }

    init(_ part: Part, signature: String?) {
        bytes = part.bytes
        let new = part.new
        self.new = NewUpload(
            utterance: new.utterance, kind: new.kind, seq: new.seq, length: new.length, sha256: new.sha256,
            ext: new.ext, device: new.device, signature: signature)
    }
}

/// What a power cut leaves on a device of a recording of `plain`: the head manifest, the chunks that were complete
/// with `torn` bytes of rubbish behind them, and the seconds since, a record each.
struct CutRecording {
    let manifest: Part
    let audio: Part
    let tail: Part

    /// - Parameter headerCut: the part file has only so many bytes: its header is torn.
    init(
        _ seed: UInt64, _ plain: [UInt8], to recipients: [AgeRecipient], torn: Int = 0, headerCut: Int? = nil
    ) {
        let id = sure(Hex.decode(Part.id(seed)))
        var sealer = AgeSealer(to: recipients, notes: Part.notes(recipients))
        var file = sealer.header
        plain.withUnsafeBytes { bytes in sealer.seal(bytes) { file += $0 } }
        file += Part.noise(seed + 1000, count: torn)
        if let headerCut { file = Array(file[..<headerCut]) }
        var journal: [UInt8] = []
        let second = 3000
        for offset in stride(from: 0, to: sealer.buffered, by: second) {
            sealer.withBuffered(from: offset) { rest in
                let piece = UnsafeRawBufferPointer(rebasing: rest[..<min(second, rest.count)])
                journal += TailJournal.record(
                    utterance: id, position: sealer.taken - rest.count, piece, to: recipients)
            }
        }
        manifest = Part.sealedManifest(seed, audio: nil, to: recipients)
        audio = Part(Part.id(seed), .audio, file, seq: seed, ext: "opus.age", device: Part.wrist)
        tail = Part(Part.id(seed), .tail, journal, seq: seed, ext: "tail", device: Part.wrist)
    }

    var parts: [Part] { [manifest, audio, tail] }
}

extension Inbox {
    /// The plain bytes of an utterance's recording.
    func plainAudio(_ id: String) throws -> [UInt8]? {
        guard let audio = try utterances(idPrefix: id).first?.audio else { return nil }
        return try withAudio(audio) { try readFile($0) }
    }
}
