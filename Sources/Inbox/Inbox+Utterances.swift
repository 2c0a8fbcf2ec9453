import Catalogue
import Wire

/// An utterance as far as it has come.
package struct StoredUtterance: Equatable, Sendable {
    /// The stored recording.
    package struct Audio: Equatable, Sendable {
        let name: ShelfName
        /// Of the file.
        package let bytes: Int
        /// The stored file; `withAudio` opens a sealed one.
        package let path: String

        /// 64 hexadecimal digits.
        package var sha256: String { name.sha256 }
        /// It is an age file.
        package var isSealed: Bool { name.ext.hasSuffix(".age") }
    }

    /// 32 hexadecimal digits.
    package let id: String
    /// Its place in the device's order.
    package let seq: UInt64
    /// The pin that sent its first part.
    package let device: String
    /// The device's name as paired; nil for one that was removed.
    package let deviceName: String?
    /// Nil until it has rung.
    package let manifest: Manifest?
    /// Nil until the recording is here.
    package let audio: Audio?
    /// When its first part was stored, milliseconds since 1970.
    package let firstAt: Int64
    /// When it was whole, milliseconds since 1970; nil until then.
    package let storedAt: Int64?

    /// Both parts are here, and the manifest names this audio.
    package var isWhole: Bool { storedAt != nil && !namesOtherAudio }

    /// The manifest names another recording than the one that came.
    package var namesOtherAudio: Bool {
        guard let manifest, let audio, !manifest.sha256.isEmpty else { return false }
        return manifest.sha256 != audio.sha256
    }
}

extension Inbox {
    /// All utterances whose id begins with `prefix`, in the order in which they came.
    package func utterances(idPrefix prefix: String = "", limit: Int = .max) throws(InboxError)
        -> [StoredUtterance]
    {
        try store { () throws(StoreError) in try catalogue.utterances(idPrefix: prefix, limit: limit) }
            .map(stored)
    }

    func stored(_ row: CataloguedUtterance) -> StoredUtterance {
        StoredUtterance(
            id: row.id, seq: row.seq, device: row.device, deviceName: row.deviceName,
            manifest: row.manifest.flatMap { try? Manifest(parsing: $0) },
            audio: row.audio.map { .init(name: $0.name, bytes: $0.bytes, path: shelf.place(of: $0.name)) },
            firstAt: row.firstAt, storedAt: row.storedAt)
    }
}
