import Testing

@testable import Sealing

@Suite struct SigningKeyTests {
    /// RFC 8032, §7.1: tests 1 to 3.
    struct Case: Sendable {
        let seed, key, message, signature: String
    }

    @Test(arguments: [
        Case(
            seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            key: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", message: "",
            signature: "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
                + "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
        Case(
            seed: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            key: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", message: "72",
            signature: "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
        Case(
            seed: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            key: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", message: "af82",
            signature: "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
                + "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"),
    ]) func signsAsTheStandardSays(example: Case) throws {
        let key = try #require(hexBytes(example.seed).flatMap { SigningKey(seed: $0) })
        let message = try #require(hexBytes(example.message))
        #expect(key.publicKeyHex == example.key)
        #expect(hexText(key.sign(message)) == example.signature)
        #expect(signatureFits(key.sign(message), message, publicKeyHex: example.key))
    }

    @Test func aKeyIsMadeAgainFromItsSeed() throws {
        let key = SigningKey.generate()
        let again = try #require(SigningKey(seed: key.seed))
        #expect(again.publicKeyHex == key.publicKeyHex && key.publicKeyHex.count == 64)
        #expect(again.sign([1, 2, 3]) == key.sign([1, 2, 3]))
        #expect(SigningKey(seed: []) == nil)
        #expect(SigningKey(seed: key.seed + [0]) == nil)
    }

    @Test func anythingChangedDoesNotFit() {
        let key = SigningKey.generate()
        let message = Array("lapel audio".utf8)
        let signature = key.sign(message)
        for bit in 0..<(8 * signature.count) {
            var wrong = signature
            wrong[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!signatureFits(wrong, message, publicKeyHex: key.publicKeyHex))
        }
        #expect(!signatureFits(signature, message + [0], publicKeyHex: key.publicKeyHex))
        #expect(!signatureFits(signature, message, publicKeyHex: SigningKey.generate().publicKeyHex))
    }

    @Test func whatHasAnotherShapeDoesNotFit() {
        let key = SigningKey.generate()
        let signature = key.sign([])
        #expect(!signatureFits([], [], publicKeyHex: key.publicKeyHex))
        #expect(!signatureFits(signature + [0], [], publicKeyHex: key.publicKeyHex))
        for wrong in ["", "00", key.publicKeyHex + "00", String(key.publicKeyHex.dropLast()) + "x"] {
            #expect(!signatureFits(signature, [], publicKeyHex: wrong))
        }
    }
}
