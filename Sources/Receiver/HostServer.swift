import CMicrohttpd
import Identity
import Inbox
import Synchronization
import Wire

/// The host's side of the ring: tus 1.0.0 over TLS 1.3 with both keys pinned.
///
/// libmicrohttpd runs a thread for each connection, so that hashing and syncing for one device never hold up
/// another; strangers are bounded by the number of connections and by the timeout.
package final class HostServer: Sendable {
    private struct Daemon: @unchecked Sendable { let pointer: OpaquePointer }

    /// Where it listens, with the real port.
    package let address: ListenAddress
    private let routes: RoutesBox
    private let daemon: Mutex<Daemon?>

    private static let connections: UInt32 = 256
    private static let connectionsOfOneAddress: UInt32 = 64
    private static let timeoutSeconds: UInt32 = 30

    /// Listens and serves until `stop`. `report` is called on the connections' threads.
    package init(
        identity: Identity, inbox: Inbox, hostName: String, listen: ListenAddress,
        report: @escaping @Sendable (HostEvent) -> Void
    ) throws(ReceiverError) {
        let socket = try ListeningSocket.open(listen)
        address = socket.address
        let routes = RoutesBox(Routes(inbox: inbox, hostName: hostName, report: report))
        self.routes = routes
        let key = String(decoding: identity.keyPEM, as: UTF8.self)
        let certificate = String(decoding: identity.certificatePEM, as: UTF8.self)
        // The PEM texts are read during this call only. Any certificate in the place of the trusted ones makes
        // libmicrohttpd ask for the client's; nothing is ever checked against it.
        let started = lapel_mhd_start(
            socket.descriptor, key, certificate, certificate, "NORMAL:-VERS-ALL:+VERS-TLS1.3", handleRequest,
            endRequest,
            Unmanaged.passUnretained(routes).toOpaque(), Self.connections, Self.connectionsOfOneAddress,
            Self.timeoutSeconds)
        daemon = Mutex(started.map(Daemon.init))
        guard started != nil else { throw .noServer(address: listen.description) }
    }

    deinit { stop() }

    /// Ends every connection and returns when no request is being served any more.
    package func stop() {
        let running = daemon.withLock { daemon in
            defer { daemon = nil }
            return daemon
        }
        if let running { MHD_stop_daemon(running.pointer) }
    }
}

/// What C callbacks get as their context; lives as long as the server.
final class RoutesBox: Sendable {
    let routes: Routes

    init(_ routes: Routes) { self.routes = routes }
}
