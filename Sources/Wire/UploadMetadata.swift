/// What one upload carries of an utterance.
package enum UploadKind: String, CaseIterable, Hashable, Sendable {
    /// The recording.
    case audio
    /// The manifest: it rings.
    case manifest
    /// What a sealed recording that a power cut ended holds beyond its last whole chunk.
    case tail
}

/// The identity of an upload: its id is the hash of this text, so that a repeated creation finds the first one.
package enum UploadKey {
    /// The text whose SHA-256, as 64 lower-case hexadecimal digits, is the id in `/v1/up/<id>`.
    package static func text(utterance: String, kind: UploadKind) -> String {
        utterance + "/" + kind.rawValue
    }

    /// The ASCII text that a device signs for an upload, because age does not authenticate a sender. Kind and
    /// utterance stand in it, so that a signature cannot be moved to another part.
    package static func signedText(utterance: String, kind: UploadKind, sha256: String) -> String {
        "lapel \(kind.rawValue) \(utterance) \(sha256)"
    }
}

/// The `Upload-Metadata` header of tus 1.0.0 (creation extension): `key base64,key base64`.
///
/// A foreign client sends no `utt`; then all that may be there is a file's name and type.
package struct UploadMetadata: Equatable, Sendable {
    /// A name to show, never a path to open.
    package var filename: String?
    /// Media type, for example `audio/ogg`.
    package var filetype: String?
    /// 32 lower-case hexadecimal digits; written `utt`.
    package var utterance: String?
    package var kind: UploadKind?
    package var seq: UInt64?
    /// Of the whole upload: 64 lower-case hexadecimal digits.
    package var sha256: String?
    /// The device's Ed25519 signature of `UploadKey.signedText`: 128 lower-case hexadecimal digits; written `sig`.
    package var signature: String?

    package init(
        filename: String? = nil, filetype: String? = nil, utterance: String? = nil, kind: UploadKind? = nil,
        seq: UInt64? = nil, sha256: String? = nil, signature: String? = nil
    ) {
        self.filename = filename
        self.filetype = filetype
        self.utterance = utterance
        self.kind = kind
        self.seq = seq
        self.sha256 = sha256
        self.signature = signature
    }

    /// The header's value.
    package var header: String {
        let pairs: [(String, String?)] = [
            ("filename", filename), ("filetype", filetype), ("utt", utterance), ("kind", kind?.rawValue),
            ("seq", seq.map { String($0) }), ("sha256", sha256), ("sig", signature),
        ]
        return pairs.compactMap { key, value in value.map { key + " " + Base64.encode($0.utf8) } }
            .joined(separator: ",")
    }

    /// Reads a header's value: unknown keys are passed over, known ones must be what they say they are, and an
    /// upload of an utterance must say which, of what kind, its seq and its hash.
    package init(parsing header: String) throws(WireError) {
        var values: [String: String] = [:]
        for pair in header.split(separator: ",") {
            let words = pair.split(separator: " ")
            guard let key = words.first, words.count <= 2 else {
                throw Self.wrong("a pair is not \"key base64\"")
            }
            guard values[String(key)] == nil else { throw Self.wrong("the key \(key) stands twice") }
            guard let bytes = Base64.decode(words.count == 2 ? words[1] : ""),
                let text = String(validating: bytes, as: UTF8.self)
            else { throw Self.wrong("the value of \(key) is not base64 of a text") }
            values[String(key)] = text
        }
        self.init(filename: values["filename"], filetype: values["filetype"])
        guard let id = values["utt"] else { return }
        guard Hex.isLowercase(id, digits: 32) else { throw Self.wrong("utt is not 32 hexadecimal digits") }
        guard let kind = values["kind"].flatMap(UploadKind.init(rawValue:)) else {
            throw Self.wrong("kind is not audio, manifest or tail")
        }
        guard let seq = values["seq"].flatMap({ UInt64($0) }), seq <= 9_999_999_999 else {
            throw Self.wrong("seq is not a number of at most 10 digits")
        }
        guard let hash = values["sha256"], Hex.isLowercase(hash, digits: 64) else {
            throw Self.wrong("sha256 is not 64 hexadecimal digits")
        }
        if let signature = values["sig"], !Hex.isLowercase(signature, digits: 128) {
            throw Self.wrong("sig is not 128 hexadecimal digits")
        }
        utterance = id
        self.kind = kind
        self.seq = seq
        sha256 = hash
        signature = values["sig"]
    }

    private static func wrong(_ reason: String) -> WireError {
        .header(name: TusHeader.uploadMetadata, reason: reason)
    }
}
