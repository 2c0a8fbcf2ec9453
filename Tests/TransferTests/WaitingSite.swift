import Foundation
import HTTPServer
import Identity
import Synchronization
import Threads

/// A site whose answers depend on what has not happened yet, by event loop, on loopback.
///
/// `/wait` is answered when the event comes, `/live` says each one as it comes, `/short` waits 100 ms at most, `/rung` is rung before it
/// waits,
/// `/count?of=N` streams N bytes at once. All but paired pins are strangers.
final class WaitingSite: Site {
    private struct State {
        var events = 0
        var waiting: [Int: Waker] = [:]
        var next = 0
        /// How often a site was asked.
        var asked = 0
    }

    private let state = Mutex(State())
    private let strangers = Strangers()
    private let paired: Set<String>
    let changed = Changes()

    init(paired: [Identity]) { self.paired = Set(paired.map(\.pinHex)) }

    /// Requests that wait, or whose connection has not been given up.
    var waiting: Int { state.withLock { $0.waiting.count } }
    var asked: Int { state.withLock { $0.asked } }

    func happen() {
        let wakers = state.withLock { state in
            state.events += 1
            return Array(state.waiting.values)
        }
        for waker in wakers { waker.ring() }
    }

    func ringForNothing() { for waker in state.withLock({ Array($0.waiting.values) }) { waker.ring() } }

    func open(_ request: Request) -> Opening {
        guard let pin = request.pin, paired.contains(pin) else {
            return .settled(strangers.refuse(request, .refusal(403, "Not paired.")))
        }
        switch request.path {
        case "/wait": return .waiting(asker(for: Place(self), until: .seconds(50)))
        case "/short": return .waiting(asker(for: Place(self), until: .milliseconds(100)))
        case "/rung":
            var asked = 0
            return .waiting { waker in
                asked += 1
                waker.ring()
                return asked > 1 ? .answered(Answer(204)) : .waits(until: MonotonicClock.now + .seconds(50))
            }
        case "/live":
            let place = Place(self)
            var seen = state.withLock { $0.events }
            let stream: (Waker, UnsafeMutableRawBufferPointer) -> Answer.Pulled = { waker, buffer in
                let events = self.look(place, waker)
                guard events > seen else { return .waits(until: MonotonicClock.now + .seconds(50)) }
                seen += 1
                let text = Array("event \(seen)\n".utf8)
                buffer.copyBytes(from: text)
                return .bytes(text.count)
            }
            return .settled(Answer(200, body: .stream(stream), type: "text/event-stream"))
        case "/count":
            guard let text = request.query?["of"], var left = Int(text) else {
                return .settled(.refusal(400, "?of=N, please."))
            }
            let place = Place(self)
            let stream: (Waker, UnsafeMutableRawBufferPointer) -> Answer.Pulled = { waker, buffer in
                _ = self.look(place, waker)
                guard left > 0 else { return .end }
                let count = min(left, buffer.count)
                for index in 0..<count { buffer[index] = UInt8(97 + (left - index) % 26) }
                left -= count
                return .bytes(count)
            }
            return .settled(Answer(200, body: .stream(stream), type: "application/octet-stream"))
        default: return .settled(.refusal(404, "There is nothing at \(request.path)."))
        }
    }

    private func asker(for place: Place, until limit: Duration) -> (Waker) -> Outcome {
        let before = state.withLock { $0.events }
        let deadline = MonotonicClock.now + limit
        return { waker in
            let events = self.look(place, waker)
            if events > before { return .answered(Answer(200, body: .text("event \(events)\n"))) }
            if MonotonicClock.now >= deadline { return .answered(Answer(204)) }
            return .waits(until: deadline)
        }
    }

    /// Leaves the waker where `happen` finds it, and then looks.
    private func look(_ place: Place, _ waker: Waker) -> Int {
        let events = state.withLock { state in
            state.waiting[place.number] = waker
            state.asked += 1
            return state.events
        }
        changed.ring()
        return events
    }

    /// A place among those that wait; it is given up with the request.
    private final class Place {
        let number: Int
        private let site: WaitingSite

        init(_ site: WaitingSite) {
            self.site = site
            number = site.state.withLock { state in
                state.next += 1
                return state.next
            }
        }

        deinit {
            site.state.withLock { _ = $0.waiting.removeValue(forKey: number) }
            site.changed.ring()
        }
    }
}

/// Lets a test wait until something about a site is true, without looking at a clock.
final class Changes: Sendable {
    private let bell = WakeUp()

    func ring() { bell.ring() }

    /// Returns when `holds` does; after 20 s without a change as well, for the test to say what is wrong.
    func wait(until holds: () -> Bool) {
        while !holds() {
            let deadline = MonotonicClock.now + .seconds(20)
            bell.wait(until: deadline)
            bell.clear()
            if MonotonicClock.now >= deadline { return }
        }
    }
}
