import CMicrohttpd
import Identity
import Inbox
import Synchronization
import Threads
import Wire

/// The host's side of the ring: tus 1.0.0 over TLS 1.3 with both keys pinned.
///
/// libmicrohttpd runs a thread for each connection, so that hashing and syncing for one device never hold up
/// another; strangers are bounded by the number of connections and by the timeout.
package final class HostServer: Sendable {
    private struct Daemon: @unchecked Sendable { let pointer: OpaquePointer }

    /// Where it listens, with the real port.
    package let address: ListenAddress
    private let service: HostService
    private let daemon: Mutex<Daemon?>
    private let watching: NamedThread

    /// A connection takes about 85 kB: all of them stay under 64 MB with the program itself.
    private static let connections: UInt32 = 512
    /// A study's devices may all stand behind one address; somebody who floods from one leaves room for the others.
    private static let connectionsOfOneAddress: UInt32 = 384
    private static let timeoutSeconds: UInt32 = 30

    /// Listens and serves until `stop`. `report` is called on the connections' threads. `patience` is how long a
    /// connection may take to make a request known; a test's is shorter.
    package init(
        identity: Identity, inbox: Inbox, hostName: String, listen: ListenAddress,
        patience: Duration = .seconds(30), report: @escaping @Sendable (HostEvent) -> Void
    ) throws(ReceiverError) {
        let socket = try ListeningSocket.open(listen)
        address = socket.address
        let service = HostService(
            Routes(inbox: inbox, hostName: hostName, report: report),
            ConnectionWatch(patience: patience))
        self.service = service
        let key = String(decoding: identity.keyPEM, as: UTF8.self)
        let certificate = String(decoding: identity.certificatePEM, as: UTF8.self)
        // The PEM texts are read during this call only. Any certificate in the place of the trusted ones makes
        // libmicrohttpd ask for the client's; nothing is ever checked against it.
        let started = lapel_mhd_start(
            socket.descriptor, key, certificate, certificate, "NORMAL:-VERS-ALL:+VERS-TLS1.3", handleRequest,
            endRequest, noteConnection, Unmanaged.passUnretained(service).toOpaque(), Self.connections,
            Self.connectionsOfOneAddress,
            Self.timeoutSeconds)
        guard let started else { throw .noServer(address: listen.description) }
        daemon = Mutex(Daemon(pointer: started))
        watching = NamedThread("connections") { service.watch.run() }
    }

    deinit { stop() }

    /// Ends every connection and returns when no request is being served any more.
    package func stop() {
        let running = daemon.withLock { daemon in
            defer { daemon = nil }
            return daemon
        }
        if let running {
            MHD_stop_daemon(running.pointer)
            service.watch.stop()
            watching.join()
        }
    }
}

/// What C callbacks get as their context; lives as long as the server.
final class HostService: Sendable {
    let routes: Routes
    let watch: ConnectionWatch

    init(_ routes: Routes, _ watch: ConnectionWatch) {
        self.routes = routes
        self.watch = watch
    }
}
