import Glibc
import Hardware
import Simulator
import Synchronization
import TestSupport
import Testing
import Threads

/// Button events from another thread, waited for.
private final class Presses: Sendable {
    private let events = Mutex<[ButtonEvent]>([])
    private let wakeUp = WakeUp()

    func report(_ event: ButtonEvent) {
        events.withLock { $0.append(event) }
        wakeUp.ring()
    }

    /// The first `count` events; fewer after 30 s.
    func first(_ count: Int) -> [ButtonEvent] {
        let end = MonotonicClock.now + .seconds(30)
        while true {
            let events = events.withLock { $0 }
            if events.count >= count || MonotonicClock.now >= end { return events }
            wakeUp.wait(until: end)
            wakeUp.clear()
        }
    }
}

extension [ButtonEvent] {
    fileprivate var edges: [Edge] {
        compactMap { if case .edge(let edge) = $0 { edge } else { nil } }
    }
}

@Suite struct ScriptedButtonTests {
    @Test func pressesComeInOrderOfTimeAndLastAsLongAsTheyShould() {
        let presses = Presses()
        let zero = MonotonicClock.now
        let button = ScriptedButton(
            [
                ScriptedPress(at: .milliseconds(60), held: .milliseconds(20)),
                ScriptedPress(at: .zero, held: .milliseconds(30)),
            ]
        ) {}
        button.start(report: presses.report)
        let edges = presses.first(4).edges
        #expect(edges.map(\.down) == [true, false, true, false])
        #expect(edges[1].at - edges[0].at >= .milliseconds(30))
        #expect(edges[2].at - zero >= .milliseconds(60))
        #expect(edges[3].at - edges[2].at >= .milliseconds(20))
        #expect(zip(edges, edges.dropFirst()).allSatisfy { $0.at <= $1.at })
    }

    @Test func theEndIsToldOnceAfterTheLastRelease() {
        let presses = Presses()
        let button = ScriptedButton([ScriptedPress(at: .zero, held: .milliseconds(1))]) {
            presses.report(.lost("over"))
        }
        button.start(report: presses.report)
        #expect(presses.first(3).last == .lost("over"))
    }

    @Test func anEmptyScriptEndsAtOnce() {
        let presses = Presses()
        let button = ScriptedButton([]) { presses.report(.lost("over")) }
        button.start(report: presses.report)
        #expect(presses.first(1) == [.lost("over")])
    }

    @Test func aTapIsStampedWithItsOwnLength() {
        let presses = Presses()
        ScriptedButton([ScriptedPress(at: .zero, held: .milliseconds(1))]) {}.start(report: presses.report)
        let edges = presses.first(2).edges
        #expect(edges[1].at - edges[0].at == .milliseconds(1))
    }

    /// The edges of a script whose program catches up 150 ms after each time it is asked.
    private func late(_ script: [ScriptedPress]) -> [Edge] {
        let presses = Presses()
        let own = Mutex<ScriptPace?>(nil)
        let pace = ScriptPace {
            let pace = own.withLock { $0 }
            pace?.caughtUp(at: .zero)  // with something of before: that is not enough
            pace?.caughtUp(at: MonotonicClock.now + .milliseconds(150))
        }
        own.withLock { $0 = pace }
        defer { own.withLock { $0 = nil } }
        ScriptedButton(script, pace: pace) { presses.report(.lost("over")) }.start(report: presses.report)
        return presses.first(2 * script.count + 1).edges
    }

    @Test func aHoldIsCountedFromWhenTheProgramHasCaughtUp() {
        let edges = late([ScriptedPress(at: .zero, held: ScriptedPress.shortestHeard)])
        #expect(edges[1].at - edges[0].at >= ScriptedPress.shortestHeard + .milliseconds(150))
    }

    @Test func aTapWaitsForNothingAndWhatFollowsForTheProgram() {
        let tap = ScriptedPress(at: .zero, held: .milliseconds(20))
        let edges = late([tap, ScriptedPress(at: .milliseconds(50))])
        #expect(edges[1].at - edges[0].at == .milliseconds(20))
        #expect(edges[2].at - edges[1].at >= .milliseconds(180))
    }

    @Test func itsLevelCannotBeRead() {
        #expect(ScriptedButton([]) {}.isDown() == nil)
    }
}

/// Another process at the panel.
private final class Stranger {
    private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    let path: String

    init(at path: String) {
        self.path = path
        withAddress(path) { _ = bind(descriptor, $0, $1) }
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    func say(_ word: String, to panel: String) {
        withAddress(panel) { _ = sendto(descriptor, word, word.utf8.count, 0, $0, $1) }
    }

    /// The next datagram; nil after 30 s.
    func hear() -> String? {
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count >= 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }

    private func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Void) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

@Suite struct PanelTests {
    private let folder = TemporaryFolder()
    private let presses = Presses()
    private var path: String { folder.file("panel") }

    @Test func pressAndReleaseComeInStampedByTheirArrival() throws {
        let panel = try Panel(path: path)
        panel.start(report: presses.report)
        let stranger = Stranger(at: folder.file("me"))
        let before = MonotonicClock.now
        for word in ["press", "release\n"] { stranger.say(word, to: path) }
        let edges = presses.first(2).edges
        #expect(edges.map(\.down) == [true, false])
        #expect(edges.allSatisfy { $0.at >= before && $0.at <= MonotonicClock.now })
        #expect(edges[0].at <= edges[1].at)
    }

    @Test func theLampGoesOutWithItsTimeToWhoeverSpokeLast() throws {
        let panel = try Panel(path: path)
        panel.start(report: presses.report)
        panel.set(true)  // nobody is there: nothing happens
        let (first, second) = (Stranger(at: folder.file("a")), Stranger(at: folder.file("b")))
        first.say("press", to: path)
        _ = presses.first(1)
        let before = MonotonicClock.now.wholeNanoseconds
        panel.set(true)
        let words = try #require(first.hear()).split(separator: " ")
        #expect(words.prefix(2) == ["lamp", "on"])
        let stamp = try #require(words.last.flatMap { Int64($0) })
        #expect(stamp >= before && stamp <= MonotonicClock.now.wholeNanoseconds)
        second.say("release", to: path)
        _ = presses.first(2)
        panel.set(false)
        #expect(second.hear()?.hasPrefix("lamp off ") == true)
    }

    @Test func otherWordsAreIgnored() throws {
        let panel = try Panel(path: path)
        panel.start(report: presses.report)
        let stranger = Stranger(at: folder.file("me"))
        for word in ["", "PRESS", "press release", "begin", String(repeating: "press", count: 40)] {
            stranger.say(word, to: path)
        }
        stranger.say("release", to: path)
        #expect(presses.first(1).edges.map(\.down) == [false])
    }

    @Test func itsLevelIsTheLastWordsLevel() throws {
        let panel = try Panel(path: path)
        panel.start(report: presses.report)
        #expect(panel.isDown() == false)
        Stranger(at: folder.file("me")).say("press", to: path)
        _ = presses.first(1)
        #expect(panel.isDown() == true)
    }

    @Test func aSocketThatWasLeftIsReplacedAndALongPathRefused() throws {
        _ = try Panel(path: path)
        _ = try Panel(path: path)
        let long = folder.file(String(repeating: "x", count: 120))
        #expect(throws: PanelError.self) { try Panel(path: long) }
        #expect(throws: PanelError.self) { try Panel(path: folder.file("none/panel")) }
    }

    @Test func aPeerThatIsGoneHarmsNothing() throws {
        let panel = try Panel(path: path)
        panel.start(report: presses.report)
        do { Stranger(at: folder.file("me")).say("press", to: path) }
        _ = presses.first(1)
        for _ in 0..<100 { panel.set(true) }
        let other = Stranger(at: folder.file("other"))
        other.say("release", to: path)
        #expect(presses.first(2).edges.map(\.down) == [true, false])
    }
}
