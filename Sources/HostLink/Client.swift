import CCurl
import Glibc
import Threads
import Wire

// Invariants
//   1. Nothing of ours but the handshake is sent to anyone whose key is not the pinned one: libcurl compares it before
//      the request goes out.
//   2. One request is under way at most once: it is moved to another place only while no place has taken it
//      (`TransferContext.isUnderWay`), and probes carry nothing of it.
//   3. What is under way ends: with its answer, with its connection, or when nothing has moved for as long as its
//      request bears. Before that libcurl waits 10 s for a connection.

/// HTTPS to one host that must hold a given key, or HTTP(S) to a foreign server: one connection, kept between requests,
/// closed in `deinit`.
///
/// Used from one thread. Of a paired host no certificate authority and no date is asked; the pin is checked instead.
struct Client: ~Copyable {
    let multi: UnsafeMutableRawPointer
    /// Carries the requests; a probe has a handle of its own.
    let easy: UnsafeMutableRawPointer
    let peer: Peer
    /// Of staggers, searches and silences.
    let clock: () -> Duration

    /// - Parameter clock: any that only goes forward.
    init(_ peer: Peer, clock: @escaping () -> Duration = { MonotonicClock.now }) throws(HostLinkError) {
        guard curlReady, let multi = curl_multi_init() else {
            throw .setup(operation: "start", reason: "no memory")
        }
        guard let easy = curl_easy_init() else {
            curl_multi_cleanup(multi)
            throw .setup(operation: "start", reason: "no memory")
        }
        self.multi = multi
        self.easy = easy
        self.peer = peer
        self.clock = clock
    }

    deinit {
        // Says goodbye to a host that may be gone.
        withoutPipeSignal {
            curl_easy_cleanup(easy)
            curl_multi_cleanup(multi)
        }
    }

    /// Blocks until the answer is here, the transfer fails, or `isStopped`, which is looked at whenever `doorbell` is
    /// readable, and once a second. Returns where the answer came from.
    ///
    /// - Parameters:
    ///   - places: where the host may be. The first gets the request itself; while it is not there, the others are
    ///     tried beside it, and the first that holds the key gets the request.
    ///   - discovery: how the network is asked for more places when the first is not there in time.
    func exchange(
        _ request: HTTPRequest, at places: [HostAddress], discovery: Discovery = .off, doorbell: Int32,
        isStopped: () -> Bool
    ) throws(HostLinkError) -> (answer: HTTPAnswer, place: HostAddress) {
        try withoutPipeSignal { () throws(HostLinkError) -> (answer: HTTPAnswer, place: HostAddress) in
            let hunt = Hunt(self, request, places: places, discovery: discovery)
            defer { hunt.finish(self) }
            while true {
                if let outcome = try hunt.advance(self) { return outcome }
                if isStopped() { throw .stopped }
                let code = lapel_curl_poll(multi, doorbell, hunt.descriptor, hunt.patience(clock()))
                guard code == CURLM_OK else { throw .setup(operation: "wait", reason: "poll fails") }
            }
        }
    }
}
