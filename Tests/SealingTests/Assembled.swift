import Sealing

/// A part file and its tail put together; the part is read in pieces of `piece` bytes.
func assembled(
    part: [UInt8], tail: [UInt8], utterance: [UInt8], identities: [AgeIdentity], piece: Int = 10_000
) throws -> (part: AssembledPart, plain: [UInt8]) {
    var plain: [UInt8] = []
    let result = try assemble(
        part: { offset, buffer in
            let bytes = part[min(offset, part.count)...].prefix(min(buffer.count, piece))
            buffer.copyBytes(from: bytes)
            return bytes.count
        }, tail: tail, utterance: utterance, identities: identities, into: { plain += $0 })
    return (result, plain)
}
