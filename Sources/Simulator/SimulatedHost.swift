import Wire

/// A paired host in memory, as far as a device can tell: it takes uploads by the rules of the ring, loses nothing it
/// gave a receipt for, and records what happened. The hash is given, so that it needs no library.
///
/// A value without a clock: the same calls give the same answers. Whoever shares it puts it in a lock.
package struct SimulatedHost: Sendable {
    /// A complete upload.
    package struct Stored: Equatable, Sendable {
        package let metadata: UploadMetadata
        package let bytes: [UInt8]
    }

    /// How much of a request's body reaches the host.
    package enum Arrival: Equatable, Sendable {
        case whole
        /// The connection breaks: `after` bytes are taken at once, and `late` more only after the next answer,
        /// as from a writer that has not noticed yet. There is no answer.
        case cut(after: Int, late: Int)
    }

    private struct Part {
        var metadata: UploadMetadata
        var length: Int
        var bytes: [UInt8] = []
        var late: [UInt8] = []
    }

    private let sha256: @Sendable ([UInt8]) -> [UInt8]
    private var parts: [String: Part] = [:]
    /// By path.
    package private(set) var stored: [String: Stored] = [:]
    /// Times that an upload became complete; more than `stored.count` would be a doubled recording.
    package private(set) var commits = 0
    /// Requests seen, cut ones included.
    package private(set) var requests = 0

    package init(sha256: @escaping @Sendable ([UInt8]) -> [UInt8]) { self.sha256 = sha256 }

    /// Where the upload of this utterance is, or will be.
    package func path(utterance: String, kind: UploadKind) -> String {
        HostPath.upload(Hex.encode(sha256(Array(UploadKey.text(utterance: utterance, kind: kind).utf8))))
    }

    /// The bytes stored for this utterance.
    package func stored(utterance: String, kind: UploadKind) -> [UInt8]? {
        stored[path(utterance: utterance, kind: kind)]?.bytes
    }

    /// Half uploads expire; what is complete never does.
    package mutating func expireHalfUploads() { parts = [:] }

    /// Answers a request whose body is `body`; nil when `arrival` is a cut. `metadata` and `length` count for a
    /// creation only.
    package mutating func handle(
        _ request: TusSession.Request, metadata: UploadMetadata, length: Int, body: [UInt8],
        arrival: Arrival = .whole
    ) -> TusSession.Response? {
        requests += 1
        let answer: TusSession.Response
        switch request {
        case .create: answer = create(metadata, length, body, arrival)
        case .head(let path): answer = head(path)
        case .patch(let path, let offset): answer = patch(path, offset, body, arrival)
        }
        return arrival == .whole ? answer : nil
    }

    private mutating func create(
        _ metadata: UploadMetadata, _ length: Int, _ body: [UInt8], _ arrival: Arrival
    ) -> TusSession.Response {
        guard let utterance = metadata.utterance, let kind = metadata.kind else { return .init(status: 400) }
        let path = path(utterance: utterance, kind: kind)
        if let known = stored[path] {
            guard known.metadata.sha256 == metadata.sha256, known.bytes.count == length else {
                return .init(status: 422)
            }
            return receipt(201, path, known.bytes)
        }
        if let part = parts[path] {
            guard part.metadata.sha256 == metadata.sha256, part.length == length else {
                return .init(status: 422)
            }
        } else {
            parts[path] = Part(metadata: metadata, length: length)
        }
        guard parts[path]?.bytes.isEmpty == true, !body.isEmpty || length == 0 else {
            return .init(status: 201, offset: parts[path]?.bytes.count, location: path)
        }
        return take(path, body, arrival, status: 201)
    }

    private mutating func head(_ path: String) -> TusSession.Response {
        if let known = stored[path] { return receipt(200, path, known.bytes) }
        guard let part = parts[path] else { return .init(status: 404) }
        let answer = TusSession.Response(status: 200, offset: part.bytes.count, length: part.length)
        // Only now the writer of the broken connection is put out; what it still held arrives.
        parts[path]?.bytes += part.late
        parts[path]?.late = []
        return answer
    }

    private mutating func patch(
        _ path: String, _ offset: Int, _ body: [UInt8], _ arrival: Arrival
    ) -> TusSession.Response {
        if let known = stored[path] {
            return offset == known.bytes.count ? receipt(204, path, known.bytes) : .init(status: 409)
        }
        guard let part = parts[path] else { return .init(status: 404) }
        guard offset == part.bytes.count else { return .init(status: 409, offset: part.bytes.count) }
        return take(path, body, arrival, status: 204)
    }

    private mutating func take(
        _ path: String, _ body: [UInt8], _ arrival: Arrival, status: Int
    ) -> TusSession.Response {
        guard var part = parts[path] else { return .init(status: 404) }
        switch arrival {
        case .whole: part.bytes += body
        case .cut(let after, let late):
            part.bytes += body.prefix(after)
            // The last byte never arrives late: then the host would finish while it is asked.
            let room = max(0, part.length - part.bytes.count - 1)
            part.late = Array(body.dropFirst(after).prefix(min(late, room)))
        }
        guard part.bytes.count <= part.length else { return .init(status: 413) }
        parts[path] = part
        guard part.bytes.count == part.length else {
            return .init(status: status, offset: part.bytes.count, location: path)
        }
        parts[path] = nil
        guard Hex.encode(sha256(part.bytes)) == part.metadata.sha256 else { return .init(status: 460) }
        stored[path] = Stored(metadata: part.metadata, bytes: part.bytes)
        commits += 1
        return receipt(status, path, part.bytes)
    }

    private func receipt(_ status: Int, _ path: String, _ bytes: [UInt8]) -> TusSession.Response {
        .init(
            status: status, offset: bytes.count, length: bytes.count, location: path,
            digest: ReprDigest(sha256: sha256(bytes)))
    }
}
