import TestSupport
import Testing

@testable import Sealing

@Suite struct OpenerTests {
    private static let identity = AgeIdentity.generate()
    private static let chunk = AgeSealer.chunkBytes

    private static func sealed(_ plain: [UInt8]) -> [UInt8] {
        AgeSealer.seal(
            plain, to: [identity.recipient], notes: [AgeStanza(type: "lapel-to", arguments: ["somebody"])])
    }

    /// What comes out of changed bytes before the error; nil when there was none.
    private func outcome(_ file: [UInt8]) -> (plain: [UInt8], error: AgeError)? {
        var opener = AgeOpener(identities: [Self.identity])
        var plain: [UInt8] = []
        do {
            try file.withUnsafeBytes { try opener.open($0) { plain += $0 } }
            try opener.finish { plain += $0 }
            return nil
        } catch {
            return (error as? AgeError).map { (plain, $0) }
        }
    }

    @Test func everyBitOfASmallFileMatters() {
        let file = Self.sealed(Array("forty-two".utf8))
        for bit in 0..<(8 * file.count) {
            var wrong = file
            wrong[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(outcome(wrong)?.plain == [], "bit \(bit)")
        }
    }

    @Test(arguments: 0..<300) func aBitAnywhereInALongFileEndsItThere(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let plain = Self.plain
        var file = Self.long
        let place = Int.random(in: 0..<file.count, using: &generator)
        file[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        let (leaked, error) = try #require(outcome(file))
        #expect(plain.starts(with: leaked))
        let start = file.count - AgeSealer.sealedSize(of: plain.count, header: 0)
        if place >= start {
            let chunk = (place - start) / (Self.chunk + 16)
            #expect(error == .damaged(chunk: UInt64(chunk)))
            #expect(leaked.count == chunk * Self.chunk)
        } else {
            #expect(leaked.isEmpty)
        }
    }

    private static let plain = randomBytes(3 * chunk + 500)
    private static let long = sealed(plain)

    @Test func everyPlaceWhereASmallFileEndsEarlyIsNoticed() {
        let file = Self.sealed(Array("forty-two".utf8))
        for count in 0..<file.count { #expect(outcome(Array(file.prefix(count)))?.plain == []) }
    }

    @Test(arguments: [0, 1, 2, 3]) func aFileThatEndsAfterAChunkIsTruncated(chunks: Int) throws {
        let start = Self.long.count - AgeSealer.sealedSize(of: Self.plain.count, header: 0)
        let cut = Array(Self.long.prefix(start + chunks * (Self.chunk + 16)))
        let (plain, error) = try #require(outcome(cut))
        #expect(error == .truncated)
        #expect(plain == Array(Self.plain.prefix(chunks * Self.chunk)))
    }

    @Test func bytesAfterAFullLastChunkAreTooMany() throws {
        let plain = randomBytes(Self.chunk)
        let (leaked, error) = try #require(outcome(Self.sealed(plain) + [0]))
        #expect(error == .tooLong)
        #expect(leaked == plain)
    }

    @Test func chunksOfAnotherOrderOrFileDoNotFit() throws {
        let start = Self.long.count - AgeSealer.sealedSize(of: Self.plain.count, header: 0)
        let size = Self.chunk + 16
        let chunks = (0..<4).map { Array(Self.long[(start + $0 * size)...].prefix(size)) }
        let head = Array(Self.long.prefix(start))
        let swapped = try #require(outcome(head + chunks[1] + chunks[0] + chunks[2] + chunks[3]))
        #expect(swapped.error == .damaged(chunk: 0) && swapped.plain.isEmpty)
        let left = try #require(outcome(head + chunks[0] + chunks[2] + chunks[3]))
        #expect(left.error == .damaged(chunk: 1))
        let other = Self.sealed(Self.plain)
        let foreign = try #require(outcome(head + chunks[0] + Array(other[(start + size)...])))
        #expect(foreign.error == .damaged(chunk: 1))
    }

    @Test func afterAnErrorTheSameErrorComesAgain() {
        var opener = AgeOpener(identities: [AgeIdentity.generate()])
        let file = Self.sealed([1])
        for _ in 0..<2 {
            #expect(throws: AgeError.noIdentityMatches) {
                try file.withUnsafeBytes { try opener.open($0) { _ in } }
            }
        }
        #expect(throws: AgeError.noIdentityMatches) { try opener.finish { _ in } }
    }

    struct Full: Error {}

    @Test func whatTheSinkThrowsPassesThrough() {
        var opener = AgeOpener(identities: [Self.identity])
        #expect(throws: Full.self) {
            try Self.long.withUnsafeBytes { try opener.open($0) { _ in throw Full() } }
        }
    }

    @Test(arguments: ["", "RIFF", "age-encryption.org/v2\n", "-----BEGIN AGE ENCRYPTED FILE-----\n"])
    func whatIsNoAgeFileIsRefused(text: String) {
        let error = errorThrown(AgeError.self) {
            try AgeOpener.open(Array(text.utf8), with: [AgeIdentity.generate()])
        }
        #expect(error?.word == "header failure")
    }

    /// A file whose tag is right, with these lines after the stanza of the identity.
    private func handmade(_ lines: String) -> [UInt8] {
        let key = AgeFileKey.generate()
        var file: [UInt8] = AgeHeader.intro
        file.append(0x0a)
        file += key.wrapped(for: Self.identity.recipient).lines
        file += Array((lines + "---").utf8)
        let tag = AgeBase64.encode(key.tag(of: file))
        let nonce = randomBytes(AgeHeader.nonceBytes)
        var chunk = [UInt8](repeating: 0, count: AgeChunk.tag + 1)
        var last = [UInt8](repeating: 0, count: AgeChunk.nonceBytes)
        AgeChunk.writeNonce(chunk: 0, last: true, into: &last)
        [UInt8(7)].withUnsafeBytes { plain in
            chunk.withUnsafeMutableBytes {
                AgeChunk.seal(plain, nonce: last, key: key.payloadKey(nonce: nonce), into: $0)
            }
        }
        file.append(0x20)
        file += tag
        file.append(0x0a)
        file += nonce
        file += chunk
        return file
    }

    @Test(arguments: [0, 4, 60, 64, 128]) func aStanzasBodyEndsWithAShortLine(count: Int) throws {
        let full = String(repeating: "A", count: 64) + "\n"
        let rest = String(repeating: "A", count: count % 64) + "\n"
        let body = String(repeating: full, count: count / 64) + rest
        #expect(try AgeOpener.open(handmade("-> note\n" + body), with: [Self.identity]) == [7])
    }

    @Test(arguments: [
        "A\n", "AAB\n", "AA==\n", "A A\n", "AAAA\r\n", "\nAAAA\n", "AAAA\nAAAA\n",
        String(repeating: "A", count: 68) + "\n", String(repeating: "A", count: 128) + "\n",
        String(repeating: "A", count: 64) + "\n",
    ]) func aStanzasBodyOfAnotherFormIsRefused(body: String) {
        let error = errorThrown(AgeError.self) {
            try AgeOpener.open(handmade("-> note\n" + body), with: [Self.identity])
        }
        #expect(error?.word == "header failure")
    }

    @Test(arguments: [
        "->\n\n", "-> \n\n", "->note\n\n", "->  note\n\n", "-> note \n\n", "-> n\u{e9}\n\n", "\n",
    ])
    func aStanzasFirstLineOfAnotherFormIsRefused(lines: String) {
        let error = errorThrown(AgeError.self) {
            try AgeOpener.open(handmade(lines), with: [Self.identity])
        }
        #expect(error?.word == "header failure")
    }

    @Test(arguments: 0...255) func base64HasNoCharactersButItsOwn(byte: UInt8) {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for place in 0..<4 {
            var text = Array("AAAA".utf8)
            text[place] = byte
            #expect((AgeBase64.decode(text) != nil) == alphabet.utf8.contains(byte))
        }
    }

    @Test func aHeaderThatDoesNotEndIsRefusedAt64KiB() throws {
        let intro = Array("age-encryption.org/v1\n".utf8)
        let stanza = Array("-> note\n\n".utf8)
        var header = intro
        while header.count < AgeHeader.longest { header += stanza }
        header = Array(header.prefix(AgeHeader.longest))
        #expect(try AgeHeader.parse(header)?.bytes == nil)
        #expect(throws: AgeError.self) { try AgeHeader.parse(header + [0x2d]) }
        let line = intro + Array("-> ".utf8) + [UInt8](repeating: 0x61, count: AgeHeader.longest)
        #expect(throws: AgeError.self) { try AgeHeader.parse(line) }
    }

    @Test func aHeaderIsFoundOnlyWhenItIsWhole() throws {
        let file = Self.sealed([1])
        let header = try #require(try AgeHeader.parse(file))
        for count in 0..<header.bytes {
            #expect(try AgeHeader.parse(Array(file.prefix(count)))?.bytes == nil)
        }
        #expect(try AgeHeader.parse(Array(file.prefix(header.bytes)))?.bytes == header.bytes)
    }

    /// Random bytes, and files put together of age's own words, never open and never trap.
    @Test(arguments: 0..<500) func whatIsMadeUpIsRefused(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let words = [
            "age-encryption.org/v1\n", "-> ", "X25519", " ", "\n", "---", "--- ", "AAAA", "scrypt", "a/+9",
            String(repeating: "A", count: 43), String(repeating: "B", count: 64), "=", "\r", "\u{7f}",
            "\u{0}",
        ]
        var text = Bool.random(using: &generator) ? words[0] : ""
        for _ in 0..<Int.random(in: 0...40, using: &generator) {
            text += words.randomElement(using: &generator) ?? ""
        }
        #expect(outcome(Array(text.utf8))?.plain == [])
    }
}
