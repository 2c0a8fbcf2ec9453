import CGnuTLS
import Foundation
import Identity
import TestSupport
import Wire

/// A client that does what a test says and nothing by itself: TLS 1.3 (or what is asked for), raw bytes, one
/// connection.
final class ReceiverClient {
    struct Response: Equatable {
        let status: Int
        /// By lower-case name, without `date`: two equal answers may fall into two seconds.
        let headers: [String: String]
        let body: String
        /// The host will not read another request here.
        var closes: Bool { headers["connection"]?.lowercased() == "close" }
    }

    struct Failure: Error { let what: String }

    private let socket: Int32
    private var session: gnutls_session_t?
    private var credentials: gnutls_certificate_credentials_t?
    private var pending: [UInt8] = []

    /// Connects and shakes hands; with `identity` it shows that certificate.
    init(port: UInt16, identity: Identity?, priorities: String = "NORMAL:-VERS-ALL:+VERS-TLS1.3") throws {
        socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard connectsToLoopback(socket, port: port) else { throw Failure(what: "connect") }
        gnutls_certificate_allocate_credentials(&credentials)
        if let identity { try load(identity) }
        // A client certificate is shown although the host names no issuer of it.
        // Writing to a connection that the host has closed is an error, and no signal.
        let flags = UInt32(GNUTLS_CLIENT) | GNUTLS_FORCE_CLIENT_CERT.rawValue | GNUTLS_NO_SIGNAL.rawValue
        gnutls_init(&session, flags)
        gnutls_priority_set_direct(session, priorities, nil)
        gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, credentials.map(UnsafeMutableRawPointer.init))
        gnutls_transport_set_int2(session, socket, socket)
        var code = gnutls_handshake(session)
        while code < 0, gnutls_error_is_fatal(code) == 0 { code = gnutls_handshake(session) }
        guard code == 0 else { throw Failure(what: String(cString: gnutls_strerror(code))) }
    }

    deinit {
        gnutls_deinit(session)
        gnutls_certificate_free_credentials(credentials)
        close(socket)
    }

    private func load(_ identity: Identity) throws {
        var key = identity.keyPEM
        var certificate = identity.certificatePEM
        let code = key.withUnsafeMutableBufferPointer { key in
            certificate.withUnsafeMutableBufferPointer { certificate in
                var keyDatum = gnutls_datum_t(data: key.baseAddress, size: UInt32(key.count))
                var certificateDatum = gnutls_datum_t(
                    data: certificate.baseAddress, size: UInt32(certificate.count))
                return gnutls_certificate_set_x509_key_mem(
                    credentials, &certificateDatum, &keyDatum, GNUTLS_X509_FMT_PEM)
            }
        }
        guard code >= 0 else { throw Failure(what: "load the certificate") }
    }

    /// Sends a request and waits for its answer.
    func request(
        _ method: String, _ path: String, _ headers: [String: String] = [:], body: [UInt8] = []
    ) throws -> Response {
        try begin(method, path, headers, length: body.isEmpty ? nil : body.count)
        try send(body)
        return try response(bodyless: method == "HEAD")
    }

    /// Sends a request's head only. `length` is its `Content-Length`.
    func begin(_ method: String, _ path: String, _ headers: [String: String] = [:], length: Int?) throws {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n"
        var all = headers
        if all["Tus-Resumable"] == nil { all["Tus-Resumable"] = "1.0.0" }
        if let length { all["Content-Length"] = String(length) }
        for (name, value) in all.sorted(by: { $0.key < $1.key }) where !value.isEmpty {
            head += "\(name): \(value)\r\n"
        }
        try send(Array((head + "\r\n").utf8))
    }

    /// Throws when the host has closed the connection.
    func send(_ bytes: [UInt8]) throws {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                gnutls_record_send(session, sure($0.baseAddress) + done, $0.count - done)
            }
            guard count > 0 else { throw Failure(what: "send") }
            done += count
        }
    }

    /// Reads one answer. Throws when the host closes the connection before it is whole.
    func response(bodyless: Bool = false) throws -> Response {
        while true {
            if let response = parse(bodyless: bodyless) { return response }
            try receive()
        }
    }

    /// Reads one chunk of a body without a length; empty for the last one.
    func chunk() throws -> String {
        while true {
            if let end = pending.firstIndex(of: 13), pending.count > end + 1 {
                let length = Int(String(decoding: pending[..<end], as: UTF8.self), radix: 16) ?? 0
                if pending.count >= end + 4 + length {
                    defer { pending.removeFirst(end + 4 + length) }
                    return String(decoding: pending[(end + 2)..<(end + 2 + length)], as: UTF8.self)
                }
            }
            try receive()
        }
    }

    private func receive() throws {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = gnutls_record_recv(session, &buffer, buffer.count)
        guard count > 0 else { throw Failure(what: "the host closed the connection") }
        pending += buffer[..<count]
    }

    /// Waits for something to read, or for so long; whether there is something.
    func waitForBytes(milliseconds: Int32) -> Bool {
        var one = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&one, 1, milliseconds) > 0
    }

    /// Whether the host closes the connection without another byte.
    func isClosed() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1)
        return gnutls_record_recv(session, &buffer, 1) <= 0
    }

    private func parse(bodyless: Bool) -> Response? {
        guard let end = pending.indices.first(where: { pending[$0...].starts(with: Array("\r\n\r\n".utf8)) })
        else { return nil }
        let lines = String(decoding: pending[..<end], as: UTF8.self).components(separatedBy: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        headers["date"] = nil
        let length = bodyless ? 0 : headers["content-length"].flatMap { Int($0) } ?? 0
        let start = end + 4
        guard pending.count >= start + length else { return nil }
        let body = String(decoding: pending[start..<start + length], as: UTF8.self)
        pending.removeFirst(start + length)
        return Response(
            status: lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0,
            headers: headers, body: body)
    }
}
