import CMicrohttpd
import Identity
import Synchronization
import Threads

/// Serves one site at one address over TLS 1.3. Several sites are several servers, each on its own address.
package final class Server: Sendable {
    /// How connections share threads.
    package enum Running: Sendable {
        /// One for each: what blocks for one connection holds up no other. For those that work.
        case threadPerConnection
        /// One for all, with epoll(7): for those that wait, which hold no thread then.
        case eventLoop
    }

    /// By what a site knows who asks.
    package enum Peers: Sendable {
        /// The pin of a certificate, which is asked for.
        case certificates
        /// What requests carry, such as a session's cookie.
        case sessions
    }

    private struct Daemon: @unchecked Sendable { let pointer: OpaquePointer }

    /// Where it listens, with the real port.
    package let address: ListenAddress
    private let serving: Serving
    private let daemon: Mutex<Daemon?>
    private let watching: NamedThread

    /// A site is asked again after this, whatever it says: between two questions nobody notices that a client has gone.
    package static let longestWait: Duration = .seconds(60)
    private static let timeoutSeconds: UInt32 = 30

    /// Listens and serves until `stop`. `patience` is how long a connection may take to make a request known, or to
    /// take a piece of its answer; a test's is shorter.
    package init(
        _ site: some Site, identity: Identity, listen: ListenAddress, running: Running,
        peers: Peers = .certificates, patience: Duration = .seconds(30)
    ) throws(ListenError) {
        let socket = try ListeningSocket.open(listen)
        address = socket.address
        let limits = Limits(running)
        if limits.loop { ListeningSocket.noticeTheDead(socket.descriptor, after: Self.timeoutSeconds) }
        let serving = Serving(site, ConnectionWatch(patience: patience), mayWait: limits.loop)
        self.serving = serving
        let key = String(decoding: identity.keyPEM, as: UTF8.self)
        let certificate = String(decoding: identity.certificatePEM, as: UTF8.self)
        let started = certificate.withCString { certificate in
            // The PEM texts are read during this call only. Any certificate in the place of the trusted ones makes
            // libmicrohttpd ask for the client's; nothing is ever checked against it.
            let trust =
                switch peers {
                case .certificates: UnsafePointer?(certificate)
                case .sessions: UnsafePointer<CChar>?.none
                }
            return lapel_mhd_start(
                limits.loop ? 1 : 0, socket.descriptor, key, certificate, trust,
                "NORMAL:-VERS-ALL:+VERS-TLS1.3", handleRequest, endRequest, noteConnection,
                Unmanaged.passUnretained(serving).toOpaque(),
                limits.connections, limits.connectionsOfOneAddress, limits.memory, Self.timeoutSeconds)
        }
        guard let started else { throw .noServer(address: listen.description) }
        daemon = Mutex(Daemon(pointer: started))
        watching = NamedThread("connections") { serving.watch.run() }
    }

    deinit { stop() }

    /// Ends every connection, those that wait first, and returns when no request is being served any more.
    package func stop() {
        let running = daemon.withLock { daemon in
            defer { daemon = nil }
            return daemon
        }
        guard let running else { return }
        serving.watch.stop()
        MHD_stop_daemon(running.pointer)
        watching.join()
    }
}

/// What strangers can make a server spend.
private struct Limits {
    let loop: Bool
    let connections: UInt32
    /// A study's devices may all stand behind one address; somebody who floods from one leaves room for the others.
    let connectionsOfOneAddress: UInt32
    /// Of a connection for its headers, in bytes.
    let memory: Int

    init(_ running: Server.Running) {
        switch running {
        case .threadPerConnection:
            // A connection takes about 85 kB: all of them stay under 64 MB with the program itself.
            (loop, connections, memory) = (false, 512, 32 << 10)
        case .eventLoop:
            // One that waits takes about 21 kB: all of them 130 MB. A socket and perhaps a file for each, and what the
            // program has open besides.
            let descriptors = lapel_descriptors(2 * 6144 + 512)
            (loop, connections, memory) = (true, UInt32(max(64, min(6144, (descriptors - 512) / 2))), 8 << 10)
        }
        connectionsOfOneAddress = connections / 4 * 3
    }
}
