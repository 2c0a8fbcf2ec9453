import TestSupport
import Testing

@testable import Sealing

@Suite struct PartAssemblyTests {
    private let identity = AgeIdentity.generate()
    private let utterance = randomBytes(16)
    private let chunk = AgeSealer.chunkBytes

    private func record(_ plain: some Sequence<UInt8>, chunk: UInt64) -> [UInt8] {
        Array(plain).withUnsafeBytes {
            TailJournal.record(
                utterance: utterance, position: Int(chunk) * AgeSealer.chunkBytes, $0,
                to: [identity.recipient])
        }
    }

    private func put(
        _ part: [UInt8], _ tail: [UInt8] = [], with identities: [AgeIdentity]? = nil
    ) throws -> (part: AssembledPart, plain: [UInt8]) {
        try assembled(part: part, tail: tail, utterance: utterance, identities: identities ?? [identity])
    }

    @Test(arguments: [0, 1, 65_536, 65_537, 200_000]) func aWholeFileNeedsNoTail(size: Int) throws {
        let plain = randomBytes(size)
        let file = AgeSealer.seal(plain, to: [identity.recipient])
        let (part, out) = try put(file, record([9], chunk: 0))
        #expect(out == plain && part.complete && part.tailBytes == 0)
        #expect(part.chunks == UInt64((size + chunk - 1) / chunk))
    }

    @Test func aTornChunkIsReplacedByItsTail() throws {
        let plain = randomBytes(3 * chunk)
        let file = AgeSealer.seal(plain, to: [identity.recipient])
        let head = file.count - AgeSealer.sealedSize(of: plain.count, header: 0)
        let torn = Array(file.prefix(head + chunk + 16 + 30_000))
        let seconds = record(plain[chunk..<(2 * chunk - 500)], chunk: 1)
        let (part, out) = try put(torn, seconds)
        #expect(out == Array(plain.prefix(2 * chunk - 500)))
        #expect(part == AssembledPart(chunks: 1, tailBytes: chunk - 500, complete: false))
    }

    @Test(arguments: [0, 10, 180, 200]) func withATornHeaderTheFirstChunkComesFromTheTail(count: Int) throws {
        let file = AgeSealer.seal([1], to: [identity.recipient])
        let zeros = [UInt8](repeating: 0, count: 4_000)
        for part in [Array(file.prefix(count)), file.prefix(count) + zeros] {
            let out = try put(part, record([1, 2, 3], chunk: 0))
            #expect(out.plain == [1, 2, 3])
            #expect(out.part == AssembledPart(chunks: 0, tailBytes: 3, complete: false))
        }
    }

    @Test func zerosThatWereReservedEndTheChunks() throws {
        let plain = randomBytes(chunk + 1)
        var sealer = AgeSealer(to: [identity.recipient])
        var part = sealer.header
        plain.withUnsafeBytes { sealer.seal($0) { part += $0 } }
        part += [UInt8](repeating: 0, count: 300_000)
        let (result, out) = try put(part, record(plain.suffix(1), chunk: 1))
        #expect(out == plain)
        #expect(result == AssembledPart(chunks: 1, tailBytes: 1, complete: false))
    }

    @Test func nothingAtAllGivesNothing() throws {
        let (part, out) = try put([])
        #expect(out.isEmpty && part == AssembledPart(chunks: 0, tailBytes: 0, complete: false))
    }

    @Test func aMissingKeyIsAnErrorAndNotAnEmptyRecording() {
        let stranger = [AgeIdentity.generate()]
        let file = AgeSealer.seal([1], to: [identity.recipient])
        #expect(throws: AgeError.noIdentityMatches) { try put(file, with: stranger) }
        let seconds = record([1], chunk: 0) + record([1, 2], chunk: 0)
        #expect(throws: AgeError.noIdentityMatches) { try put([], seconds, with: stranger) }
        #expect(throws: AgeError.noIdentityMatches) { try put(file, with: []) }
    }

    struct Full: Error {}

    @Test func whatTheReaderAndTheSinkThrowPassesThrough() {
        let file = AgeSealer.seal([1], to: [identity.recipient])
        #expect(throws: Full.self) {
            try assemble(
                part: { _, _ in throw Full() }, tail: [], utterance: utterance, identities: [identity],
                into: { _ in })
        }
        #expect(throws: AgeError.damaged(chunk: 9)) {
            try assembledInto(file) { _ in throw AgeError.damaged(chunk: 9) }
        }
    }

    private func assembledInto(
        _ file: [UInt8], sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> AssembledPart {
        try assemble(
            part: { offset, buffer in
                buffer.copyBytes(from: file[offset...])
                return file.count - offset
            }, tail: [], utterance: utterance, identities: [identity], into: sink)
    }
}
