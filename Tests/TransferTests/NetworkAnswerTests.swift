import Foundation
import Outbox
import Shipper
import Synchronization
import TestSupport
import Testing
import Wire

/// What may become of an answer on its way, or in a host that is not well.
enum Spoiled: CaseIterable, Sendable {
    case page, empty, redirected, endless
    case withoutOffset, aheadOffset, wholeOffset, beyondOffset, negativeOffset, wordyOffset
    case withoutDigest, otherDigest, wordyDigest
    case withoutLocation, wordyLocation, elsewhere
    case twice, interim, unasked

    /// The answer to send instead; nil where there is nothing to spoil.
    func reply(_ answer: ReceiverClient.Response, length: Int) -> ScriptedHost.Reply? {
        switch self {
        case .page:
            return .answer(
                200, [("Content-Type", "text/html"), ("Upload-Offset", "")],
                body: "<html>Please accept the terms to use this network.</html>")
        case .empty: return .raw("HTTP/1.1 204 \r\n\r\n")
        case .redirected: return .answer(302, [("Location", "http://portal.example/")])
        case .endless: return .answer(200, [], body: String(repeating: "x", count: 100_000))
        case .withoutOffset: return answer.with("upload-offset", nil)
        case .aheadOffset: return answer.with("upload-offset", "1000")
        case .wholeOffset: return answer.with("upload-offset", String(length))?.without("repr-digest")
        case .beyondOffset: return answer.with("upload-offset", String(length + 1))
        case .negativeOffset: return answer.with("upload-offset", "-1")
        case .wordyOffset: return answer.with("upload-offset", "all of it")
        case .withoutDigest: return answer.with("repr-digest", nil)
        case .otherDigest:
            return answer.with(
                "repr-digest", ReprDigest(hex: String(repeating: "ab", count: 32))?.header ?? "")
        case .wordyDigest: return answer.with("repr-digest", "sha-256=:yes:")
        case .withoutLocation: return answer.with("location", nil)
        case .wordyLocation: return answer.with("location", "over there")
        case .elsewhere: return answer.with("location", "https://portal.example/v1/up/1")
        case .twice: return .raw(answer.text + answer.text)
        case .interim: return .raw("HTTP/1.1 100 Continue\r\nUpload-Offset: 7\r\n\r\n" + answer.text)
        // What a server says to a connection that it thinks idle.
        case .unasked:
            return .raw(answer.text + "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n")
        }
    }
}

extension ReceiverClient.Response {
    /// As it goes over the wire.
    fileprivate var text: String {
        var text = "HTTP/1.1 \(status) Host\r\n"
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        return text + "\r\n" + body
    }

    fileprivate func with(_ name: String, _ value: String?) -> ScriptedHost.Reply? {
        guard headers[name] != nil else { return nil }
        var changed = headers
        changed[name] = value
        return .raw(ReceiverClient.Response(status: status, headers: changed, body: body).text)
    }
}

extension ScriptedHost.Reply {
    fileprivate func without(_ name: String) -> Self {
        guard case .raw(let text) = self else { return self }
        return .raw(
            text.components(separatedBy: "\r\n").filter { !$0.hasPrefix(name + ":") }.joined(
                separator: "\r\n"))
    }
}

/// One answer of a session is not what the host said, at each of its steps; behind the script is the real host.
struct NetworkAnswerTests {
    /// The requests of a recording that is too long for the one that creates it; `question` comes after a cut.
    enum Step: CaseIterable, Sendable {
        case manifest, creation, bytes, question

        init(_ asked: ScriptedHost.Asked, number: Int) {
            switch asked.method {
            case "POST": self = number == 0 ? .manifest : .creation
            case "PATCH": self = .bytes
            default: self = .question
            }
        }
    }

    /// What the real host answers to a request that was made of another.
    private func passedOn(_ asked: ScriptedHost.Asked, to world: ShipperWorld) throws
        -> ReceiverClient.Response
    {
        var headers = asked.headers
        for name in ["host", "content-length"] { headers[name] = nil }
        headers["Tus-Resumable"] = headers.removeValue(forKey: "tus-resumable")
        let client = try ReceiverClient(port: world.server.address.port, identity: world.deviceIdentity)
        return try client.request(asked.method, asked.path, headers, body: asked.body)
    }

    /// The host as the device sees it: the first answer at `step` is a spoiled one.
    private func host(_ world: ShipperWorld, _ spoiled: Spoiled, at step: Step, length: Int) -> ScriptedHost {
        let (cut, done) = (Flag(), Flag())
        return ScriptedHost(world.hostIdentity) { number, asked in
            let now = Step(asked, number: number)
            guard let answer = try? passedOn(asked, to: world) else { return .cut }
            // A question is asked only after a cut.
            if step == .question, now == .bytes, cut.isFirst() { return .cut }
            guard now == step, done.isFirst() else { return .raw(answer.text) }
            return spoiled.reply(answer, length: now == .manifest ? asked.body.count : length)
                ?? .raw(answer.text)
        }
    }

    /// Ships all there is; whenever the device waits, somebody presses.
    private func ship(_ world: ShipperWorld) {
        let shipper = world.ship()
        let waits: ([ShipperEvent]) -> Int = { events in
            events.filter { event in
                switch event {
                case .unreachable, .delayed, .problem: true
                default: false
                }
            }.count
        }
        for pressed in 0..<20 {
            _ = world.events.wait { events in events.contains(.idle) || waits(events) > pressed }
            if world.events.all.contains(.idle) { break }
            shipper.wake(reset: true)
        }
        shipper.shutDown()
    }

    @Test(arguments: Spoiled.allCases, Step.allCases)
    func aSpoiledAnswerCostsARecordingNothing(spoiled: Spoiled, at step: Step) throws {
        let audio = noise(300_000)
        let world = try ShipperWorld()
        let host = host(world, spoiled, at: step, length: audio.count)
        try world.pair(ports: [host.port])
        let item = try world.record(audio)
        ship(world)
        host.stop()
        let kinds = world.events.kinds
        if kinds.contains("parked") {
            // Who holds the host's own key says that the host has other bytes: the device's copy stays.
            #expect(spoiled == .otherDigest)
            #expect(!kinds.contains("let go") && world.outbox.counts().parked == 1)
        } else {
            #expect(kinds.suffix(3) == ["stored", "let go", "idle"], "\(kinds)")
            #expect(try world.stored(item) == audio)
            #expect(world.outbox.waiting().isEmpty)
            #expect(try world.inbox.utterances().count == 1)
        }
        // A creation whose answer says nothing may be repeated; nothing else makes a new upload.
        let posts = host.lines.filter { $0.hasPrefix("POST") }.count
        #expect(posts <= (step == .manifest || step == .creation ? 3 : 2), "\(host.lines)")
    }
}
