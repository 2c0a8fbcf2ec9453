import TestSupport
import Testing

@testable import Wire

struct HeaderTests {
    private let id = String(repeating: "0f", count: 16)
    private let hash = String(repeating: "a0", count: 32)

    // RFC 4648, section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func base64FollowsTheVectorsOfItsStandard(plain: String, text: String) {
        #expect(Base64.encode(plain.utf8) == text)
        #expect(Base64.decode(text) == Array(plain.utf8))
    }

    @Test(arguments: [
        "Z", "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Z g=", "Zg==Zg==", "=", "====", "Zm-v", "Zm9v\n",
    ])
    func base64ThatNoEncoderWritesIsRefused(text: String) { #expect(Base64.decode(text) == nil) }

    @Test func codersReverseThemselves() {
        var random = SeededGenerator(seed: 3)
        for count in 0..<300 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
            #expect(Base64.decodeURLSafe(Base64.encodeURLSafe(bytes)) == bytes)
            #expect(Hex.decode(Hex.encode(bytes)) == bytes)
        }
        #expect(Base64.encodeURLSafe([0xFB, 0xFF]) == "-_8")
        #expect(Hex.decode("0") == nil && Hex.decode("0g") == nil && Hex.decode("aF") == [0xAF])
    }

    @Test func metadataIsReadBackTheSame() throws {
        let metadata = UploadMetadata(
            filename: "größe, 1.opus", filetype: "audio/ogg", utterance: id, kind: .audio, seq: 12,
            sha256: hash,
            signature: String(repeating: "0", count: 128))
        #expect(try UploadMetadata(parsing: metadata.header) == metadata)
    }

    @Test func metadataOfAForeignClientIsANameAndAType() throws {
        let metadata = try UploadMetadata(parsing: "filename YS53YXY=, is_confidential ,x Zm9v")
        #expect(metadata == UploadMetadata(filename: "a.wav"))
        #expect(try UploadMetadata(parsing: "") == UploadMetadata())
    }

    @Test(arguments: [
        "utt Zm9v", "filename !!!!", "filename YQ==,filename YQ==", "a b c", "filename /w==",
    ])
    func damagedMetadataIsRefused(header: String) {
        #expect(throws: WireError.self) { try UploadMetadata(parsing: header) }
    }

    @Test func anUploadOfAnUtteranceMustSayAllOfIt() {
        let whole = UploadMetadata(utterance: id, kind: .audio, seq: 12, sha256: hash)
        for omit in [\UploadMetadata.sha256] {
            var part = whole
            part[keyPath: omit] = nil
            #expect(throws: WireError.self) { try UploadMetadata(parsing: part.header) }
        }
        for (kind, seq) in [(UploadKind?.none, UInt64?.some(1)), (.audio, nil), (.audio, 10_000_000_000)] {
            let part = UploadMetadata(utterance: id, kind: kind, seq: seq, sha256: hash)
            #expect(throws: WireError.self) { try UploadMetadata(parsing: part.header) }
        }
    }

    // RFC 9530, appendix B.1.
    @Test func theDigestFollowsItsStandard() throws {
        let header = "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:"
        let digest = try ReprDigest(parsing: header)
        #expect(digest.header == header)
        #expect(ReprDigest(hex: digest.hex) == digest)
        #expect(try ReprDigest(parsing: "sha-512=:YWJj:, " + header + ", unixsum=:MQ==:") == digest)
    }

    @Test(arguments: [
        "", "sha-256=", "sha-256=:RK/0:", "sha-256=RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=",
        "sha-512=:YWJj:",
    ])
    func aDamagedDigestIsRefused(header: String) {
        #expect(throws: WireError.self) { try ReprDigest(parsing: header) }
    }

    @Test func theClockIsReadBackTheSame() throws {
        let clock = LapelClock(bootID: "0b2f8f57-5e7c-4c5c-9a39-6a4bb2ee51f2", boot: 12, monotonic: .max)
        #expect(clock.header == "0b2f8f57-5e7c-4c5c-9a39-6a4bb2ee51f2, 12, 9223372036854775807")
        #expect(try LapelClock(parsing: clock.header) == clock)
    }

    @Test(arguments: ["", "a, 1", "a, 1, 2, 3", ", 1, 2", "a b, 1, 2", "a, -1, 2", "a, x, 2", "a\n, 1, 2"])
    func aDamagedClockIsRefused(header: String) {
        #expect(throws: WireError.self) { try LapelClock(parsing: header) }
    }

    @Test func backOffGrowsFromOneSecondToFiveMinutes() {
        var shortest = BackOff()
        var longest = BackOff()
        #expect(
            (0..<10).map { _ in shortest.next(random: 0).components.seconds } == [
                1, 2, 4, 8, 16, 32, 64, 128, 150, 150,
            ])
        let most = (0..<10).map { _ in longest.next(random: .max) }
        #expect(most.last ?? .zero <= .seconds(300) && most.last ?? .zero > .seconds(299))
        shortest.reset()
        #expect(shortest == BackOff())
    }

    @Test func retryAfterCountsWithinReason() {
        var backOff = BackOff()
        #expect(backOff.next(random: 0, retryAfter: .seconds(7)) == .seconds(7))
        #expect(backOff.next(random: 0, retryAfter: .zero) == .seconds(1))
        #expect(backOff.next(random: 0, retryAfter: .seconds(1_000_000)) == .seconds(3600))
    }
}
