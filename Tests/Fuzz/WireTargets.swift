import Wire

extension FuzzTarget {
    /// What is read is a document: written and read again it is the same.
    static let json = FuzzTarget(name: "json", longest: 4_096) {
        [
            "null", "[1,-2.5e3,\"\\u00e9\\ud83d\\ude00\",true,{\"a\":{}}]", "{\"a\":[[]],\"b\":\"\\n\"}",
            "1e308",
        ]
        .map { Array($0.utf8) }
    } check: { input, _ in
        guard let value = try? JSON(parsing: input) else { return }
        let written = value.bytes
        let read = try? JSON(parsing: written)
        try must(read == value, "JSON that was read is the same after writing and reading")
        try must(read?.bytes == written, "JSON is written in one way only")
    }

    /// What is read as a manifest can be written, and is the same when read again.
    static let manifest = FuzzTarget(name: "manifest", longest: 8_192) {
        [sampleManifest.encoded(), sampleGap.encoded()]
    } check: { input, _ in
        guard let first = try? Manifest(parsing: input) else { return }
        // Levels are rounded once, when they are written.
        guard let second = try? Manifest(parsing: first.encoded()) else {
            throw Broken(description: "a manifest that was read can be written and read again")
        }
        let third = try? Manifest(parsing: second.encoded())
        try must(third == second, "a manifest that was written is the same when read again")
        try must(second.sha256 == first.sha256 && second.seq == first.seq, "writing changes no fact")
        try must(
            ItemName(seq: first.seq, id: first.utterance) != nil, "a manifest's names are names of the outbox"
        )
    }

    /// Each header reads back what it wrote, and a location is a path whatever the other side says.
    static let headers = FuzzTarget(name: "headers", longest: 2_048) {
        let texts = [
            "\u{0}" + sampleMetadata.header,
            "\u{1}3f0d8e5c-1c44-4d7a-9a53-6f0d6c6f7a11, 12000000000, 11999999999",
            "\u{2}sha-512=:AAAA:, " + (ReprDigest(hex: sampleHash)?.header ?? ""), "\u{3}host.local:8443",
            "\u{3}[fe80::1%wlan0]:8443", "\u{4}https://other:1/v1/up/" + sampleHash, "\u{4}//other/x?y#z",
            "\u{4}up/3", "\u{5}0000000007-0123456789abcdef0123456789abcdef", "\u{6}AAECAwQ_-",
            "\u{7}AAECAw==",
        ]
        return texts.map { Array($0.utf8) }
    } check: { input, _ in
        let text = String(decoding: input.dropFirst(), as: UTF8.self)
        switch input.first.map({ $0 % 8 }) {
        case 0:
            guard let metadata = try? UploadMetadata(parsing: text) else { return }
            try must(
                (try? UploadMetadata(parsing: metadata.header)) == metadata, "Upload-Metadata reads back")
        case 1:
            guard let clock = try? LapelClock(parsing: text) else { return }
            try must((try? LapelClock(parsing: clock.header)) == clock, "Lapel-Clock reads back")
        case 2:
            guard let digest = try? ReprDigest(parsing: text) else { return }
            try must((try? ReprDigest(parsing: digest.header)) == digest, "Repr-Digest reads back")
            try must(ReprDigest(hex: digest.hex) == digest, "a digest's hexadecimal digits read back")
        case 3:
            guard let address = HostAddress(text) else { return }
            try must(HostAddress(address.description) == address, "an address reads back")
        case 4:
            guard let path = TusLocation.path(of: text, base: HostPath.uploads) else { return }
            try must(path.utf8.first == UInt8(ascii: "/"), "a location is a path on the same host")
            try must(
                path.utf8.allSatisfy { (33...126).contains($0) && $0 != 35 }, "a path fits into a request")
        case 5:
            guard let name = ItemName(text) else { return }
            try must(name.description == text, "an item has one name")
        case 6:
            guard let bytes = Base64.decodeURLSafe(text) else { return }
            try must(Base64.encodeURLSafe(bytes) == text, "bytes have one URL-safe base64")
        case 7:
            guard let bytes = Base64.decode(text) else { return }
            try must(Base64.decode(Base64.encode(bytes)) == bytes, "base64 reads back")
        default: return
        }
    }

    /// Pairing's URL, request and answer read back what they wrote.
    static let pairing = FuzzTarget(name: "pairing", longest: 2_048) {
        let url = PairingURL(
            hosts: [HostAddress("host.local:8443"), HostAddress("[fe80::1]:99")].compactMap { $0 },
            pin: [UInt8](repeating: 7, count: 32), token: [UInt8](repeating: 9, count: 16))
        let request = PairRequest(
            token: [UInt8](repeating: 9, count: 16), deviceName: "left wrist", signingKey: sampleHash,
            keys: ["AGE-SECRET-KEY-1"])
        let answer = PairAnswer(hostName: "study", replies: true, recipients: ["age1a", "age1b"])
        return [
            [0] + Array((url?.description ?? "").utf8), [0] + Array("LAPEL://pair?h=a%2eb&p=&t=00".utf8),
            [1] + request.json.bytes, [2] + answer.json.bytes,
        ]
    } check: { input, _ in
        let body = Array(input.dropFirst())
        switch input.first.map({ $0 % 3 }) {
        case 0:
            guard let url = try? PairingURL(parsing: String(decoding: body, as: UTF8.self)) else { return }
            try must((try? PairingURL(parsing: url.description)) == url, "a pairing URL reads back")
        case 1:
            guard let json = try? JSON(parsing: body), let request = try? PairRequest(json: json) else {
                return
            }
            try must((try? PairRequest(json: request.json)) == request, "a pairing request reads back")
        case 2:
            guard let json = try? JSON(parsing: body), let answer = try? PairAnswer(json: json) else {
                return
            }
            try must((try? PairAnswer(json: answer.json)) == answer, "a pairing answer reads back")
        default: return
        }
    }
}

let sampleHash = String(repeating: "0123456789abcdef", count: 4)
let sampleID = String(repeating: "0123456789abcdef", count: 2)

let sampleMetadata = UploadMetadata(
    filename: "0000000007-\(sampleID).opus.age", filetype: "application/age", utterance: sampleID,
    kind: .audio,
    seq: 7, sha256: sampleHash, signature: sampleHash + sampleHash)

let sampleManifest: Manifest = {
    var manifest = Manifest(
        utterance: sampleID, seq: 7, start: Manifest.Stamp(monotonic: 5, boot: 6, wall: -1), format: "opus",
        rate: 16_000, channels: 1)
    manifest.end = Manifest.Stamp(monotonic: 50, boot: 60, wall: 70)
    manifest.sha256 = sampleHash
    manifest.ruleParameters = ["hangover_s": 3, "margin_db": 6.5]
    manifest.readings = [
        Manifest.Reading(dbfs: -43.21, marks: 0, speech: "0102030405ff"),
        Manifest.Reading(dbfs: -120, marks: 3),
    ]
    manifest.wallSynchronised = false
    return manifest
}()

let sampleGap: Manifest = {
    var gap = sampleManifest
    gap.kind = .gap(lost: [3, 4])
    return gap
}()
