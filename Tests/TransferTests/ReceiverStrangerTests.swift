import Catalogue
import Foundation
import Inbox
import Receiver
import TestSupport
import Testing
import Wire

/// Whoever reaches the port and is not paired: refused before a body is read, told to wait when it goes on.
@Suite struct ReceiverStrangerTests {
    private static func refusals(_ world: ReceiverWorld) -> Int {
        world.events.count { if case .refused = $0 { true } else { false } }
    }

    private func fileCount(_ world: ReceiverWorld) throws -> Int {
        try FileManager.default.subpathsOfDirectory(atPath: world.folder.path).count
    }

    @Test(arguments: [false, true])
    func whoeverKnocksOnIsToldToWaitAndPairedDevicesAreNot(certificate: Bool) throws {
        let world = try ReceiverWorld()
        let before = try fileCount(world)
        let knocking = try world.client(certificate ? ReceiverWorld.stranger : nil)
        let began = ContinuousClock.now
        let answers = try (0..<200).map { _ in try knocking.request("POST", "/v1/up") }
        #expect(answers.first?.status == (certificate ? 403 : 401))
        // One comes back every 3 s.
        let answered = 21 + Int((ContinuousClock.now - began) / .seconds(3))
        #expect(answers.count { $0.status != 429 } <= answered)
        let waits = answers.filter { $0.status == 429 }.map { $0.headers["retry-after"].flatMap { Int($0) } }
        #expect(!waits.isEmpty)
        #expect(waits.allSatisfy { wait in wait.map { (1...10).contains($0) } == true })
        #expect(try fileCount(world) == before)
        // From the same address.
        #expect(try world.client().create(Part.audio(1)).status == 201)
        let token = try world.inbox.makeToken(life: .seconds(60))
        let body = PairRequest(token: token, deviceName: "new").json.bytes
        let answer = try world.client(ReceiverWorld.stranger).request("POST", "/v1/pair", body: body)
        #expect(answer.status == 200)
    }

    @Test func aSpentTokenIs403InASentenceAndThen429BeforeTheBody() throws {
        let world = try ReceiverWorld()
        let token = try world.inbox.makeToken(life: .seconds(60))
        _ = try world.inbox.pair(
            token: token, pin: ReceiverWorld.lapel.pinHex, name: "lapel", signingKey: nil)
        let body = PairRequest(token: token, deviceName: "x").json.bytes
        let client = try world.client(ReceiverWorld.stranger)
        let first = try client.request("POST", "/v1/pair", body: body)
        #expect(first.status == 403)
        #expect(first.body.split(separator: "\n").count == 1)
        var status = 403
        for _ in 0..<200 where status == 403 {
            status = try client.request("POST", "/v1/pair", body: body).status
        }
        #expect(status == 429)
        // No byte of the body is awaited then.
        try client.begin("POST", "/v1/pair", ["Expect": "100-continue"], length: body.count)
        let early = try client.response().status
        #expect([100, 429].contains(early))
    }

    /// No byte of a body is sent here.
    @Test(arguments: [
        (10_000_000_000, 10_000_000_000, 413), (4_000_000_000_000_000_000, 100, 413), (1000, 1001, 413),
    ])
    func aLengthBeyondEveryBoundIsRefusedBeforeTheBody(upload: Int, body: Int, status: Int) throws {
        let world = try ReceiverWorld()
        let part = Part.audio(1)
        var headers = part.creation.merging(ReceiverClient.bytesType) { $1 }
        headers["Upload-Length"] = String(upload)
        headers["Expect"] = "100-continue"
        let client = try world.client()
        try client.begin("POST", "/v1/up", headers, length: body)
        #expect(try client.response().status == status)
        #expect(try FileManager.default.contentsOfDirectory(atPath: world.inbox.folder.incoming) == [])
    }

    @Test func headersWithoutEndAreCutOff() throws {
        let world = try ReceiverWorld()
        let client = try world.client(ReceiverWorld.stranger)
        let line = Array(("X-Padding: " + String(repeating: "x", count: 8000) + "\r\n").utf8)
        try client.send(Array("GET / HTTP/1.1\r\nHost: x\r\n".utf8))
        var sent = 0
        while sent < 64 << 20, (try? client.send(line)) != nil { sent += line.count }
        #expect(sent < 16 << 20)
        let answer = try? client.response()
        #expect(answer == nil || (400..<500).contains(answer?.status ?? 0))
        #expect(try world.client().create(Part.audio(1)).status == 201)
    }

    /// A byte now and then is not silence: the whole of it has a limit.
    @Test func slowHeadersAreCutOff() throws {
        let world = try ReceiverWorld(patience: .milliseconds(300))
        let client = try world.client(ReceiverWorld.stranger)
        try client.send(Array("GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ".utf8))
        let began = ContinuousClock.now
        while ContinuousClock.now - began < .seconds(20), (try? client.send([120])) != nil {
            _ = client.waitForBytes(milliseconds: 20)
        }
        #expect(client.isClosed())
        #expect(ContinuousClock.now - began < .seconds(15))
    }

    @Test func aSilentConnectionIsCutOffBeforeItsHandshake() throws {
        let world = try ReceiverWorld(patience: .milliseconds(300))
        let socket = try BareSocket(port: world.server.address.port)
        #expect(socket.isClosed())
    }

    /// The slowest device is one whose bytes still come.
    /// The patience is for handshake and headers, which a busy machine takes its time for, too; the body takes longer.
    @Test func aKnownDevicesSlowBodyIsNotCutOff() throws {
        let world = try ReceiverWorld(patience: .seconds(3))
        let part = Part.audio(1, count: 30)
        let client = try world.client()
        try client.begin(
            "POST", "/v1/up", part.creation.merging(ReceiverClient.bytesType) { $1 }, length: 30)
        for byte in part.bytes {
            _ = client.waitForBytes(milliseconds: 120)
            try client.send([byte])
        }
        #expect(try client.response().headers["repr-digest"] == part.receipt)
    }

    @Test func manyUnfinishedUploadsAre429AndOneLessIsFine() throws {
        let world = try ReceiverWorld()
        let client = try world.client()
        let pin = ReceiverWorld.wrist.pinHex
        for seed in 1...UInt64(Inbox.mostHalfUploads) {
            _ = try world.inbox.create(Part.audio(seed, count: 1, device: pin).new)
        }
        let more = Part.audio(5000)
        let answer = try client.create(more)
        #expect(answer.status == 429)
        #expect(answer.headers["retry-after"] == "60")
        #expect(try client.request("DELETE", Part.audio(1, count: 1).path).status == 204)
        #expect(try client.create(more).status == 201)
    }

    @Test func aQuotaIs507AndWhatIsForgottenCountsNoMore() throws {
        let world = try ReceiverWorld(settings: .init(quotaPerDevice: 1500))
        let client = try world.client()
        let first = Part.audio(1)
        #expect(try client.create(first, body: first.bytes).status == 201)
        let answer = try client.create(Part.audio(2))
        #expect(answer.status == 507)
        #expect(answer.headers["retry-after"] == "300")
        #expect(try world.inbox.forget(utterance: Part.id(1)))
        #expect(try world.inbox.usage(of: ReceiverWorld.wrist.pinHex) == 0)
        #expect(try client.create(Part.audio(2)).status == 201)
        #expect(try client.request("DELETE", Part.audio(2).path).status == 204)
        #expect(try world.inbox.usage(of: ReceiverWorld.wrist.pinHex) == 0)
    }
}
