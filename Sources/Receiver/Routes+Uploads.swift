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
        guard let new = NewUpload(metadata, length: length, device: pin) else {
            return .settled(
                .refusal(400, "Upload-Metadata names no utterance: utt, kind, seq and sha256 are needed."))
        }
        if let refusal = refusalOfBody(request, room: length) { return .settled(refusal) }
        let (upload, state) = try inbox.create(new)
        switch state {
        // A repeated creation's bytes are the first ones: they are of use only to an upload that has none.
        case .partial(offset: 0) where request.hasBody:
            return .upload(try inbox.writer(upload.id, from: 0), creation: true)
        case .partial(let offset): return .settled(try stand(upload, offset: offset, creation: true))
        case .finishing: throw .beingFinished
        case .complete: return .settled(receipt(upload, creation: true))
        }
    }

    /// `HEAD /v1/up/<id>`: an upload whose bytes are all here is finished now; its last request was lost.
    func head(_ id: String) throws(InboxError) -> Answer {
        guard let (upload, state) = try inbox.state(of: id) else { throw .unknownUpload }
        let offset: Int
        var headers: [(name: String, value: String)] = []
        switch state {
        case .finishing: throw .beingFinished
        case .partial(let stands) where stands < upload.length:
            offset = stands
            headers.append(expiry())
        case .partial:
            try finish(upload)
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
        return Answer(200, headers)
    }

    /// `PATCH /v1/up/<id>`: bytes from `Upload-Offset` on.
    func patch(_ request: Request, _ id: String) throws(InboxError) -> Opening {
        guard let offset = request.count(TusHeader.uploadOffset) else {
            return .settled(.refusal(400, "Upload-Offset is missing or not a number of bytes."))
        }
        guard request.header(TusHeader.contentType) == TusHeader.bytesType else {
            return .settled(.refusal(415, "Content-Type must be \(TusHeader.bytesType)."))
        }
        guard let upload = try inbox.find(id) else { throw .unknownUpload }
        if upload.complete {
            guard offset == upload.length else { throw .wrongOffset(stands: upload.length, asked: offset) }
            return .settled(receipt(upload, creation: false))
        }
        if let refusal = refusalOfBody(request, room: upload.length - offset) { return .settled(refusal) }
        return .upload(try inbox.writer(id, from: offset), creation: false)
    }

    /// The answer to a request that brought bytes: the offset, or with the last byte the receipt.
    func stand(_ upload: Upload, offset: Int, creation: Bool) throws(InboxError) -> Answer {
        guard offset == upload.length else {
            var headers = [(TusHeader.uploadOffset, String(offset)), expiry()]
            if creation { headers.append((TusHeader.location, HostPath.upload(upload.id))) }
            return Answer(creation ? 201 : 204, headers)
        }
        try finish(upload)
        return receipt(upload, creation: creation)
    }

    private func finish(_ upload: Upload) throws(InboxError) {
        let finished = try inbox.finish(upload.id)
        switch upload.kind {
        case .manifest: report(.rang(utterance: upload.utterance, seq: upload.seq, pin: upload.device))
        case .audio, .tail: break
        }
        report(
            .stored(
                utterance: upload.utterance, kind: upload.kind.rawValue, bytes: upload.length,
                sha256: upload.sha256,
                pin: upload.device, whole: finished.madeWhole))
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

    private func expiry() -> (name: String, value: String) {
        (TusHeader.uploadExpires, httpDate(inbox.expiryOfNewUploads()))
    }

    /// Why a body of the announced size and form cannot be taken; nil when it can or when there is none.
    private func refusalOfBody(_ request: Request, room: Int) -> Answer? {
        guard request.hasBody else { return nil }
        if request.header(TusHeader.uploadChecksum) != nil {
            return .refusal(400, "This host checks whole uploads by their sha256, not single requests.")
        }
        guard request.header(TusHeader.contentType) == TusHeader.bytesType else {
            return .refusal(415, "Content-Type must be \(TusHeader.bytesType).")
        }
        guard (request.count("Content-Length") ?? 0) <= max(room, 0) else {
            return .refusal(413, "The body is longer than what is missing of the upload.")
        }
        return nil
    }
}
