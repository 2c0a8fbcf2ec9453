// Invariants
//   1. No plain byte leaves before the tag of its chunk fits, and none before the header's tag does.
//   2. Chunks leave in their order, each once: the chunk's number is part of its nonce.
//   3. Only `finish` that returns says that the file is whole.
//   4. After an error nothing is opened any more: the same error comes again.
//   5. Keys and plain bytes are wiped from memory with the opener.

/// Opens an age v1 file while it is being read, in pieces of any size.
package struct AgeOpener: ~Copyable, Sendable {
    private enum Stage {
        case header(AgeHeaderReader)
        case nonce(AgeFileKey, taken: [UInt8])
        case chunks(key: Secret)
        /// The last chunk was opened.
        case ended
        case failed(AgeError)
    }

    private let identities: [AgeIdentity]
    private var stage = Stage.header(AgeHeaderReader())
    private var chunk: UInt64 = 0
    private var buffered = 0
    private let sealed = Wiped(count: AgeChunk.sealed)
    private let plain = Wiped(count: AgeChunk.plain)
    private var nonce = [UInt8](repeating: 0, count: AgeChunk.nonceBytes)

    package init(identities: [AgeIdentity]) { self.identities = identities }

    /// Takes sealed bytes and hands out the plain bytes of every chunk that they complete, 65536 at most each time.
    ///
    /// - Throws: `AgeError`, or what the sink throws; the opener is of no use after either.
    package mutating func open<Failure: Error>(
        _ bytes: UnsafeRawBufferPointer, into sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws {
        do {
            var rest = bytes
            while !rest.isEmpty {
                let count = try takeSome(of: rest)
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                if buffered == AgeChunk.sealed, let count = try openFullChunk() {
                    try sink(UnsafeRawBufferPointer(rebasing: plain.bytes[..<count]))
                }
            }
        } catch let error as AgeError {
            stage = .failed(error)
            throw error
        }
    }

    /// Says that the file ends here, and hands out its last chunk.
    ///
    /// - Throws: `AgeError.truncated` when whole chunks were there but the last was not, `.damaged` when the last does
    ///   not fit, `.malformed` when the file ends in its header; or what the sink throws.
    package mutating func finish<Failure: Error>(
        into sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws {
        do {
            let count = try openLastChunk()
            if count > 0 { try sink(UnsafeRawBufferPointer(rebasing: plain.bytes[..<count])) }
        } catch let error as AgeError {
            stage = .failed(error)
            throw error
        }
    }

    /// Consumes a part of the piece, at least one byte.
    private mutating func takeSome(of bytes: UnsafeRawBufferPointer) throws(AgeError) -> Int {
        switch stage {
        case .header(var reader):
            // The one reference to the reader's bytes is then ours: they are not copied.
            stage = .failed(.notAge)
            for (index, byte) in bytes.enumerated() {
                guard let header = try reader.take(byte) else { continue }
                stage = .nonce(try AgeFileKey.open(header, with: identities), taken: [])
                return index + 1
            }
            stage = .header(reader)
            return bytes.count
        case .nonce(let fileKey, var taken):
            let count = min(bytes.count, AgeHeader.nonceBytes - taken.count)
            taken += bytes[..<count]
            stage =
                taken.count < AgeHeader.nonceBytes
                ? .nonce(fileKey, taken: taken) : .chunks(key: fileKey.payloadKey(nonce: taken))
            return count
        case .chunks:
            let count = min(bytes.count, AgeChunk.sealed - buffered)
            sealed.bytes[buffered..<(buffered + count)].copyBytes(from: bytes[..<count])
            buffered += count
            return count
        case .ended: throw .tooLong
        case .failed(let error): throw error
        }
    }

    /// The plain bytes of a full buffer; it may be the last chunk, which only its nonce says.
    private mutating func openFullChunk() throws(AgeError) -> Int? {
        guard case .chunks(let key) = stage else { return nil }
        if openBuffer(key, last: false) {
            chunk += 1
        } else if openBuffer(key, last: true) {
            stage = .ended
        } else {
            throw .damaged(chunk: chunk)
        }
        buffered = 0
        return AgeChunk.plain
    }

    private mutating func openLastChunk() throws(AgeError) -> Int {
        switch stage {
        case .header, .nonce: throw .malformed(reason: "the file ends in it")
        case .ended: return 0
        case .failed(let error): throw error
        case .chunks(let key):
            guard buffered > 0 else { throw .truncated }
            // Only an empty file has an empty last chunk (C2SP age, "Payload").
            guard buffered > AgeChunk.tag || chunk == 0, openBuffer(key, last: true) else {
                throw .damaged(chunk: chunk)
            }
            stage = .ended
            return buffered - AgeChunk.tag
        }
    }

    private mutating func openBuffer(_ key: Secret, last: Bool) -> Bool {
        AgeChunk.writeNonce(chunk: chunk, last: last, into: &nonce)
        let text = UnsafeRawBufferPointer(rebasing: sealed.bytes[..<buffered])
        return AgeChunk.open(text, nonce: nonce, key: key, into: plain.bytes)
    }
}

extension AgeOpener {
    /// A whole small file's plain bytes.
    package static func open(
        _ sealed: [UInt8], with identities: [AgeIdentity]
    ) throws(AgeError) -> [UInt8] {
        var opener = AgeOpener(identities: identities)
        var plain: [UInt8] = []
        do {
            try sealed.withUnsafeBytes { try opener.open($0) { plain += $0 } }
            try opener.finish { plain += $0 }
        } catch let error as AgeError {
            throw error
        } catch {
            preconditionFailure("the sink does not throw")
        }
        return plain
    }
}
