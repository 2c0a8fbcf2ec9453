import Foundation
import HTTPServer
import Synchronization
import Testing
import Threads

/// Requests that wait in an event loop: they hold no thread, and each wake reaches exactly those that wait.
@Suite struct HTTPServerWaitingTests {
    private let site = WaitingSite(paired: [ReceiverWorld.wrist])

    private func server(patience: Duration = .seconds(30)) throws -> Server {
        try Server(
            site, identity: ReceiverWorld.host, listen: ListenAddress(address: "127.0.0.1", port: 0),
            running: .eventLoop, patience: patience)
    }

    private func client(_ server: Server) throws -> ReceiverClient {
        try ReceiverClient(port: server.address.port, identity: ReceiverWorld.wrist)
    }

    @Test func allWhoWaitAreWokenOnce() throws {
        let server = try server()
        let clients = try (0..<200).map { _ in try client(server) }
        for round in 1...3 {
            for client in clients { try client.begin("GET", "/wait", length: nil) }
            site.changed.wait { site.waiting == 200 }
            #expect(site.waiting == 200)
            #expect(clients.allSatisfy { !$0.waitForBytes(milliseconds: 0) })
            site.happen()
            let bodies = try clients.map { try $0.response().body }
            #expect(bodies == Array(repeating: "event \(round)\n", count: 200))
            site.changed.wait { site.waiting == 0 }
            // Once when it came, once when it was woken.
            #expect(site.asked == round * 400)
        }
    }

    @Test func aRingBetweenTheQuestionAndTheWaitAsksAgain() throws {
        let server = try server()
        #expect(try client(server).request("GET", "/rung").status == 204)
    }

    /// Rings at every moment, from another thread.
    @Test func ringsDisturbNoAnswer() throws {
        let server = try server()
        let clients = try (0..<8).map { _ in try client(server) }
        let ended = Mutex(false)
        let storm = NamedThread("storm") { [site] in while !ended.withLock({ $0 }) { site.happen() } }
        defer {
            ended.withLock { $0 = true }
            storm.join()
        }
        for _ in 0..<60 {
            for client in clients { try client.begin("GET", "/wait", length: nil) }
            for client in clients { #expect(try client.response().status == 200) }
        }
    }

    @Test func aWaitEndsWhenItsTimeIsUp() throws {
        let server = try server()
        #expect(try client(server).request("GET", "/short").status == 204)
        // Once when it came, once at the end.
        #expect(site.asked == 2)
    }

    @Test func aStreamSaysEachThingAsItComes() throws {
        let server = try server()
        let clients = try (0..<20).map { _ in try client(server) }
        for client in clients {
            try client.begin("GET", "/live", length: nil)
            let head = try client.response(bodyless: true)
            #expect(head.status == 200 && head.headers["content-type"] == "text/event-stream")
        }
        for event in 1...5 {
            site.changed.wait { site.waiting == 20 }
            site.happen()
            for client in clients { #expect(try client.chunk() == "event \(event)\n") }
        }
    }

    @Test(arguments: [Server.Running.threadPerConnection, .eventLoop])
    func aLongStreamComesWhole(running: Server.Running) throws {
        let server = try Server(
            site, identity: ReceiverWorld.host, listen: ListenAddress(address: "127.0.0.1", port: 0),
            running: running)
        let client = try client(server)
        try client.begin("GET", "/count?of=1000000", length: nil)
        #expect(try client.response(bodyless: true).headers["content-length"] == nil)
        var got = ""
        while case let chunk = try client.chunk(), !chunk.isEmpty { got += chunk }
        #expect(got.utf8.elementsEqual((0..<1_000_000).map { UInt8(97 + (1_000_000 - $0) % 26) }))
        // The connection goes on.
        #expect(try client.request("GET", "/nothing").status == 404)
    }

    /// Nobody notices that it is gone while it waits; the next question does, although there is nothing to say.
    @Test(arguments: ["/wait", "/live"])
    func whoHasGoneIsForgottenWhenItsWaitEnds(path: String) throws {
        let server = try server()
        do {
            let client = try client(server)
            try client.begin("GET", path, length: nil)
            site.changed.wait { site.waiting == 1 }
        }
        site.ringForNothing()
        site.changed.wait { site.waiting == 0 }
        #expect(site.waiting == 0)
    }

    @Test func whoDoesNotReadIsCutOff() throws {
        let server = try server(patience: .milliseconds(300))
        let client = try client(server)
        try client.begin("GET", "/count?of=1000000000", length: nil)
        _ = try client.response(bodyless: true)
        site.changed.wait { site.waiting == 1 }
        site.changed.wait { site.waiting == 0 }
        #expect(site.waiting == 0)
        #expect(throws: ReceiverClient.Failure.self) { while try client.chunk() != "" {} }
    }

    @Test func slowHeadersAreCutOffBesideThoseThatWait() throws {
        let server = try server(patience: .milliseconds(300))
        let waiting = try client(server)
        try waiting.begin("GET", "/wait", length: nil)
        site.changed.wait { site.waiting == 1 }
        let slow = try client(server)
        try slow.send(Array("GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ".utf8))
        let began = ContinuousClock.now
        while ContinuousClock.now - began < .seconds(20), (try? slow.send([120])) != nil {
            _ = slow.waitForBytes(milliseconds: 20)
        }
        #expect(slow.isClosed())
        #expect(try BareSocket(port: server.address.port).isClosed())
        #expect(site.waiting == 1)
        site.happen()
        #expect(try waiting.response().body == "event 1\n")
    }

    @Test(arguments: [false, true])
    func strangersWaitForNothingAndAreToldToWait(certificate: Bool) throws {
        let server = try server()
        let identity = certificate ? ReceiverWorld.stranger : nil
        let stranger = try ReceiverClient(port: server.address.port, identity: identity)
        let answers = try (0..<100).map { _ in try stranger.request("GET", "/wait").status }
        #expect(answers.first == 403 && answers.last == 429)
        #expect(site.asked == 0)
    }

    @Test func stoppingEndsThoseThatWait() throws {
        let server = try server()
        let clients = try (0..<50).map { _ in try client(server) }
        for (number, client) in clients.enumerated() {
            try client.begin("GET", number % 2 == 0 ? "/wait" : "/live", length: nil)
        }
        site.changed.wait { site.waiting == 50 }
        server.stop()
        #expect(site.waiting == 0)
        for (number, client) in clients.enumerated() {
            if number % 2 == 1 { _ = try client.response(bodyless: true) }
            #expect(client.isClosed())
        }
    }
}
