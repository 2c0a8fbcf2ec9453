import Catalogue
import Wire

/// What a device announces when it creates an upload.
package struct NewUpload: Equatable, Sendable {
    /// 32 hexadecimal digits.
    package let utterance: String
    /// Which part of it.
    package let kind: UploadKind
    /// The utterance's place in the device's order.
    package let seq: UInt64
    /// Bytes.
    package let length: Int
    /// 64 lower-case hexadecimal digits.
    package let sha256: String
    /// Of the stored file: lower-case letters and digits; a sealed one's is two, such as `opus.age`.
    package let ext: String
    /// The pin that creates it, 64 hexadecimal digits.
    package let device: String
    /// By the device's Ed25519 key over `UploadKey.signedText`, 128 hexadecimal digits; nil when there is none.
    package let signature: String?

    package init(
        utterance: String, kind: UploadKind, seq: UInt64, length: Int, sha256: String, ext: String,
        device: String, signature: String? = nil
    ) {
        self.utterance = utterance
        self.kind = kind
        self.seq = seq
        self.length = length
        self.sha256 = sha256
        self.ext = ext
        self.device = device
        self.signature = signature
    }

    /// From the header of a creation request; nil when it names no utterance.
    package init?(_ metadata: UploadMetadata, length: Int, device: String) {
        guard let utterance = metadata.utterance, let kind = metadata.kind, let seq = metadata.seq,
            let sha256 = metadata.sha256
        else { return nil }
        self.init(
            utterance: utterance, kind: kind, seq: seq, length: length, sha256: sha256,
            ext: Self.ext(of: metadata.filename ?? ""), device: device, signature: metadata.signature)
    }

    /// What follows the last dot of a name, when it is 1 to 8 lower-case letters and digits; else "bin". A sealed
    /// file keeps that of what is in it: `opus.age`.
    static func ext(of filename: String) -> String {
        guard filename.hasSuffix(".age") else { return plainExt(of: filename[...]) }
        return plainExt(of: filename.dropLast(4)) + ".age"
    }

    private static func plainExt(of filename: Substring) -> String {
        guard let dot = filename.lastIndex(of: ".") else { return "bin" }
        let ext = filename[filename.index(after: dot)...]
        let plain = ext.utf8.allSatisfy { (48...57).contains($0) || (97...122).contains($0) }
        return plain && (1...8).contains(ext.utf8.count) ? String(ext) : "bin"
    }
}

/// Where an upload stands.
package enum UploadState: Equatable, Sendable {
    case partial(offset: Int)
    /// Another request is taking the last steps.
    case finishing
    /// Stored durably: the receipt may be given, again and again.
    case complete
}

/// What finishing an upload brought about.
package struct Finished: Equatable, Sendable {
    /// The one that is complete now.
    package let upload: Upload
    /// Whether the utterance became whole by it.
    package let madeWhole: Bool
}
