import Simulator
import TestSupport
import Testing

@testable import Wire

/// Not a cryptographic hash: FNV-1a, four words of it, is enough to tell test uploads apart.
private func toyHash(_ bytes: [UInt8]) -> [UInt8] {
    var hash: UInt64 = 14_695_981_039_346_656_037
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
    return (0..<4).flatMap { (word: UInt64) in
        withUnsafeBytes(of: (hash &* (2 * word + 1)).bigEndian) { Array($0) }
    }
}

/// One device, one host, and a network that breaks, loses answers and repeats requests.
private struct World {
    var random: SeededGenerator
    var host = SimulatedHost(sha256: toyHash)
    /// Of 100: how many requests meet a misfortune.
    let trouble: Int

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    /// Delivers one upload; the session's ending and the requests it took.
    mutating func deliver(
        _ bytes: [UInt8], _ metadata: UploadMetadata, path: String
    ) throws -> (ending: TusSession.Ending, requests: Int) {
        let digest = try #require(ReprDigest(sha256: toyHash(bytes)))
        var session = TusSession(.init(length: bytes.count, digest: digest, location: path))
        var action = session.begin()
        var requests = 0
        while requests < 10_000 {
            switch action {
            case .end(let ending): return (ending, requests)
            case .wait:
                // Anything may happen while it waits: the program restarts, half an upload expires.
                if chance(trouble / 10) { host.expireHalfUploads() }
                if chance(trouble / 10) {
                    session = TusSession(session.upload)
                    action = session.begin()
                } else {
                    action = session.resume()
                }
            case .compareFile: action = session.fileCompared(intact: true)
            case .send(let request):
                requests += 1
                action = exchange(request, bytes, metadata, &session)
            }
        }
        Issue.record("the session does not end")
        return (.parked(.refused), requests)
    }

    private mutating func exchange(
        _ request: TusSession.Request, _ bytes: [UInt8], _ metadata: UploadMetadata,
        _ session: inout TusSession
    ) -> TusSession.Action {
        let body: [UInt8]
        switch request {
        case .create(let inline): body = inline ? bytes : []
        case .head: body = []
        case .patch(_, let offset): body = Array(bytes[offset...])
        }
        guard chance(trouble) else {
            let answer = host.handle(request, metadata: metadata, length: bytes.count, body: body)
            return answer.map { session.answered($0) } ?? session.failed(.cut)
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return session.failed(.unreachable)
        case 1: return session.answered(.init(status: [429, 500, 502, 503, 507, 423, 408][bytes.count % 7]))
        case 2:  // the answer is lost
            _ = host.handle(request, metadata: metadata, length: bytes.count, body: body)
            return session.failed(.stalled)
        case 3:  // the request is delivered twice, the second answer counts
            _ = host.handle(request, metadata: metadata, length: bytes.count, body: body)
            let answer = host.handle(request, metadata: metadata, length: bytes.count, body: body)
            return answer.map { session.answered($0) } ?? session.failed(.cut)
        default:
            let after = Int.random(in: 0...body.count, using: &random)
            let late = Int.random(in: 0...(body.count - after), using: &random)
            _ = host.handle(
                request, metadata: metadata, length: bytes.count, body: body,
                arrival: .cut(after: after, late: late))
            return session.failed(.cut)
        }
    }
}

struct TusSimulationTests {
    @Test(arguments: [0, 20, 60, 90])
    func everyUploadArrivesOnceAndWhole(trouble: Int) throws {
        var world = World(random: SeededGenerator(seed: UInt64(trouble) + 1), trouble: trouble)
        var sent: [String: [UInt8]] = [:]
        var requests = 0
        for number in 0..<4_000 {
            // Mostly small; every thousandth too large to travel inside its creation.
            let length =
                number % 1_000 == 0
                ? TransferLimit.inlineBytes + 1 : Int.random(in: 0...300, using: &world.random)
            let seed = UInt8.random(in: 0...255, using: &world.random)
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) ^ seed }
            let id =
                String(repeating: "0", count: 24)
                + Hex.encode(withUnsafeBytes(of: UInt32(number).bigEndian) { Array($0) })
            let kind: UploadKind = number % 2 == 0 ? .audio : .manifest
            let metadata = UploadMetadata(
                utterance: id, kind: kind, seq: UInt64(number), sha256: Hex.encode(toyHash(bytes)))
            let path = world.host.path(utterance: id, kind: kind)
            let result = try world.deliver(bytes, metadata, path: path)
            guard result.ending == .received else {
                Issue.record("upload \(number) of \(length) bytes ended with \(result.ending)")
                return
            }
            requests += result.requests
            sent[path] = bytes
        }
        #expect(world.host.commits == sent.count)
        #expect(world.host.stored.mapValues(\.bytes) == sent)
        if trouble == 0 { #expect(requests == 4_000 + 4) }
    }
}
