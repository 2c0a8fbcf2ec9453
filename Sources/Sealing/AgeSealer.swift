// Invariants
//   1. Two different texts are never sealed with the same key and nonce. The file key is random for each file, the
//      nonce counts the chunks, and a chunk once handed out does not change: a sink that fails gets the very same
//      bytes again, or the chunk becomes the last one, which has a nonce of its own.
//   2. A chunk is handed out only when a byte after it exists: only then is it known not to be the last.
//   3. Keys and plain bytes are wiped from memory with the sealer.
//   4. Appending allocates nothing.

/// Seals a file for one or more recipients in the age v1 format while it is being written.
///
/// The file is `header`, then what `seal` hands out, then what `finish` returns.
package struct AgeSealer: ~Copyable, Sendable {
    /// Plain bytes of a full chunk.
    package static let chunkBytes = AgeChunk.plain

    /// The age header and the payload's nonce: the file's first bytes.
    package let header: [UInt8]
    /// Plain bytes that wait for their chunk: 0…65536.
    package private(set) var buffered = 0
    /// Index of the chunk being filled.
    package private(set) var chunk: UInt64 = 0

    private let key: Secret
    private let plain = Wiped(count: AgeChunk.plain)
    private let sealed = Wiped(count: AgeChunk.sealed)
    private var nonce = [UInt8](repeating: 0, count: AgeChunk.nonceBytes)
    private var isFinished = false

    /// - Parameters:
    ///   - recipients: at least one; each can open the file.
    ///   - notes: stanzas of other types than age's own, which every reader passes over and the header's tag covers.
    package init(to recipients: [AgeRecipient], notes: [AgeStanza] = []) {
        precondition(!recipients.isEmpty, "a file is sealed to at least one recipient")
        let fileKey = AgeFileKey.generate()
        var header = AgeHeader.intro + [UInt8(ascii: "\n")]
        for stanza in recipients.map(fileKey.wrapped(for:)) + notes { header += stanza.lines }
        header += Array("---".utf8)
        header += Array(" ".utf8) + AgeBase64.encode(fileKey.tag(of: header)) + Array("\n".utf8)
        precondition(header.count <= AgeHeader.longest, "readers refuse headers of more than 64 KiB")
        let nonce = randomBytes(AgeHeader.nonceBytes)
        key = fileKey.payloadKey(nonce: nonce)
        self.header = header + nonce
    }

    /// Plain bytes taken so far.
    package var taken: Int { Int(chunk) * AgeChunk.plain + buffered }

    /// Takes plain bytes and hands out the sealed bytes (65552 each) of every chunk that they complete.
    ///
    /// When the sink throws, its chunk stays in the buffer (full), the bytes after it were not taken (`taken` says how
    /// many were), and the sealer may be used on: the chunk is handed out again, the same, or `finish` ends with it.
    package mutating func seal<Failure: Error>(
        _ bytes: UnsafeRawBufferPointer, into sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        precondition(!isFinished, "a finished file takes no more")
        var rest = bytes
        while !rest.isEmpty {
            if buffered == AgeChunk.plain {
                let count = sealBuffer(last: false)
                try sink(UnsafeRawBufferPointer(rebasing: sealed.bytes[..<count]))
                chunk += 1
                buffered = 0
            }
            let count = min(rest.count, AgeChunk.plain - buffered)
            plain.bytes[buffered..<(buffered + count)].copyBytes(from: rest[..<count])
            buffered += count
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// The last chunk's sealed bytes; nothing is taken afterwards.
    ///
    /// - Parameter kept: how many of the buffered bytes it holds; all without it. Fewer are for a full card.
    package mutating func finish(keeping kept: Int? = nil) -> [UInt8] {
        precondition(!isFinished, "a file is finished once")
        let kept = kept ?? buffered
        precondition((0...buffered).contains(kept), "only buffered bytes can be kept")
        // Only an empty file has an empty last chunk (C2SP age, "Payload").
        precondition(kept > 0 || chunk == 0, "a last chunk holds at least one byte")
        isFinished = true
        buffered = kept
        return Array(sealed.bytes[..<sealBuffer(last: true)])
    }

    /// The plain bytes that wait for their chunk, from an offset on; for the time of `body`.
    package borrowing func withBuffered<Value, Failure: Error>(
        from offset: Int = 0, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        precondition((0...buffered).contains(offset), "the offset is not in the buffer")
        return try body(UnsafeRawBufferPointer(rebasing: plain.bytes[offset..<buffered]))
    }

    private mutating func sealBuffer(last: Bool) -> Int {
        AgeChunk.writeNonce(chunk: chunk, last: last, into: &nonce)
        let text = UnsafeRawBufferPointer(rebasing: plain.bytes[..<buffered])
        AgeChunk.seal(text, nonce: nonce, key: key, into: sealed.bytes)
        return buffered + AgeChunk.tag
    }
}

extension AgeSealer {
    /// A whole small file.
    package static func seal(
        _ plain: [UInt8], to recipients: [AgeRecipient], notes: [AgeStanza] = []
    ) -> [UInt8] {
        var sealer = AgeSealer(to: recipients, notes: notes)
        var file = sealer.header
        file.reserveCapacity(sealedSize(of: plain.count, header: file.count))
        plain.withUnsafeBytes { bytes in sealer.seal(bytes) { file += $0 } }
        file += sealer.finish()
        return file
    }

    /// The size of a sealed file of `plain` bytes; `header` is the count of its sealer's `header`.
    package static func sealedSize(of plain: Int, header: Int) -> Int {
        let chunks = max(1, (plain + AgeChunk.plain - 1) / AgeChunk.plain)
        return header + plain + chunks * AgeChunk.tag
    }
}
