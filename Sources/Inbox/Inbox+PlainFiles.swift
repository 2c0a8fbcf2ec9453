import Catalogue
import Sealing
import Wire

// Files of other tus clients: whoever holds a key that the owner added may send any file. It has no utterance and no
// announced hash; it is kept as it came.
//
// Order of its last steps: its hash is committed before the rename, because its name is its hash: a start that finds it
// under that name knows whose it is.

/// A file that another tus client announces.
package struct NewFile: Equatable, Sendable {
    /// Bytes.
    package let length: Int
    /// Of the stored file: lower-case letters and digits.
    package let ext: String
    /// `Upload-Metadata` as it came; empty for none.
    package let metadata: String
    /// The pin that creates it, 64 hexadecimal digits.
    package let device: String

    package init(length: Int, ext: String, metadata: String, device: String) {
        self.length = length
        self.ext = ext
        self.metadata = metadata
        self.device = device
    }

    /// From the header of a creation request that names no utterance.
    package init(_ metadata: UploadMetadata, header: String, length: Int, device: String) {
        self.init(
            length: length, ext: NewUpload.ext(of: metadata.filename ?? ""), metadata: header, device: device)
    }
}

/// A file of another tus client that is here.
package struct PlainFile: Equatable, Sendable {
    /// 32 hexadecimal digits: what `forget` takes.
    package let id: String
    /// As its client called it, without controls; nil when it did not.
    package let name: String?
    /// The pin that sent it.
    package let device: String
    /// The device's name; nil for one that was removed.
    package let deviceName: String?
    package let bytes: Int
    /// 64 hexadecimal digits.
    package let sha256: String
    /// The stored file.
    package let path: String
    /// Milliseconds since 1970.
    package let storedAt: Int64
}

extension Inbox {
    /// Begins a plain file; each call begins another one. Throws `tooMuch`, `overQuota`, `tooManyHalves`, `noRoom`,
    /// `file`, `store`. Blocks for no sync.
    package func create(file new: NewFile) throws(InboxError) -> Upload {
        guard new.length <= settings.largestUpload else { throw .tooMuch(length: settings.largestUpload) }
        try checkBounds(device: new.device, length: new.length)
        let id = Hex.encode(randomBytes(32))
        let now = clock.now().milliseconds
        let announcement = AnnouncedUpload(
            id: id, utterance: randomID(), kind: .file, seq: 0, device: new.device, length: new.length,
            sha256: "", ext: new.ext, metadata: new.metadata, at: now)
        _ = try store { () throws(StoreError) in try catalogue.announce(announcement) }
        guard let made = try find(id) else { throw .unknownUpload }
        try reserve(made)
        return made
    }

    /// The whole plain files whose id begins with `prefix`, in the order in which they came.
    package func plainFiles(idPrefix prefix: String = "") throws(InboxError) -> [PlainFile] {
        try store { () throws(StoreError) in try catalogue.files(idPrefix: prefix) }.map { file in
            let upload = file.upload
            return PlainFile(
                id: upload.utterance, name: Self.shownName(upload.metadata ?? ""), device: upload.device,
                deviceName: file.deviceName, bytes: upload.length, sha256: upload.sha256,
                path: shelf.place(of: upload.name), storedAt: file.storedAt)
        }
    }

    /// Commits what a file will be called.
    func name(_ upload: inout Upload, by sha256: String) throws(InboxError) {
        try store { () throws(StoreError) in try catalogue.name(upload: upload.id, sha256: sha256) }
        upload.sha256 = sha256
    }

    /// A name that may stand in a terminal: at most 100 characters, no control among them.
    private static func shownName(_ metadata: String) -> String? {
        guard let name = (try? UploadMetadata(parsing: metadata))?.filename else { return nil }
        let plain = name.unicodeScalars.filter { $0.properties.generalCategory != .control }
        let shown = String(String(String.UnicodeScalarView(plain)).prefix(100))
        return shown.isEmpty ? nil : shown
    }
}
