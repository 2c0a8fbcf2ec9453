import Wire

/// What an upload holds.
package enum StoredKind: String, Hashable, Sendable {
    case audio
    case manifest
    case tail
    /// Of another tus client: nothing is known of it but its bytes.
    case file

    package init(_ kind: UploadKind) {
        switch kind {
        case .audio: self = .audio
        case .manifest: self = .manifest
        case .tail: self = .tail
        }
    }
}

/// An upload as its row says. How many bytes are here is a property of its file, never of the row.
package struct Upload: Equatable, Sendable {
    /// SHA-256 of `UploadKey.text`, of a plain file at random: 64 hexadecimal digits.
    package let id: String
    /// 32 hexadecimal digits; of a plain file at random.
    package let utterance: String
    /// Which part of it.
    package let kind: StoredKind
    /// The utterance's place in the device's order.
    package let seq: UInt64
    /// The pin that created it.
    package let device: String
    /// Bytes that were announced.
    package let length: Int
    /// That was announced, 64 hexadecimal digits. Of a plain file it is found out when all bytes are here: empty until
    /// then.
    package var sha256: String
    /// Of the stored file.
    package let ext: String
    /// Stored durably, or withdrawn: its receipt may be given.
    package let complete: Bool
    /// Withdrawn: nothing of it is here, and nothing of it is taken again.
    package let forgotten: Bool
    /// Of a plain file: `Upload-Metadata` as its client sent it.
    package let metadata: String?

    package init(
        id: String, utterance: String, kind: StoredKind, seq: UInt64, device: String, length: Int,
        sha256: String, ext: String, complete: Bool, forgotten: Bool, metadata: String?
    ) {
        self.id = id
        self.utterance = utterance
        self.kind = kind
        self.seq = seq
        self.device = device
        self.length = length
        self.sha256 = sha256
        self.ext = ext
        self.complete = complete
        self.forgotten = forgotten
        self.metadata = metadata
    }

    /// It is an age file, or should be one.
    package var sealed: Bool { ext.hasSuffix(".age") }
    /// What it is called on a shelf.
    package var name: ShelfName { ShelfName(sha256: sha256, ext: ext) }
}

/// A row that an upload begins with.
package struct AnnouncedUpload: Equatable, Sendable {
    /// As an upload's: its id, utterance, part, place, creating pin, length, hash, ending and metadata.
    package let id: String
    package let utterance: String
    package let kind: StoredKind
    package let seq: UInt64
    package let device: String
    package let length: Int
    package let sha256: String
    package let ext: String
    package let metadata: String?
    /// By the device's key, 128 hexadecimal digits; nil when there is none.
    package let signature: String?
    /// Milliseconds since 1970.
    package let at: Int64

    package init(
        id: String, utterance: String, kind: StoredKind, seq: UInt64, device: String, length: Int,
        sha256: String, ext: String, metadata: String? = nil, signature: String? = nil, at: Int64
    ) {
        self.id = id
        self.utterance = utterance
        self.kind = kind
        self.seq = seq
        self.device = device
        self.length = length
        self.sha256 = sha256
        self.ext = ext
        self.metadata = metadata
        self.signature = signature
        self.at = at
    }
}

/// Which uploads are asked for.
package enum UploadSelection: Equatable, Sendable {
    case all
    case of(utterance: String)
    /// Not complete, and announced before this, milliseconds since 1970. Manifests come before what was announced in
    /// the same millisecond, and older ones before younger ones.
    case half(announcedBefore: Int64)
    case withdrawn
}

/// A whole file of another tus client.
package struct CataloguedFile: Equatable, Sendable {
    package let upload: Upload
    /// The device's name; nil for one that was removed.
    package let deviceName: String?
    /// Milliseconds since 1970.
    package let storedAt: Int64

    package init(upload: Upload, deviceName: String?, storedAt: Int64) {
        self.upload = upload
        self.deviceName = deviceName
        self.storedAt = storedAt
    }
}
