import CMicrohttpd
import Glibc
import Identity
import Wire

// libmicrohttpd calls `handleRequest` for one request: once after the headers, once for each piece of the body,
// and once after it; then `endRequest`, whatever happened. Always on the connection's own thread.

func handleRequest(
    user: UnsafeMutableRawPointer?, connection: OpaquePointer?, url: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, data: UnsafePointer<CChar>?,
    size: UnsafeMutablePointer<Int>?, context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let user, let connection, let url, let method, let size, let context else { return .NO }
    guard let known = context.pointee else {
        let service = Unmanaged<HostService>.fromOpaque(user).takeUnretainedValue()
        let request = Request(connection, method: String(cString: method), path: String(cString: url))
        // Its headers are here in time; what they ask for may take long.
        service.watch.busy(connection)
        let exchange = Exchange(request, service.routes)
        if !exchange.takesAnUpload { service.watch.idle(connection) }
        context.pointee = Unmanaged.passRetained(exchange).toOpaque()
        return exchange.early.map { queue($0, on: connection) } ?? .YES
    }
    let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
    if size.pointee > 0 {
        let kept = exchange.take(UnsafeRawBufferPointer(start: data, count: size.pointee))
        size.pointee = 0
        return kept ? .YES : .NO
    }
    return queue(exchange.answer(), on: connection)
}

func endRequest(
    user: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, code: MHD_RequestTerminationCode
) {
    guard let context, let known = context.pointee else { return }
    if let user, let connection {
        Unmanaged<HostService>.fromOpaque(user).takeUnretainedValue().watch.idle(connection)
    }
    Unmanaged<Exchange>.fromOpaque(known).release()
    context.pointee = nil
}

/// Called when a connection was accepted, before its handshake, and when it is over, before its descriptor is closed.
func noteConnection(
    user: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, code: MHD_ConnectionNotificationCode
) {
    guard let user, let connection else { return }
    let watch = Unmanaged<HostService>.fromOpaque(user).takeUnretainedValue().watch
    if code == .CONNECTION_NOTIFY_STARTED {
        watch.began(connection, lapel_mhd_descriptor(connection))
    } else {
        watch.ended(connection)
    }
}

extension Request {
    /// Reads what the routes look at, and nothing else of what a client may send.
    fileprivate init(_ connection: OpaquePointer, method: String, path: String) {
        let names = [
            "Content-Length", "Transfer-Encoding", "Expect", TusHeader.contentType, TusHeader.resumable,
            TusHeader.uploadLength, TusHeader.uploadOffset, TusHeader.uploadMetadata,
            TusHeader.uploadChecksum,
            TusHeader.lapelClock,
        ]
        var headers: [String: String] = [:]
        for name in names {
            if let value = MHD_lookup_connection_value(connection, .HEADER_KIND, name) {
                headers[name.lowercased()] = String(cString: value)
            }
        }
        let pin = lapel_mhd_session(connection).flatMap { peerPin(session: $0) }
        var address = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        lapel_mhd_address(connection, &address, socklen_t(address.count))
        self.init(
            method: method, path: path, pin: pin.map { Hex.encode($0) }, headers: headers,
            address: String(decoding: address.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        )
    }
}

private func queue(_ answer: Answer, on connection: OpaquePointer) -> MHD_Result {
    var body = Array(answer.body.utf8)
    let response = MHD_create_response_from_buffer(body.count, &body, .RESPMEM_MUST_COPY)
    defer { MHD_destroy_response(response) }
    MHD_add_response_header(response, TusHeader.resumable, TusHeader.protocolVersion)
    if !answer.body.isEmpty { MHD_add_response_header(response, TusHeader.contentType, answer.type) }
    for (name, value) in answer.headers { MHD_add_response_header(response, name, value) }
    return MHD_queue_response(connection, answer.status, response)
}
