import CSodium

/// Where a record's bytes belong; little-endian, 32 bytes.
struct TailPlace: Equatable, Sendable {
    static let count = 32
    static let utteranceBytes = 16
    /// 16 TB of sound: more is damage.
    private static let mostChunks: UInt64 = 1 << 28

    let utterance: [UInt8]
    /// Of the first byte in the recording; written as the chunk that it belongs to and the place in that.
    let position: Int
    /// At most a chunk.
    let count: Int

    init(utterance: [UInt8], position: Int, count: Int) {
        precondition(utterance.count == Self.utteranceBytes, "an utterance's id has 16 bytes")
        self.utterance = utterance
        self.position = position
        self.count = count
    }

    /// Nil when no recording has such a place.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count == Self.count else { return nil }
        let start = bytes.startIndex
        utterance = Array(bytes[start..<(start + 16)])
        let chunk = number(bytes[(start + 16)..<(start + 24)])
        let offset = Int(number(bytes[(start + 24)..<(start + 28)]))
        count = Int(number(bytes[(start + 28)..<(start + 32)]))
        guard chunk < Self.mostChunks, offset < AgeChunk.plain, count <= AgeChunk.plain else { return nil }
        position = Int(chunk) * AgeChunk.plain + offset
    }

    var bytes: [UInt8] {
        let (chunk, offset) = position.quotientAndRemainder(dividingBy: AgeChunk.plain)
        return utterance + littleEndian(UInt64(chunk), 8) + littleEndian(UInt64(offset), 4)
            + littleEndian(UInt64(count), 4)
    }
}

/// The clear head of a record: `LTJ1`, the place, the number of boxes and the bytes of each, then the first 8 bytes of
/// the SHA-256 of all that.
struct TailFrame: Sendable {
    private static let mark = Array("LTJ1".utf8)
    private static let sumBytes = 8
    static let count = 4 + TailPlace.count + 8 + sumBytes

    let place: TailPlace
    let boxes: Int
    let boxBytes: Int

    init(place: TailPlace, boxes: Int, boxBytes: Int) {
        self.place = place
        self.boxes = boxes
        self.boxBytes = boxBytes
    }

    /// Nil unless the bytes begin with a frame that is whole and agrees with itself.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= Self.count, bytes.starts(with: Self.mark) else { return nil }
        let start = bytes.startIndex
        let text = bytes[start..<(start + Self.count - Self.sumBytes)]
        guard
            bytes[text.endIndex..<(text.endIndex + Self.sumBytes)].elementsEqual(Self.sum(of: Array(text))),
            let place = TailPlace(text[(start + 4)..<(start + 36)])
        else { return nil }
        self.place = place
        boxes = Int(number(text[(start + 36)..<(start + 40)]))
        boxBytes = Int(number(text[(start + 40)..<(start + 44)]))
        guard (1...TailJournal.mostBoxes).contains(boxes),
            boxBytes == TailPlace.count + place.count + TailBox.overhead
        else { return nil }
    }

    /// The frame and its boxes, without padding.
    var recordBytes: Int { Self.count + boxes * boxBytes }

    var bytes: [UInt8] {
        let text =
            Self.mark + place.bytes + littleEndian(UInt64(boxes), 4) + littleEndian(UInt64(boxBytes), 4)
        return text + Self.sum(of: text)
    }

    private static func sum(of text: [UInt8]) -> ArraySlice<UInt8> {
        SHA256.digest(of: text).bytes.prefix(sumBytes)
    }
}

/// The place and the bytes in a sealed box (libsodium's `crypto_box_seal`: X25519, XSalsa20-Poly1305), which only the
/// recipient opens.
enum TailBox {
    static let overhead = Int(crypto_box_PUBLICKEYBYTES + crypto_box_MACBYTES)

    static func seal(
        _ plain: UnsafeRawBufferPointer, at place: TailPlace, to recipient: AgeRecipient
    ) -> [UInt8] {
        Sodium.ready
        let text = Wiped(count: TailPlace.count + plain.count)
        text.bytes.copyBytes(from: place.bytes)
        text.bytes[TailPlace.count...].copyBytes(from: plain)
        var box = [UInt8](repeating: 0, count: text.bytes.count + overhead)
        let result = crypto_box_seal(&box, text.bytes.octets, UInt64(text.bytes.count), recipient.publicKey)
        precondition(result == 0, "a recipient is never a point of low order")
        return box
    }

    /// The place and the bytes; nil when the box is another identity's, damaged, or does not agree with itself.
    static func open(_ box: ArraySlice<UInt8>, with identity: AgeIdentity) -> (TailPlace, [UInt8])? {
        guard box.count >= overhead + TailPlace.count else { return nil }
        Sodium.ready
        var text = [UInt8](repeating: 0, count: box.count - overhead)
        let result = box.withUnsafeBytes { box in
            identity.secret.read {
                crypto_box_seal_open(
                    &text, box.octets, UInt64(box.count), identity.recipient.publicKey, $0.octets)
            }
        }
        guard result == 0, let place = TailPlace(text.prefix(TailPlace.count)),
            place.count == text.count - TailPlace.count
        else { return nil }
        return (place, Array(text.dropFirst(TailPlace.count)))
    }
}

private func littleEndian(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
}

private func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
}
