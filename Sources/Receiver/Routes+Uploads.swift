import Catalogue
import HTTPServer
import Identity
import Inbox
import Wire

extension Routes {
    /// `POST /v1/up`: the ring. With the bytes in its body, or with some of them, or without.
    func create(_ request: Request, _ pin: String) throws(InboxError) -> Opening {
        guard let length = request.count(TusHeader.uploadLength) else {
            return .settled(.refusal(400, "Upload-Length is missing or not a number of bytes."))
        }
        let metadata: UploadMetadata
        do { metadata = try UploadMetadata(parsing: request.header(TusHeader.uploadMetadata) ?? "") } catch {
            return .settled(.refusal(400, error.description))
        }
        let body: Body
        switch try self.body(request, room: length) {
        case .refused(let answer): return .settled(answer)
        case .taken(let taken): body = taken
        }
        guard let new = NewUpload(metadata, length: length, device: pin) else {
            return try createFile(metadata, length, body, request, pin)
        }
        let bringsAll = length <= TransferLimit.inlineBytes && request.count("Content-Length") == length
        let (upload, state) = try inbox.create(new, reserving: !bringsAll)
        switch state {
        // A repeated creation's bytes are the first ones: they are of use only to an upload that has none.
        case .partial(offset: 0) where request.hasBody:
            return try open(body, upload.id, from: 0, request, creation: true)
        case .partial(let offset): return .settled(try stand(upload, offset: offset, creation: true))
        case .finishing: throw .beingFinished
        case .complete: return .settled(receipt(upload, creation: true))
        }
    }

    /// A client that names no utterance is another tus client: its file is kept as it comes.
    private func createFile(
        _ metadata: UploadMetadata, _ length: Int, _ body: Body, _ request: Request, _ pin: String
    ) throws(InboxError) -> Opening {
        let header = request.header(TusHeader.uploadMetadata) ?? ""
        let upload = try inbox.create(file: NewFile(metadata, header: header, length: length, device: pin))
        if request.hasBody { return try open(body, upload.id, from: 0, request, creation: true) }
        return .settled(try stand(upload, offset: 0, creation: true))
    }

    /// `HEAD /v1/up/<id>`: an upload whose bytes are all here is finished now; its last request was lost.
    func head(_ id: String) throws(InboxError) -> Answer {
        guard let (asked, state) = try inbox.state(of: id) else { throw .unknownUpload }
        var upload = asked
        let offset: Int
        var headers: [(name: String, value: String)] = []
        switch state {
        case .finishing: throw .beingFinished
        case .partial(let stands) where stands < upload.length:
            offset = stands
            headers.append(expiry(upload))
        case .partial:
            upload = try finish(upload)
            offset = upload.length
            headers += reprDigest(upload)
        case .complete:
            offset = upload.length
            headers += reprDigest(upload)
        }
        headers += [
            (TusHeader.uploadOffset, String(offset)), (TusHeader.uploadLength, String(upload.length)),
            ("Cache-Control", "no-store"),
        ]
        // tus 1.0.0, creation: what was sent with it is in the answer to HEAD.
        if let metadata = upload.metadata, !metadata.isEmpty {
            headers.append((TusHeader.uploadMetadata, metadata))
        }
        return Answer(200, headers)
    }

    /// `PATCH /v1/up/<id>`: bytes from `Upload-Offset` on.
    func patch(_ request: Request, _ upload: Upload) throws(InboxError) -> Opening {
        guard let offset = request.count(TusHeader.uploadOffset) else {
            return .settled(.refusal(400, "Upload-Offset is missing or not a number of bytes."))
        }
        guard request.header(TusHeader.contentType) == TusHeader.bytesType else {
            return .settled(.refusal(415, "Content-Type must be \(TusHeader.bytesType)."))
        }
        if upload.complete {
            guard offset == upload.length else { throw .wrongOffset(stands: upload.length, asked: offset) }
            return .settled(receipt(upload, creation: false))
        }
        switch try body(request, room: upload.length - offset) {
        case .refused(let answer): return .settled(answer)
        case .taken(let body): return try open(body, upload.id, from: offset, request, creation: false)
        }
    }

    /// The answer to a request that brought bytes: the offset, or with the last byte the receipt.
    func stand(_ upload: Upload, offset: Int, creation: Bool) throws(InboxError) -> Answer {
        guard offset == upload.length else {
            var headers = [(TusHeader.uploadOffset, String(offset)), expiry(upload)]
            if creation { headers.append((TusHeader.location, HostPath.upload(upload.id))) }
            return Answer(creation ? 201 : 204, headers)
        }
        return receipt(try finish(upload), creation: creation)
    }

    private func finish(_ upload: Upload) throws(InboxError) -> Upload {
        let finished = try inbox.finish(upload.id)
        let upload = finished.upload
        switch upload.kind {
        case .manifest: report(.rang(utterance: upload.utterance, seq: upload.seq, pin: upload.device))
        case .audio, .tail, .file: break
        }
        report(
            .stored(
                utterance: upload.utterance, kind: upload.kind.rawValue, bytes: upload.length,
                sha256: upload.sha256, pin: upload.device, whole: finished.madeWhole))
        return upload
    }

    private func receipt(_ upload: Upload, creation: Bool) -> Answer {
        var headers = [(name: TusHeader.uploadOffset, value: String(upload.length))]
        headers += reprDigest(upload)
        if creation { headers.append((TusHeader.location, HostPath.upload(upload.id))) }
        return Answer(creation ? 201 : 204, headers)
    }

    private func reprDigest(_ upload: Upload) -> [(name: String, value: String)] {
        ReprDigest(hex: upload.sha256).map { [(TusHeader.reprDigest, $0.header)] } ?? []
    }

    private func expiry(_ upload: Upload) -> (name: String, value: String) {
        (TusHeader.uploadExpires, httpDate(inbox.expiry(of: upload)))
    }

    /// The body that a request announces.
    private enum Body {
        /// None, or one that is taken as it comes.
        case plain
        /// One whose bytes count only when they fit.
        case checked(UploadChecksum)
    }

    private enum BodyVerdict {
        case taken(Body)
        /// It cannot be taken for its size or form.
        case refused(Answer)
    }

    private func body(_ request: Request, room: Int) throws(InboxError) -> BodyVerdict {
        guard request.hasBody else { return .taken(.plain) }
        guard request.header(TusHeader.contentType) == TusHeader.bytesType else {
            return .refused(.refusal(415, "Content-Type must be \(TusHeader.bytesType)."))
        }
        guard (request.count("Content-Length") ?? 0) <= max(room, 0) else {
            return .refused(.refusal(413, "The body is longer than what is missing of the upload."))
        }
        guard let header = request.header(TusHeader.uploadChecksum) else { return .taken(.plain) }
        do throws(WireError) { return .taken(.checked(try UploadChecksum(parsing: header))) } catch {
            return .refused(.refusal(400, error.description))
        }
    }

    private func open(
        _ body: Body, _ id: String, from offset: Int, _ request: Request, creation: Bool
    ) throws(InboxError) -> Opening {
        switch body {
        case .plain:
            return .taking(
                UploadIntake(try inbox.writer(id, from: offset), request, self, creation: creation))
        case .checked(let checksum):
            let expecting = request.count("Content-Length") ?? .max
            let writer = try inbox.checkedWriter(id, from: offset, expecting: expecting)
            do throws(IdentityError) {
                return .taking(try UploadIntake(writer, checksum, request, self, creation: creation))
            } catch {
                return .settled(.refusal(500, error.description))
            }
        }
    }
}
