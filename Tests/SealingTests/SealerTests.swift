import AllocationCount
import TestSupport
import Testing

@testable import Sealing

@Suite struct SealerTests {
    static let chunk = AgeSealer.chunkBytes

    @Test(arguments: [0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 2 * chunk + 1, 300_000])
    func whatIsSealedIsOpened(size: Int) throws {
        let identity = AgeIdentity.generate()
        let plain = randomBytes(size)
        let sealed = AgeSealer.seal(plain, to: [identity.recipient])
        #expect(try AgeOpener.open(sealed, with: [identity]) == plain)
        let header = try #require(try AgeHeader.parse(sealed))
        #expect(sealed.count == AgeSealer.sealedSize(of: size, header: header.payloadStart))
    }

    @Test(arguments: 0..<20) func piecesOfAnySizeGiveTheFileThatOneGives(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let identity = AgeIdentity.generate()
        let plain = randomBytes(Int.random(in: 0...(3 * Self.chunk), using: &generator))
        var sealer = AgeSealer(to: [identity.recipient])
        var file = sealer.header
        var rest = plain[...]
        while !rest.isEmpty {
            let most = [10, 3_000, 70_000, 200_000].randomElement(using: &generator) ?? 1
            let piece = rest.prefix(Int.random(in: 0...most, using: &generator))
            piece.withUnsafeBytes { sealer.seal($0) { file += $0 } }
            rest = rest.dropFirst(piece.count)
            #expect(sealer.taken == plain.count - rest.count)
            #expect(file.count == sealer.header.count + Int(sealer.chunk) * (Self.chunk + 16))
        }
        file += sealer.finish()
        #expect(file.count == AgeSealer.sealedSize(of: plain.count, header: sealer.header.count))
        #expect(try AgeOpener.open(file, with: [identity]) == plain)
    }

    /// The byte after a full chunk shows that it is not the last; until then nothing is handed out.
    @Test func aFullChunkWaitsForTheByteAfterIt() {
        var sealer = AgeSealer(to: [AgeIdentity.generate().recipient])
        var handedOut = 0
        [UInt8](repeating: 0, count: Self.chunk).withUnsafeBytes { sealer.seal($0) { handedOut += $0.count } }
        #expect(handedOut == 0 && sealer.buffered == Self.chunk && sealer.chunk == 0)
        [UInt8(1)].withUnsafeBytes { sealer.seal($0) { handedOut += $0.count } }
        #expect(handedOut == Self.chunk + 16 && sealer.buffered == 1 && sealer.chunk == 1)
    }

    @Test(arguments: [
        [chunk - 1, 1, 1], [chunk - 1, 2], [chunk, 1], [1, chunk - 1, chunk, 1], [chunk + 1, chunk - 1],
    ])
    func piecesThatEndAtAChunksEdgeGiveTheSameFile(pieces: [Int]) throws {
        let identity = AgeIdentity.generate()
        let plain = randomBytes(pieces.reduce(0, +))
        var sealer = AgeSealer(to: [identity.recipient])
        var file = sealer.header
        for piece in pieces {
            let taken = sealer.taken
            plain[taken..<(taken + piece)].withUnsafeBytes { sealer.seal($0) { file += $0 } }
        }
        file += sealer.finish()
        #expect(try AgeOpener.open(file, with: [identity]) == plain)
    }

    @Test func eachRecipientOpensTheFileAndNobodyElse() throws {
        let identities = (0..<5).map { _ in AgeIdentity.generate() }
        let sealed = AgeSealer.seal([1, 2, 3], to: identities.map(\.recipient))
        for identity in identities {
            #expect(try AgeOpener.open(sealed, with: [identity]) == [1, 2, 3])
            #expect(try AgeOpener.open(sealed, with: [AgeIdentity.generate(), identity]) == [1, 2, 3])
        }
        #expect(throws: AgeError.noIdentityMatches) {
            try AgeOpener.open(sealed, with: [AgeIdentity.generate()])
        }
        #expect(throws: AgeError.noIdentityMatches) { try AgeOpener.open(sealed, with: []) }
    }

    @Test func notesAreReadBackWithoutAKey() throws {
        let recipient = AgeIdentity.generate().recipient
        let notes = [
            AgeStanza(type: "lapel-to", arguments: [recipient.description]),
            AgeStanza(type: "long", body: Array(0..<96)), AgeStanza(type: "lapel-to", arguments: ["x", "y"]),
            AgeStanza(type: "empty"), AgeStanza(type: "48", body: Array(0..<48)),
        ]
        let sealed = AgeSealer.seal([], to: [recipient], notes: notes)
        let header = try #require(try AgeHeader.parse(sealed))
        #expect(Array(header.stanzas.dropFirst()) == notes)
        #expect(header.note("lapel-to") == [notes[0], notes[2]])
        #expect(header.note("lapel-audio").isEmpty)
        #expect(sealed.count == header.payloadStart + 16)
    }

    /// No two files, and no two wrappings, share anything that is random.
    @Test func theSameBytesAreNeverSealedTheSame() {
        let recipient = AgeIdentity.generate().recipient
        let files = (0..<50).map { _ in AgeSealer.seal([1, 2, 3], to: [recipient, recipient]) }
        #expect(Set(files).count == 50)
        let shares = files.flatMap { (try? AgeHeader.parse($0))?.note("X25519").map(\.arguments) ?? [] }
        #expect(Set(shares).count == 100)
    }

    @Test func nothingOfTheTextIsInTheFile() {
        let text = Array("the wearer's own words".utf8)
        let sealed = AgeSealer.seal(
            Array(Array(repeating: text, count: 5_000).joined()), to: [AgeIdentity.generate().recipient])
        #expect(
            !sealed.indices.contains {
                sealed[$0...].starts(with: text.prefix(4)) && sealed[$0...].starts(with: text)
            })
    }

    struct Full: Error {}

    /// A card that is full gets the same chunk again, or the file ends with it: never two texts under one nonce.
    @Test func aChunkThatFoundNoRoomIsHandedOutAgainTheSame() throws {
        let identity = AgeIdentity.generate()
        let plain = randomBytes(2 * Self.chunk + 100)
        var sealer = AgeSealer(to: [identity.recipient])
        var refused: [[UInt8]] = []
        var file = sealer.header
        for _ in 0..<3 {
            let rest = plain[sealer.taken...]
            #expect(throws: Full.self) {
                try rest.withUnsafeBytes { bytes in
                    try sealer.seal(bytes) { (sealed: UnsafeRawBufferPointer) throws(Full) in
                        refused.append(Array(sealed))
                        throw Full()
                    }
                }
            }
            #expect(sealer.taken == Self.chunk && sealer.buffered == Self.chunk)
        }
        #expect(Set(refused).count == 1)
        plain[sealer.taken...].withUnsafeBytes { sealer.seal($0) { file += $0 } }
        #expect(file.dropFirst(sealer.header.count).starts(with: refused[0]))
        file += sealer.finish()
        #expect(try AgeOpener.open(file, with: [identity]) == plain)
    }

    @Test(arguments: [1, 5_000, 65_536]) func aFileEndsWithWhatOfAChunkHasRoom(kept: Int) throws {
        let identity = AgeIdentity.generate()
        let plain = randomBytes(2 * Self.chunk)
        var sealer = AgeSealer(to: [identity.recipient])
        var file = sealer.header
        plain.withUnsafeBytes { sealer.seal($0) { file += $0 } }
        file += sealer.finish(keeping: kept)
        #expect(try AgeOpener.open(file, with: [identity]) == Array(plain.prefix(Self.chunk + kept)))
    }

    @Test func theBufferedBytesCanBeRead() {
        var sealer = AgeSealer(to: [AgeIdentity.generate().recipient])
        let plain = randomBytes(Self.chunk + 1_000)
        plain.withUnsafeBytes { sealer.seal($0) { _ in } }
        #expect(sealer.withBuffered { Array($0) } == Array(plain.suffix(1_000)))
        #expect(sealer.withBuffered(from: 990) { Array($0) } == Array(plain.suffix(10)))
        #expect(sealer.withBuffered(from: 1_000) { $0.count } == 0)
    }

    @Test func sealingAndOpeningAllocateNothingMoreTheLongerTheFile() throws {
        let identity = AgeIdentity.generate()
        var sealer = AgeSealer(to: [identity.recipient])
        var opener = AgeOpener(identities: [identity])
        let plain = randomBytes(3_000)
        var opened = 0
        func second() throws {
            try plain.withUnsafeBytes { bytes in
                try sealer.seal(bytes) { try opener.open($0) { opened += $0.count } }
            }
        }
        try sealer.header.withUnsafeBytes { try opener.open($0) { _ in } }
        for _ in 0..<30 { try second() }
        let before = lapel_allocations_of_this_thread()
        for _ in 0..<1_000 { try second() }
        #expect(lapel_allocations_of_this_thread() == before)
        #expect(opened == sealer.taken - sealer.buffered && opened > 2_900_000)
    }
}
