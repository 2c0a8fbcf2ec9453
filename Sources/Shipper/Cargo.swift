import Outbox
import Sealing
import Wire

/// One upload of a parcel: where its bytes are and what the host is told of them.
struct Cargo: Equatable, Sendable {
    enum Source: Equatable, Sendable {
        /// A manifest: small, and read anyway for its hash.
        case memory([UInt8])
        /// Audio and tail, streamed from here.
        case file(String)
    }

    let kind: UploadKind
    let source: Source
    let upload: TusSession.Upload
    let metadata: UploadMetadata

    /// - Parameters:
    ///   - sha256: of the whole upload; nil comes back for what is not 64 hexadecimal digits.
    ///   - format: the file's ending, `opus` or `opus.age`.
    ///   - signing: signs hash, kind and utterance; nil where the host knows no key of this device.
    init?(
        _ name: ItemName, kind: UploadKind, source: Source, length: Int, sha256: String, format: String,
        signing: SigningKey?
    ) {
        guard let digest = ReprDigest(hex: sha256) else { return nil }
        let key = UploadKey.text(utterance: name.id, kind: kind)
        let id = SHA256.digest(of: Array(key.utf8)).hex
        let signed = UploadKey.signedText(utterance: name.id, kind: kind, sha256: sha256)
        self.kind = kind
        self.source = source
        upload = TusSession.Upload(length: length, digest: digest, location: HostPath.upload(id))
        metadata = UploadMetadata(
            filename: "\(name).\(format)", filetype: Self.mediaType(format), utterance: name.id, kind: kind,
            seq: name.seq, sha256: sha256, signature: signing.map { hexText($0.sign(Array(signed.utf8))) })
    }

    private init(_ cargo: Cargo, upload: TusSession.Upload, metadata: UploadMetadata) {
        kind = cargo.kind
        source = cargo.source
        self.upload = upload
        self.metadata = metadata
    }

    /// The same bytes for a server that is not Lapel's: it chooses the place, and is told name and type alone.
    func addressed(to server: ForeignServer) -> Cargo {
        let upload = TusSession.Upload(
            length: upload.length, digest: upload.digest, paired: false, location: nil,
            creationPath: server.path)
        let metadata = UploadMetadata(filename: metadata.filename, filetype: metadata.filetype)
        return Cargo(self, upload: upload, metadata: metadata)
    }

    private static func mediaType(_ format: String) -> String {
        switch format {
        case "opus": "audio/ogg"
        case "flac": "audio/flac"
        case "wav": "audio/wav"
        case "json": "application/json"
        // Of what lies inside, a sealed file tells its name alone.
        case _ where format.hasSuffix(".age"): "application/age"
        default: "application/octet-stream"
        }
    }

    /// The cargo of an utterance in the order of delivery. Reads the manifest, whose own hash is computed and which
    /// holds the audio's.
    static func of(_ item: OutboxItem, signing: SigningKey?) throws(ShipperError) -> [Cargo] {
        let path = item.manifestPath
        let bytes = try read(path)
        let manifest: Manifest
        do { manifest = try Manifest(parsing: bytes) } catch {
            throw .damagedManifest(path: path, reason: error.description)
        }
        guard manifest.utterance == item.name.id else {
            throw .damagedManifest(path: path, reason: "It belongs to another recording.")
        }
        guard
            let audio = Cargo(
                item.name, kind: .audio, source: .file(item.audioPath), length: item.audioBytes,
                sha256: manifest.sha256, format: item.format, signing: signing)
        else { throw .damagedManifest(path: path, reason: "It does not hold the audio's SHA-256.") }
        return [self.manifest(bytes, item.name, signing: signing), audio]
    }

    /// A manifest by itself; `bytes` is its coding, `format` its file's ending.
    static func manifest(
        _ bytes: [UInt8], _ name: ItemName, format: String = "json", signing: SigningKey?
    ) -> Cargo {
        let hash = SHA256.digest(of: bytes).hex
        guard
            let cargo = Cargo(
                name, kind: .manifest, source: .memory(bytes), length: bytes.count, sha256: hash,
                format: format, signing: signing)
        else { preconditionFailure("a computed hash has 64 digits") }
        return cargo
    }

    static func read(_ path: String) throws(ShipperError) -> [UInt8] {
        var bytes: [UInt8] = []
        try CargoReader(path: path).read { bytes += $0 }
        return bytes
    }
}
