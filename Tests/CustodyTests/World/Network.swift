import HostLink
import Sealing
import TestSupport
import Wire

@testable import HTTPServer
@testable import Receiver
@testable import Shipper

/// What becomes of one request on its way.
enum Fate: Equatable {
    case whole
    case unreachable
    /// So many bytes of the body arrive; the host does not notice that the rest will never come.
    case cut(after: Int)
    /// The host does everything, and its answer is lost.
    case answerLost
    case stalled
    /// It arrives twice: now, and once more at any later time.
    case repeated
    /// Refused for good, as by a host that cannot open it.
    case refused
    /// The device dies when so many bytes are on their way.
    case deviceDies(after: Int)
}

/// One request as it travels.
struct Packet {
    let request: Request
    let body: [UInt8]

    init(_ asked: TusSession.Request, _ cargo: Cargo, contents: [UInt8]) {
        var headers = [TusHeader.resumable.lowercased(): TusHeader.protocolVersion]
        headers[TusHeader.lapelClock.lowercased()] =
            LapelClock(bootID: "12345678-1234-1234-1234-123456789abc", boot: 5, monotonic: 4).header
        let length = cargo.upload.length
        let method: String
        let path: String
        switch asked {
        case .create(let inline):
            method = "POST"
            path = cargo.upload.creationPath
            headers[TusHeader.uploadLength.lowercased()] = String(length)
            headers[TusHeader.uploadMetadata.lowercased()] = cargo.metadata.header
            body = inline ? contents : []
            if inline { headers[TusHeader.contentType.lowercased()] = TusHeader.bytesType }
        case .head(let location):
            method = "HEAD"
            path = location
            body = []
        case .patch(let location, let offset):
            method = "PATCH"
            path = location
            headers[TusHeader.uploadOffset.lowercased()] = String(offset)
            headers[TusHeader.contentType.lowercased()] = TusHeader.bytesType
            body = Array(contents[min(offset, contents.count)...])
        }
        if asked.hasBody { headers["content-length"] = String(body.count) }
        request = Request(method: method, path: path, pin: HostSide.pin, headers: headers)
    }
}

extension TusSession.Request {
    fileprivate var hasBody: Bool {
        switch self {
        case .create, .patch: true
        case .head: false
        }
    }
}

extension World {
    /// Sends one request; its answer, or why there is none. The device may be dead afterwards, and so may the host.
    func ask(
        _ asked: TusSession.Request, _ cargo: Cargo, contents: [UInt8]
    ) throws -> Result<TusSession.Response, NoAnswer> {
        let packet = Packet(asked, cargo, contents: contents)
        let fate = fate(packet.body.count)
        say("  \(packet.request.method) \(cargo.kind) of \(packet.body.count) bytes: \(fate)")
        guard deviceLife.passNetwork() else { return .failure(.dead) }
        if fate == .unreachable || host.routes == nil { return .failure(.failed(.unreachable)) }
        if fate == .refused { return .success(.init(status: 422)) }
        host.life.step = asked.step
        guard host.life.passNetwork(), let routes = host.routes else { return .failure(.failed(.cut)) }
        let path = cargo.upload.location ?? ""
        host.begun[path] = host.begun[path] ?? host.starts
        let exchange = HTTPServer.Exchange(packet.request, routes)
        var answer = host.life.isDead ? nil : exchange.early
        if answer == nil {
            var arriving = packet.body.count
            switch fate {
            case .cut(let after), .deviceDies(let after): arriving = after
            case .whole, .unreachable, .answerLost, .stalled, .repeated, .refused: break
            }
            let taken = try take(packet.body[..<arriving], exchange)
            if case .deviceDies = fate {
                host.halfOpen.append(.init(exchange: exchange, rest: Array(packet.body[arriving...])))
                deviceLife.die(after: 0, tearing: 0)
                _ = deviceLife.passNetwork()
                return .failure(.dead)
            }
            if !taken { return .failure(.failed(.cut)) }
            if arriving < packet.body.count || fate == .cut(after: arriving) {
                host.halfOpen.append(.init(exchange: exchange, rest: Array(packet.body[arriving...])))
                return .failure(.failed(.cut))
            }
            answer = try finish(exchange)
        }
        if let answer, answer.status >= 500 { say("  \(answer.text)") }
        guard let answer, !host.life.isDead else { return .failure(.failed(.cut)) }
        try checkBytes(answer, cargo)
        var response = Self.response(answer)
        try noteAnswer(response, CargoFacts(cargo))
        // The answer is ready, and the host may die before it goes.
        host.life.step = .answer
        guard host.life.passNetwork() else { return .failure(.failed(.cut)) }
        if fate == .repeated {
            replays.append(Replay(packet: packet, facts: CargoFacts(cargo)))
        }
        if fate == .answerLost { return .failure(.failed(.cut)) }
        if fate == .stalled { return .failure(.failed(.stalled)) }
        guard deviceLife.passNetwork() else { return .failure(.dead) }
        say("  \(response.status) offset \(response.offset ?? -1)\(response.digest == nil ? "" : " receipt")")
        if case .head = asked, response.digest == nil, let offset = response.offset, chance(trouble / 4) {
            // Right after a cut servers report where they stood before.
            response.offset = Int.random(in: 0...offset, using: &random)
        }
        if response.digest != nil {
            delivered[cargo.metadata.utterance ?? "", default: [:]][host.number, default: []].insert(
                cargo.kind)
        }
        return .success(response)
    }

    /// The network cuts and repeats, and changes no byte: only a power cut of the host can damage what arrived.
    private func checkBytes(_ answer: Answer, _ cargo: Cargo) throws {
        let path = cargo.upload.location ?? ""
        let isDamaged = truths[cargo.metadata.utterance ?? ""]?.isDamaged ?? false
        // 413: somebody else's bytes took the room of this request's.
        if answer.status == 413 || answer.status == 460 && host.begun[path] == host.starts && !isDamaged {
            throw BrokenPromise(4, "the host mixed the bytes of two requests for the \(cargo.kind)")
        }
    }

    enum NoAnswer: Error {
        case failed(TransferFailure)
        case dead
    }

    /// Hands over bytes in pieces as they come; false when the host closes the connection.
    func take(_ bytes: ArraySlice<UInt8>, _ exchange: HTTPServer.Exchange) throws -> Bool {
        var rest = bytes
        while !rest.isEmpty, !host.life.isDead {
            host.life.step = .write
            let count = chance(70) ? rest.count : Int.random(in: 1...rest.count, using: &random)
            guard rest.prefix(count).withUnsafeBytes({ exchange.take($0) }) else { return false }
            rest = rest.dropFirst(count)
            if !rest.isEmpty, chance(40) { meddle() }
        }
        return !host.life.isDead
    }

    /// In the middle of a request the bytes of one that broke still arrive.
    private func meddle() {
        guard let ghost = host.halfOpen.last, ghost.rest.count > 1 else { return }
        host.halfOpen.removeLast()
        let count = Int.random(in: 1..<ghost.rest.count, using: &random)
        say("  late bytes between: \(count)")
        _ = ghost.rest.prefix(count).withUnsafeBytes { ghost.exchange.take($0) }
    }

    func finish(_ exchange: HTTPServer.Exchange) throws -> Answer {
        host.life.step = .answer
        guard case .answered(let answer) = exchange.answer() else {
            throw BrokenPromise(0, "an upload waits for nothing")
        }
        return answer
    }

    static func response(_ answer: Answer) -> TusSession.Response {
        var http = HTTPAnswer()
        http.status = Int(answer.status)
        for (name, value) in answer.headers { http.headers[name.lowercased()] = value }
        return TusSession.Response(http)
    }

    private func fate(_ body: Int) -> Fate {
        guard chance(trouble) else { return .whole }
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return .unreachable
        case 1, 2: return .answerLost
        case 3: return .stalled
        case 4, 5: return .repeated
        case 6 where chance(4): return .refused
        case 6: return .deviceDies(after: Int.random(in: 0...body, using: &random))
        default: return .cut(after: Int.random(in: 0...body, using: &random))
        }
    }

    /// What half-open connections and late repetitions still bring to the host.
    func late() throws {
        if !replays.isEmpty, chance(50) {
            let index = Int.random(in: 0..<replays.count, using: &random)
            let replay = replays.remove(at: index)
            let packet = replay.packet
            guard let routes = host.routes else { return }
            say("late again: \(packet.request.method) \(replay.facts.kind)")
            host.life.step = packet.request.method == "HEAD" ? .ask : .create
            guard host.life.passNetwork() else { return }
            let exchange = HTTPServer.Exchange(packet.request, routes)
            guard !host.life.isDead, exchange.early == nil else { return }
            guard try take(packet.body[...], exchange) else { return }
            let answer = try finish(exchange)
            if !host.life.isDead { try noteAnswer(Self.response(answer), replay.facts) }
            return
        }
        guard !host.halfOpen.isEmpty else { return }
        let index = Int.random(in: 0..<host.halfOpen.count, using: &random)
        let ghost = host.halfOpen.remove(at: index)
        say("late bytes of a broken connection: \(ghost.rest.count)")
        // The last byte never comes: an exchange that is whole would be answered.
        let count = Int.random(in: 0...max(0, ghost.rest.count - 1), using: &random)
        _ = try take(ghost.rest[..<min(count, ghost.rest.count)], ghost.exchange)
    }
}

extension TusSession.Request {
    var step: Step {
        switch self {
        case .create: .create
        case .patch: .create
        case .head: .ask
        }
    }

    var deviceStep: Step {
        switch self {
        case .create: .shipCreate
        case .patch: .shipPatch
        case .head: .shipHead
        }
    }
}
