import Sealing
import TestSupport
import Testing

@Suite struct HashTests {
    /// FIPS 180-4 examples.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ]) func digestsAreThoseOfTheStandard(text: String, hex: String) {
        #expect(SHA256.digest(of: Array(text.utf8)).hex == hex)
    }

    @Test func piecesHashAsTheWhole() {
        var generator = SeededGenerator(seed: 3)
        let bytes = (0..<10_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        var hash = SHA256()
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 0...300, using: &generator))
            hash.update(Array(piece))
            rest = rest.dropFirst(piece.count)
        }
        #expect(hash.finish() == SHA256.digest(of: bytes))
    }

    @Test func theRunningHashGoesOnAfterItIsRead() {
        var hash = SHA256()
        hash.update([1])
        _ = hash.finish()
        hash.update([2])
        #expect(hash.finish() == SHA256.digest(of: [1, 2]))
    }

    @Test func aDigestIsReadBackFromItsText() {
        let digest = SHA256.digest(of: Array("abc".utf8))
        #expect(Digest(hex: digest.hex.uppercased()) == digest)
        #expect(digest.base64 == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
        for wrong in ["", "ab", digest.hex + "00", String(digest.hex.dropLast()) + "g"] {
            #expect(Digest(hex: wrong) == nil)
        }
    }

    @Test func identitiesAreThirtyTwoDigitsAndDiffer() {
        let ids = Set((0..<1_000).map { _ in randomID() })
        #expect(ids.count == 1_000)
        #expect(ids.allSatisfy { $0.count == 32 && hexBytes($0)?.count == 16 && $0 == $0.lowercased() })
    }

    @Test func secretsAreComparedWhole() {
        #expect(constantTimeEqual([1, 2, 3], [1, 2, 3]))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2, 4]))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2]))
        #expect(constantTimeEqual([], []))
    }
}
