import Glibc
import HTTPServer
import Identity
import Inbox
import LocalInbox
import Receiver
import Synchronization
import Threads

// The program that board/bench waiting measures: one process with the real site for uploads, a thread a connection, and
// a site whose clients wait for an event, in an event loop.
//
//   waiting-host FOLDER    standard input: the pins of its devices, then an empty line, then one word a line:
//                          "event" tells all who wait, "waiting" says how many they are. Ends with its input.
//                          standard output: the two ports and its own pin, then the answers.

@main
enum WaitingHost {
    static func main() throws {
        signal(SIGPIPE, SIG_IGN)
        let inbox = try Inbox(folder: CommandLine.arguments[1])
        _ = try inbox.keys.makeOwn()
        var pins: Set<String> = []
        while let pin = readLine(), !pin.isEmpty {
            try inbox.addDevice(pin: pin, name: "device \(pins.count)")
            pins.insert(pin)
        }
        let identity = try Identity.make(name: "host")
        let anywhere = ListenAddress(address: "127.0.0.1", port: 0)
        let uploads = try Server(
            Routes(inbox: inbox, hostName: "host", report: { _ in }), identity: identity, listen: anywhere,
            running: .threadPerConnection)
        let events = EventSite(paired: pins)
        let waiting = try Server(events, identity: identity, listen: anywhere, running: .eventLoop)
        say("\(uploads.address.port) \(waiting.address.port) \(identity.pinHex)")
        while let word = readLine() {
            if word == "event" { events.happen() }
            if word == "waiting" { say("\(events.waiting)") }
        }
        waiting.stop()
        uploads.stop()
    }

    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }
}

/// Events as server-sent ones, with a comment every 15 s.
private final class EventSite: Site {
    private struct State {
        var events = 0
        var waiting: [ObjectIdentifier: Waker] = [:]
    }

    private let state = Mutex(State())
    private let paired: Set<String>

    init(paired: Set<String>) { self.paired = paired }

    var waiting: Int { state.withLock { $0.waiting.count } }

    func happen() {
        let wakers = state.withLock { state in
            state.events += 1
            return Array(state.waiting.values)
        }
        for waker in wakers { waker.ring() }
    }

    func open(_ request: Request) -> Opening {
        guard let pin = request.pin, paired.contains(pin) else {
            return .settled(.refusal(403, "Not paired."))
        }
        guard request.path == "/v1/events" else { return .settled(.refusal(404, "Nothing is there.")) }
        let place = Place(self)
        var seen = state.withLock { $0.events }
        var comment = MonotonicClock.now + .seconds(15)
        return .settled(
            Answer(
                200,
                body: .stream { waker, buffer in
                    let events = place.look(waker)
                    var text = ""
                    if events > seen {
                        seen = events
                        text = "id: \(events)\nevent: heard\ndata: {}\n\n"
                    } else if MonotonicClock.now >= comment {
                        comment = MonotonicClock.now + .seconds(15)
                        text = ":\n\n"
                    } else {
                        return .waits(until: comment)
                    }
                    buffer.copyBytes(from: text.utf8)
                    return .bytes(text.utf8.count)
                }, type: "text/event-stream"))
    }

    private final class Place {
        private let site: EventSite

        init(_ site: EventSite) { self.site = site }

        /// Leaves the waker where `happen` finds it, and then looks.
        func look(_ waker: Waker) -> Int {
            site.state.withLock { state in
                state.waiting[ObjectIdentifier(self)] = waker
                return state.events
            }
        }

        deinit {
            let place = ObjectIdentifier(self)
            site.state.withLock { _ = $0.waiting.removeValue(forKey: place) }
        }
    }
}
