import CGnuTLS
import Foundation
import Identity
import Wire

/// A host of the test's own making, over real TCP and, unless it is foreign, real TLS: what it answers is a script, and
/// what it was asked is written down.
final class ScriptedHost: @unchecked Sendable {
    struct Asked: Equatable {
        let method: String
        let path: String
        let headers: [String: String]
        let body: [UInt8]

        /// `POST /v1/up`, with the offset of a PATCH.
        var line: String {
            method + " " + path + (method == "PATCH" ? " from " + (headers["upload-offset"] ?? "?") : "")
        }
    }

    enum Reply {
        case answer(Int, [(String, String)] = [], body: String = "")
        /// These bytes, whatever they are.
        case raw(String)
        /// The connection ends without an answer.
        case cut
        /// Nothing more is heard of it.
        case silence
        /// Whatever is written, when it is written; false for what could not be. Then the connection ends.
        case live((_ write: ([UInt8]) -> Bool) -> Void)
    }

    let port: UInt16
    private let listener: Int32
    private let identity: Identity?
    private let script: (Int, Asked) -> Reply
    // `lock` guards everything below it.
    private let lock = NSCondition()
    private var seen: [Asked] = []
    private var open: Set<Int32> = []
    private var isStopped = false

    /// - Parameters:
    ///   - identity: nil speaks plain HTTP, as a foreign server may.
    ///   - script: what to answer to a request and its number, from 0.
    init(_ identity: Identity?, script: @escaping (Int, Asked) -> Reply) {
        self.identity = identity
        self.script = script
        (listener, port) = Relay.listenOnLoopback()
        Thread.detachNewThread { [self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { break }
                lock.lock()
                open.insert(client)
                lock.unlock()
                Thread.detachNewThread { [self] in
                    serve(client)
                    lock.lock()
                    open.remove(client)
                    close(client)
                    lock.unlock()
                }
            }
            close(listener)
        }
    }

    var asked: [Asked] {
        lock.lock()
        defer { lock.unlock() }
        return seen
    }

    var lines: [String] { asked.map(\.line) }

    /// Ends every connection and takes no more.
    func stop() {
        lock.lock()
        isStopped = true
        for client in open { shutdown(client, Int32(SHUT_RDWR)) }
        lock.broadcast()
        lock.unlock()
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func serve(_ client: Int32) {
        guard let stream = Stream(client, identity) else { return }
        while let request = stream.request() {
            lock.lock()
            let number = seen.count
            seen.append(request)
            lock.unlock()
            switch script(number, request) {
            case .cut: return
            case .raw(let text): _ = stream.write(Array(text.utf8))
            case .live(let talk): return talk(stream.write)
            case .silence:
                lock.lock()
                while !isStopped { lock.wait() }
                lock.unlock()
                return
            case .answer(let status, let headers, let body):
                var text = "HTTP/1.1 \(status) Scripted\r\n"
                for (name, value) in headers { text += "\(name): \(value)\r\n" }
                // 204 has no body, and the answer to HEAD none either.
                if status != 204 { text += "Content-Length: \(body.utf8.count)\r\n" }
                _ = stream.write(Array((text + "\r\n" + (request.method == "HEAD" ? "" : body)).utf8))
            }
        }
    }
}

/// One connection, with or without TLS.
private final class Stream {
    private let descriptor: Int32
    private var session: gnutls_session_t?
    private var credentials: gnutls_certificate_credentials_t?
    private var waiting: [UInt8] = []

    init?(_ descriptor: Int32, _ identity: Identity?) {
        self.descriptor = descriptor
        guard let identity else { return }
        gnutls_certificate_allocate_credentials(&credentials)
        var (certificate, key) = (identity.certificatePEM, identity.keyPEM)
        let loaded = certificate.withUnsafeMutableBufferPointer { certificate in
            key.withUnsafeMutableBufferPointer { key in
                var first = gnutls_datum_t(data: certificate.baseAddress, size: UInt32(certificate.count))
                var second = gnutls_datum_t(data: key.baseAddress, size: UInt32(key.count))
                return gnutls_certificate_set_x509_key_mem(
                    credentials, &first, &second, GNUTLS_X509_FMT_PEM)
            }
        }
        guard loaded >= 0, gnutls_init(&session, UInt32(GNUTLS_SERVER) | UInt32(GNUTLS_NO_SIGNAL)) == 0 else {
            return nil
        }
        gnutls_priority_set_direct(session, "NORMAL:-VERS-ALL:+VERS-TLS1.3", nil)
        gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(credentials))
        gnutls_certificate_server_set_request(session, GNUTLS_CERT_REQUEST)
        gnutls_transport_set_int2(session, descriptor, descriptor)
        var result: Int32
        repeat { result = gnutls_handshake(session) } while result < 0 && gnutls_error_is_fatal(result) == 0
        guard result == 0 else { return nil }
    }

    deinit {
        if let session { gnutls_deinit(session) }
        if let credentials { gnutls_certificate_free_credentials(credentials) }
    }

    private func fill() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count: Int
        if session != nil {
            var result: Int
            repeat {
                result = gnutls_record_recv(session, &buffer, buffer.count)
            } while result < 0
                && gnutls_error_is_fatal(Int32(result)) == 0
            count = result
        } else {
            count = recv(descriptor, &buffer, buffer.count, 0)
        }
        guard count > 0 else { return false }
        waiting += buffer.prefix(count)
        return true
    }

    func request() -> ScriptedHost.Asked? {
        let end = Array("\r\n\r\n".utf8)
        var headEnd: Int?
        while headEnd == nil {
            if waiting.count >= 4 {
                headEnd = (0...(waiting.count - 4)).first { Array(waiting[$0..<($0 + 4)]) == end }
            }
            if headEnd == nil, !fill() { return nil }
        }
        guard let headEnd else { return nil }
        let lines = String(decoding: waiting[..<headEnd], as: UTF8.self).components(separatedBy: "\r\n")
        waiting.removeFirst(headEnd + 4)
        let words = lines[0].split(separator: " ")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        let length = Int(headers["content-length"] ?? "0") ?? 0
        while waiting.count < length { if !fill() { return nil } }
        let body = Array(waiting.prefix(length))
        waiting.removeFirst(length)
        return ScriptedHost.Asked(
            method: String(words.first ?? ""), path: String(words.dropFirst().first ?? ""), headers: headers,
            body: body)
    }

    func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                session != nil
                    ? gnutls_record_send(session, $0.baseAddress, $0.count)
                    : send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }
}

/// What a tus server keeps of its uploads, for scripts that mostly behave.
final class ScriptedStore: @unchecked Sendable {
    private let lock = NSLock()
    private var uploads: [String: (length: Int, bytes: [UInt8])] = [:]
    private var made = 0
    /// With the digest of the bytes, as the paired host gives it; nil for a foreign server.
    let receipt: (@Sendable ([UInt8]) -> String)?
    let base: String
    /// Before the path of a `Location`.
    let authority: String

    init(receipt: (@Sendable ([UInt8]) -> String)?, base: String = HostPath.uploads, authority: String = "") {
        self.receipt = receipt
        self.base = base
        self.authority = authority
    }

    /// All whole uploads.
    var whole: [[UInt8]] {
        lock.lock()
        defer { lock.unlock() }
        return uploads.values.filter { $0.bytes.count == $0.length }.map(\.bytes)
    }

    func answer(_ asked: ScriptedHost.Asked) -> ScriptedHost.Reply {
        lock.lock()
        defer { lock.unlock() }
        switch asked.method {
        case "POST":
            guard asked.path == base, let length = asked.headers["upload-length"].flatMap({ Int($0) }) else {
                return .answer(404)
            }
            made += 1
            let path = base + "/" + String(made)
            uploads[path] = (length, asked.body)
            return .answer(201, [("Location", authority + path)] + state(path))
        case "HEAD": return uploads[asked.path] == nil ? .answer(404) : .answer(200, state(asked.path))
        case "PATCH":
            guard let upload = uploads[asked.path] else { return .answer(404) }
            guard asked.headers["upload-offset"] == String(upload.bytes.count) else { return .answer(409) }
            uploads[asked.path]?.bytes += asked.body
            return .answer(204, state(asked.path))
        default: return .answer(405)
        }
    }

    private func state(_ path: String) -> [(String, String)] {
        guard let upload = uploads[path] else { return [] }
        var headers = [
            ("Upload-Offset", String(upload.bytes.count)), ("Upload-Length", String(upload.length)),
        ]
        if upload.bytes.count == upload.length, let receipt {
            headers.append(("Repr-Digest", receipt(upload.bytes)))
        }
        return headers
    }
}
