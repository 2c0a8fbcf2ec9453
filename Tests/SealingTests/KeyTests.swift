import TestSupport
import Testing

@testable import Sealing

@Suite struct KeyTests {
    /// The key of C2SP's vectors, whose recipient age-keygen gives.
    private let known = "AGE-SECRET-KEY-1EGTZVFFV20835NWYV6270LXYVK2VKNX2MMDKWYKLMGR48UAWX40Q2P2LM0"

    @Test func aKeyIsReadBackFromItsText() throws {
        let identity = AgeIdentity.generate()
        let read = try #require(AgeIdentity(identity.text))
        #expect(read.recipient == identity.recipient)
        #expect(identity.text.count == 74 && identity.recipient.description.count == 62)
        #expect(AgeRecipient(identity.recipient.description) == identity.recipient)
    }

    @Test func generatedKeysDiffer() {
        #expect(Set((0..<100).map { _ in AgeIdentity.generate().recipient }).count == 100)
    }

    @Test func aKeysTextIsOfOneCaseAndWhole() {
        let known = known
        #expect(AgeIdentity(known)?.text == known)
        #expect(AgeIdentity(known.lowercased()) == nil)
        #expect(AgeIdentity(known.replacing("EGTZ", with: "egtz")) == nil)
        #expect(AgeIdentity(" " + known) == nil)
        #expect(AgeIdentity(known + "\n") == nil)
        #expect(AgeRecipient(known) == nil)
        let recipient = AgeIdentity.generate().recipient.description
        #expect(AgeRecipient(recipient.uppercased()) == nil)
        #expect(AgeIdentity(recipient) == nil)
    }

    @Test func everyWrongCharacterIsNoticed() {
        let text = Array(known.utf8)
        for place in text.indices {
            var wrong = text
            wrong[place] = wrong[place] == UInt8(ascii: "Q") ? UInt8(ascii: "P") : UInt8(ascii: "Q")
            #expect(AgeIdentity(String(decoding: wrong, as: UTF8.self)) == nil, "place \(place)")
            wrong.remove(at: place)
            #expect(AgeIdentity(String(decoding: wrong, as: UTF8.self)) == nil, "without place \(place)")
        }
    }

    @Test(arguments: [
        "", "age1", "1", "age", "age1qqqqqq", "AGE-SECRET-KEY-1", "age1" + String(repeating: "q", count: 58),
    ])
    func whatIsNoKeyIsNone(text: String) {
        #expect(AgeRecipient(text) == nil)
        #expect(AgeIdentity(text) == nil)
    }

    /// Points of order 1, 2, 4 and 8 (RFC 7748 §6.1): anybody knows what is shared with them.
    @Test(arguments: [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ]) func aPointOfLowOrderIsNoRecipient(hex: String) throws {
        let point = try #require(hexBytes(hex))
        #expect(AgeRecipient(publicKey: point) == nil)
        #expect(AgeRecipient(Bech32.encode(point, prefix: "age")) == nil)
    }

    @Test func aKeyFileIsReadBack() throws {
        let identity = AgeIdentity.generate()
        let read = try AgeIdentity.parse(file: identity.file())
        #expect(read.map(\.text) == [identity.text])
    }

    @Test func aKeyFileMayHoldCommentsEmptyLinesAndSeveralKeys() throws {
        let keys = [AgeIdentity.generate(), AgeIdentity.generate()]
        let text = "# created: today\n\n\(keys[0].text)\r\n#\n\(keys[1].text)"
        #expect(try AgeIdentity.parse(file: Array(text.utf8)).map(\.text) == keys.map(\.text))
    }

    @Test(arguments: ["", "\n", "# nothing\n", "AGE-SECRET-KEY-1\n", "age1\n"])
    func aFileWithoutAKeyIsRefused(text: String) {
        let error = errorThrown(AgeError.self) { try AgeIdentity.parse(file: Array(text.utf8)) }
        #expect(error?.word == "no vector asks for it")
    }

    /// BIP 173's valid texts that are whole bytes, and some that are not valid.
    @Test func bech32FollowsItsStandard() {
        #expect(Bech32.decode("a12uel5l", prefix: "a") == [])
        #expect(Bech32.decode("A12UEL5L", prefix: "A") == [])
        #expect(
            Bech32.encode(
                [],
                prefix: "an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio")
                == "an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1tt5tgs"
        )
        #expect(Bech32.decode("abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw", prefix: "abcdef")?.count == 20)
        for wrong in ["a12uel5k", "a12UEL5L", "a2uel5l", "a1", "a12uel5"] {
            #expect(Bech32.decode(wrong, prefix: "a") == nil)
        }
    }
}
