import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import HostLink

/// How long nothing may be heard is the request's affair.
struct HostLinkSilenceTests {
    /// A column a second, `#` where bytes move; the column of the stall, if there is one.
    private func stall(_ timeline: String, limit: Duration) -> Int? {
        var silence = Silence(limit: limit)
        var moved = 0
        for (column, mark) in timeline.enumerated() {
            if mark == "#" { moved += 1_000 }
            if silence.isOver(moved: moved, now: .seconds(column)) { return column }
        }
        return nil
    }

    @Test(arguments: [
        ("#....#....#....#....", 5, nil), ("#.....#", 5, 5), ("#....#.....", 5, 10), ("......#", 5, 5),
        ("....#....#....", 5, nil), ("#########################", 1, nil), ("##..........", 10, 11),
    ])
    func aStallIsALimitWithoutAByte(timeline: String, seconds: Int, column: Int?) {
        #expect(stall(timeline, limit: .seconds(seconds)) == column)
    }

    /// The host says nothing for 25 s, then answers.
    private func longPoll(bearing silence: Duration) throws -> (error: HostLinkError?, at: Duration) {
        let world = try HostLinkWorld()
        let (gate, clock) = (Gate(), StepClock())
        let host = world.host { _, _ in
            _ = gate.wait()
            return .answer(204)
        }
        defer {
            gate.open()
            host.stop()
        }
        let request = HTTPRequest(.get, "/v1/events?wait=25", silence: silence)
        let error = try world.failure(of: request, port: host.port, by: clock) {
            guard !host.asked.isEmpty, clock.now < .seconds(25) else { return false }
            clock.pass(.seconds(1))
            if clock.now == .seconds(25) { gate.open() }
            return false
        }
        return (error, clock.now)
    }

    @Test func aLongPollThatBears40SecondsIsSilentFor25AndAnswered() throws {
        let (error, at) = try longPoll(bearing: .seconds(40))
        #expect(error == nil)
        #expect(at == .seconds(25))
    }

    @Test func theSameSilenceIsAStallToWhoBears20() throws {
        let (error, at) = try longPoll(bearing: .seconds(20))
        guard case .noAnswer(.stalled, _, let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason == "no byte moved for 20 seconds")
        #expect(at == .seconds(20))
    }

    /// More than the buffers of a connection hold.
    private func upload(_ world: HostLinkWorld, _ bytes: Int) throws -> (request: HTTPRequest, FileHandle) {
        let (_, path, handle) = try world.file()
        try handle.truncate(atOffset: UInt64(bytes))
        let body = RequestBody(descriptor: handle.fileDescriptor, path: path, from: 0, length: bytes)
        return (HTTPRequest(.patch, "/v1/up/1", body: body), handle)
    }

    /// A road that carries a megabyte a second, by its own clock.
    @Test func anUploadThatTakesLongerThanItsLimitIsNoStallWhileItMoves() throws {
        let world = try HostLinkWorld()
        let host = world.host { _, _ in .answer(204) }
        let relay = Relay(to: host.port)
        defer {
            host.stop()
            relay.stop()
        }
        let (request, handle) = try upload(world, 32_000_000)
        let clock = StepClock()
        let error = try world.failure(of: request, port: relay.port, by: clock) {
            clock.pass(.microseconds(relay.carriedUp) - clock.now)
            return false
        }
        #expect(error == nil)
        #expect(clock.now > .seconds(20))
        try handle.close()
    }

    /// The road takes some of it, and then nothing.
    @Test func anUploadThatStandsStillFor20SecondsIsAStall() throws {
        let world = try HostLinkWorld()
        let host = world.host { _, _ in .answer(204) }
        let relay = Relay(to: host.port, rules: [.init(upTaken: 500_000)])
        defer {
            host.stop()
            relay.stop()
        }
        let (request, handle) = try upload(world, 32_000_000)
        let clock = StepClock()
        let error = try world.failure(of: request, port: relay.port, by: clock) {
            if relay.carriedUp >= 500_000 { clock.pass(.milliseconds(10)) }
            return clock.now > .seconds(600)
        }
        guard case .noAnswer(.stalled, _, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(clock.now >= .seconds(20))
        #expect(host.asked.isEmpty)
        try handle.close()
    }

    /// `text/event-stream`: a comment every 15 s, and then nothing.
    @Test func aStreamIsHeardPieceByPieceAndLivesWhileItsCommentsCome() throws {
        let world = try HostLinkWorld()
        let (gate, clock) = (Gate(), StepClock())
        let host = world.host { _, _ in
            .live { write in
                _ = write(Array("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n".utf8))
                while gate.wait(), write(Array(": here\n\n".utf8)) {}
            }
        }
        defer {
            host.stop()
            gate.open()
        }
        let heard = Mutex<[UInt8]>([])
        let request = HTTPRequest(
            .get, "/v1/events", into: .pieces { bytes in heard.withLock { $0 += bytes } },
            silence: .seconds(40))
        var comments = 0
        let error = try world.failure(of: request, port: host.port, by: clock) {
            guard !host.asked.isEmpty, heard.withLock({ $0.count }) == 8 * comments else { return false }
            if comments < 3 {
                comments += 1
                clock.pass(.seconds(15))
                gate.open()
            } else {
                clock.pass(.seconds(1))
            }
            return false
        }
        guard case .noAnswer(.stalled, _, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(heard.withLock { $0 } == Array(": here\n\n: here\n\n: here\n\n".utf8))
        #expect(clock.now == .seconds(45 + 40))
    }
}
