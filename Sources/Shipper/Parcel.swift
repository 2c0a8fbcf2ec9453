import Outbox
import Sealing
import Wire

/// What is delivered as one: an utterance (manifest, then audio) or the record of a gap (its manifest alone).
enum Parcel: Equatable, Sendable {
    case item(OutboxItem)
    case gap(OutboxGap)

    var name: ItemName {
        switch self {
        case .item(let item): item.name
        case .gap(let gap): gap.name
        }
    }

    var manifestPath: String {
        switch self {
        case .item(let item): item.manifestPath
        case .gap(let gap): gap.manifestPath
        }
    }
}

/// One upload of a parcel: where its bytes are and what the host is told of them.
struct Cargo: Equatable, Sendable {
    let kind: UploadKind
    let path: String
    let upload: TusSession.Upload
    let metadata: UploadMetadata

    private init?(
        _ name: ItemName, kind: UploadKind, path: String, length: Int, sha256: String, format: String
    ) {
        guard let digest = ReprDigest(hex: sha256) else { return nil }
        let key = UploadKey.text(utterance: name.id, kind: kind)
        let id = SHA256.digest(of: Array(key.utf8)).hex
        self.kind = kind
        self.path = path
        upload = TusSession.Upload(length: length, digest: digest, location: HostPath.upload(id))
        metadata = UploadMetadata(
            filename: "\(name).\(format)", filetype: Self.mediaType(format), utterance: name.id, kind: kind,
            seq: name.seq, sha256: sha256)
    }

    private static func mediaType(_ format: String) -> String {
        switch format {
        case "opus": "audio/ogg"
        case "flac": "audio/flac"
        case "wav": "audio/wav"
        case "json": "application/json"
        default: "application/octet-stream"
        }
    }

    /// The cargo of a parcel in the order of delivery. Reads the manifest, whose own hash is computed and which
    /// holds the audio's.
    static func of(_ parcel: Parcel) throws(ShipperError) -> [Cargo] {
        let path = parcel.manifestPath
        var bytes: [UInt8] = []
        try UploadFile(path: path).read { bytes += $0 }
        let manifest: Manifest
        do { manifest = try Manifest(parsing: bytes) } catch {
            throw .damagedManifest(path: path, reason: error.description)
        }
        guard manifest.utterance == parcel.name.id else {
            throw .damagedManifest(path: path, reason: "It belongs to another recording.")
        }
        let hash = SHA256.digest(of: bytes).hex
        guard
            let first = Cargo(
                parcel.name, kind: .manifest, path: path, length: bytes.count, sha256: hash, format: "json")
        else { throw .damagedManifest(path: path, reason: "It has no hash.") }
        switch parcel {
        case .gap: return [first]
        case .item(let item):
            guard
                let audio = Cargo(
                    item.name, kind: .audio, path: item.audioPath, length: item.audioBytes,
                    sha256: manifest.sha256, format: item.format)
            else { throw .damagedManifest(path: path, reason: "It does not hold the audio's SHA-256.") }
            return [first, audio]
        }
    }
}
