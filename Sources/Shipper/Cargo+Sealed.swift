import Outbox
import Sealing
import Wire

extension Cargo {
    /// The cargo of a sealed utterance in the order of delivery. The device cannot open its manifest: the audio's hash
    /// comes from `note`, what the manifest's header says. Of a part that a crash left, audio and tail are hashed here.
    static func of(
        _ item: OutboxItem, _ note: SealedNote, signing: SigningKey?
    ) throws(ShipperError) -> [Cargo] {
        let bytes = try read(item.manifestPath)
        let manifest = manifest(bytes, item.name, format: "json.age", signing: signing)
        let format = item.format + ".age"
        switch note.audio {
        case .whole(let sha256, _):
            let audio = computed(
                item.name, .audio, .file(item.audioPath), item.audioBytes, sha256, format, signing)
            return [manifest, audio]
        case .part:
            return [
                manifest, try hashed(item.name, .audio, item.audioPath, format, signing),
                try hashed(item.name, .tail, item.tailPath, "tail", signing),
            ]
        }
    }

    /// A file whose hash stands nowhere; empty when there is none.
    private static func hashed(
        _ name: ItemName, _ kind: UploadKind, _ path: String?, _ format: String, _ signing: SigningKey?
    ) throws(ShipperError) -> Cargo {
        var hash = SHA256()
        var length = 0
        if let path {
            try CargoReader(path: path).read {
                hash.update($0)
                length += $0.count
            }
        }
        return computed(
            name, kind, path.map(Source.file) ?? .memory([]), length, hash.finish(), format, signing)
    }

    private static func computed(
        _ name: ItemName, _ kind: UploadKind, _ source: Source, _ length: Int, _ sha256: Digest,
        _ format: String, _ signing: SigningKey?
    ) -> Cargo {
        guard
            let cargo = Cargo(
                name, kind: kind, source: source, length: length, sha256: sha256.hex, format: format,
                signing: signing)
        else { preconditionFailure("a digest has 64 digits") }
        return cargo
    }
}
