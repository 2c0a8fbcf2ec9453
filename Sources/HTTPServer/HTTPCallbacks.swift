import CMicrohttpd
import Glibc
import Identity

// libmicrohttpd calls `handleRequest` for one request: once after the headers, once for each piece of the body,
// and once after it, which is repeated after each wait; then `endRequest`, whatever happened. Always on the thread that
// the connection belongs to.

func handleRequest(
    user: UnsafeMutableRawPointer?, connection: OpaquePointer?, url: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, data: UnsafePointer<CChar>?,
    size: UnsafeMutablePointer<Int>?, context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let user, let connection, let url, let method, let size, let context else { return .NO }
    let serving = Unmanaged<Serving>.fromOpaque(user).takeUnretainedValue()
    guard let known = context.pointee else {
        let request = Request(connection, method: String(cString: method), url: String(cString: url))
        // Its headers are here in time; what they ask for may take long.
        serving.watch.busy(connection)
        let exchange = serving.exchange(request)
        if !exchange.mayBeSlow { serving.watch.idle(connection) }
        context.pointee = Unmanaged.passRetained(exchange).toOpaque()
        return exchange.early.map { serving.queue($0, to: exchange, on: connection) } ?? .YES
    }
    let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
    if size.pointee > 0 {
        let kept = exchange.take(UnsafeRawBufferPointer(start: data, count: size.pointee))
        size.pointee = 0
        return kept ? .YES : .NO
    }
    return serving.finish(exchange, on: connection)
}

func endRequest(
    user: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, code: MHD_RequestTerminationCode
) {
    guard let context, let known = context.pointee else { return }
    if let user, let connection {
        Unmanaged<Serving>.fromOpaque(user).takeUnretainedValue().watch.idle(connection)
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
    let watch = Unmanaged<Serving>.fromOpaque(user).takeUnretainedValue().watch
    if code == .CONNECTION_NOTIFY_STARTED {
        watch.began(connection, lapel_mhd_descriptor(connection))
    } else {
        watch.ended(connection)
    }
}

extension Request {
    fileprivate init(_ connection: OpaquePointer, method: String, url: String) {
        var headers: [String: String] = [:]
        for (name, value) in pairs(.HEADER_KIND, connection) where headers[name.lowercased()] == nil {
            headers[name.lowercased()] = value
        }
        let pin = lapel_mhd_session(connection).flatMap { peerPin(session: $0) }
        var address = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        lapel_mhd_address(connection, &address, socklen_t(address.count))
        self.init(
            method: method, path: percentDecoded(url) ?? url,
            query: Query(encoded: pairs(.GET_ARGUMENT_KIND, connection)),
            pin: pin.map { Identity.hex($0) }, headers: headers,
            address: String(decoding: address.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        )
    }
}

/// As they came, in their order; how many there can be is bounded by the connection's memory.
private func pairs(_ kind: MHD_ValueKind, _ connection: OpaquePointer) -> [(name: String, value: String)] {
    var pairs: [(name: String, value: String)] = []
    withUnsafeMutablePointer(to: &pairs) { pairs in
        _ = MHD_get_connection_values(
            connection, kind,
            { pairs, _, name, value in
                let pairs = pairs?.assumingMemoryBound(to: [(name: String, value: String)].self)
                if let name {
                    pairs?.pointee.append((String(cString: name), value.map { String(cString: $0) } ?? ""))
                }
                return .YES
            }, pairs)
    }
    return pairs
}
