import CSodium

/// The clear head of a record, little-endian: `LTJ1`, the utterance's id (16 bytes), the place of the first byte in the
/// recording (8), how many bytes there are (3) and for how many recipients (1), then the first 8 bytes of the SHA-256 of
/// all that. One sealed box for each recipient follows.
struct TailFrame: Equatable, Sendable {
    static let count = textBytes + sumBytes
    static let utteranceBytes = 16
    static let sumBytes = 8
    private static let mark = Array("LTJ1".utf8)
    private static let textBytes = 32
    /// 16 TB of sound: more is damage.
    private static let farthest: UInt64 = 1 << 44

    let utterance: [UInt8]
    /// Of the first byte in the recording.
    let position: Int
    /// At most a chunk.
    let count: Int
    let boxes: Int

    init(utterance: [UInt8], position: Int, count: Int, boxes: Int) {
        precondition(utterance.count == Self.utteranceBytes, "an utterance's id has 16 bytes")
        self.utterance = utterance
        self.position = position
        self.count = count
        self.boxes = boxes
    }

    /// Nil unless the bytes begin with a frame that is whole, agrees with itself and that a recording can have.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= Self.count, bytes.starts(with: Self.mark) else { return nil }
        let start = bytes.startIndex
        let text = Array(bytes[start..<(start + Self.textBytes)])
        guard bytes[(start + Self.textBytes)...].starts(with: Self.sum(of: text)) else { return nil }
        let place = number(text[20..<28])
        utterance = Array(text[4..<20])
        count = Int(number(text[28..<31]))
        boxes = Int(text[31])
        guard place < Self.farthest, count <= AgeChunk.plain, (1...TailJournal.mostBoxes).contains(boxes)
        else { return nil }
        position = Int(place)
    }

    /// Of each box.
    var boxBytes: Int { TailBox.overhead + count }
    /// The frame and its boxes, without padding.
    var recordBytes: Int { Self.count + boxes * boxBytes }

    var bytes: [UInt8] { text + sum }
    /// What the frame's boxes hold before their bytes.
    var sum: [UInt8] { Array(Self.sum(of: text)) }

    private var text: [UInt8] {
        Self.mark + utterance + littleEndian(position, 8) + littleEndian(count, 3) + [UInt8(boxes)]
    }

    private static func sum(of text: [UInt8]) -> ArraySlice<UInt8> {
        SHA256.digest(of: text).bytes.prefix(sumBytes)
    }
}

/// A frame's sum and the bytes in a sealed box (libsodium's `crypto_box_seal`: X25519, XSalsa20-Poly1305), which only
/// the recipient opens.
enum TailBox {
    static let overhead = TailFrame.sumBytes + Int(crypto_box_PUBLICKEYBYTES + crypto_box_MACBYTES)

    static func seal(
        _ plain: UnsafeRawBufferPointer, under frame: TailFrame, to recipient: AgeRecipient
    ) -> [UInt8] {
        Sodium.ready
        let text = Wiped(count: TailFrame.sumBytes + plain.count)
        text.bytes.copyBytes(from: frame.sum)
        text.bytes[TailFrame.sumBytes...].copyBytes(from: plain)
        var box = [UInt8](repeating: 0, count: plain.count + overhead)
        let result = crypto_box_seal(&box, text.bytes.octets, UInt64(text.bytes.count), recipient.publicKey)
        precondition(result == 0, "a recipient is never a point of low order")
        return box
    }

    /// Nil when the box is another identity's, damaged, or not this frame's.
    static func open(
        _ box: ArraySlice<UInt8>, under frame: TailFrame, with identity: AgeIdentity
    ) -> [UInt8]? {
        guard box.count == frame.boxBytes else { return nil }
        Sodium.ready
        var text = [UInt8](repeating: 0, count: TailFrame.sumBytes + frame.count)
        let result = box.withUnsafeBytes { box in
            identity.secret.read {
                crypto_box_seal_open(
                    &text, box.octets, UInt64(box.count), identity.recipient.publicKey, $0.octets)
            }
        }
        guard result == 0, text.starts(with: frame.sum) else { return nil }
        return Array(text.dropFirst(TailFrame.sumBytes))
    }
}

private func littleEndian(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

private func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
}
