import Foundation
import Outbox
import Sealing
import Shipper
import TestSupport
import Testing
import Wire

/// The client's rules, by the real shipper over real TLS against hosts that misbehave by script.
struct ShipperRulesTests {
    private static func store() -> ScriptedStore {
        ScriptedStore(receipt: { ReprDigest(sha256: SHA256.digest(of: $0).bytes)?.header ?? "" })
    }

    /// A device that is paired with a scripted host.
    private func world(
        _ script: @escaping (Int, ScriptedHost.Asked) -> ScriptedHost.Reply
    ) throws -> (world: ShipperWorld, host: ScriptedHost) {
        let world = try ShipperWorld()
        let host = ScriptedHost(world.hostIdentity, script: script)
        try world.pair(ports: [host.port])
        return (world, host)
    }

    private func isAudio(_ asked: ScriptedHost.Asked) -> Bool {
        guard let header = asked.headers["upload-metadata"] else { return false }
        return (try? UploadMetadata(parsing: header))?.kind == .audio
    }

    /// After each of these at a PATCH the host is asked where it stands, and the same upload goes on.
    @Test(arguments: [409, 423, 460, 0])
    func whatBreaksAnUploadIsAskedForAndGoesOnInPlace(status: Int) throws {
        let store = Self.store()
        let broken = Flag()
        let (world, host) = try world { _, asked in
            guard asked.method == "PATCH", broken.isFirst() else { return store.answer(asked) }
            return status == 0 ? .cut : .answer(status, [("Retry-After", "1")])
        }
        try world.record(noise(300_000))
        let shipper = world.ship()
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        host.stop()
        let lines = host.lines
        let first = try #require(lines.firstIndex { $0.hasPrefix("PATCH") })
        #expect(lines.dropFirst(first + 1).first?.hasPrefix("HEAD ") == true)
        #expect(lines.dropFirst(first + 2).first == lines[first])
        #expect(lines.filter { $0.hasPrefix("POST") }.count == 2)
        #expect(store.whole.contains(noise(300_000)))
    }

    @Test(arguments: [404, 410, 400]) func anUploadThatIsGoneIsCreatedAgain(status: Int) throws {
        let store = Self.store()
        let (broken, gone) = (Flag(), Flag())
        let (world, host) = try world { _, asked in
            if asked.method == "PATCH", broken.isFirst() { return .cut }
            if asked.method == "HEAD", gone.isFirst() { return .answer(status) }
            return store.answer(asked)
        }
        try world.record(noise(300_000))
        let shipper = world.ship()
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        host.stop()
        #expect(host.lines.filter { $0.hasPrefix("POST") }.count == 3)
        #expect(world.events.kinds.suffix(3) == ["stored", "let go", "idle"])
    }

    @Test(arguments: [502, 503, 429, 507, 408, 302])
    func aHostInTroubleIsLeftAloneForAsLongAsItSays(status: Int) throws {
        let store = Self.store()
        let (world, host) = try world { number, asked in
            number == 0 ? .answer(status, [("Retry-After", "117")]) : store.answer(asked)
        }
        try world.record(noise(1_000))
        let shipper = world.ship()
        #expect(world.events.wait(for: "unreachable"))
        guard case .unreachable(_, let time)? = world.events.all.first else {
            Issue.record("\(world.events.kinds)")
            return
        }
        #expect(time == .seconds(117))
        // A press, a new utterance or link-up.
        shipper.wake(reset: true)
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        host.stop()
        #expect(store.whole.count == 2)
    }

    @Test func aDateToRetryAfterCountsByTheHostsClock() throws {
        let (world, host) = try world { _, _ in
            .answer(
                503,
                [
                    ("Date", "Thu, 01 Jan 1970 00:00:10 GMT"),
                    ("Retry-After", "Thu, 01 Jan 1970 00:01:39 GMT"),
                ])
        }
        try world.record(noise(1_000))
        let shipper = world.ship()
        #expect(world.events.wait(for: "unreachable"))
        shipper.shutDown()
        host.stop()
        guard case .unreachable(_, let time)? = world.events.all.first else { return }
        #expect(time == .seconds(89))
    }

    @Test(arguments: [422, 413, 415, 402, 418, 451]) func aRefusalForGoodParksThatOneAlone(status: Int) throws
    {
        let store = Self.store()
        let refused = Flag()
        let (world, host) = try world { _, asked in
            if isAudio(asked), refused.isFirst() {
                return .answer(status, [("Content-Type", "text/plain")], body: "No such thing.\nSecond line")
            }
            return store.answer(asked)
        }
        let bad = try world.record(noise(1_000, seed: 1))
        try world.record(noise(1_000, seed: 2))
        let shipper = world.ship()
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        host.stop()
        #expect(world.events.kinds == ["rung", "parked", "rung", "stored", "let go", "idle"])
        let parked = world.events.all.compactMap {
            if case .parked(let name, let reason) = $0 { name == bad.name ? reason : nil } else { nil }
        }
        #expect(parked.first?.hasSuffix("The host says: No such thing.") == true)
        #expect(store.whole.contains(noise(1_000, seed: 2)))
    }

    /// The host stumbles over one of ten, whenever it is offered.
    @Test(arguments: [500, 423, 429, 507, 0]) func onePoisonedRecordingDoesNotHoldUpNineGoodOnes(status: Int)
        throws
    {
        let store = Self.store()
        let poison = noise(1_000, seed: 0)
        let (world, host) = try world { _, asked in
            guard asked.body == poison else { return store.answer(asked) }
            switch status {
            case 0: return .cut
            // That is said of this one.
            case 500: return .answer(status, [("Retry-After", "3000")])
            default: return .answer(status)
            }
        }
        let poisoned = try world.record(poison)
        for seed in 1..<10 { try world.record(noise(1_000, seed: UInt64(seed))) }
        let shipper = world.ship()
        #expect(world.events.wait(for: "let go", 9))
        shipper.shutDown()
        host.stop()
        #expect(world.outbox.waiting().map(\.name) == [poisoned.name])
        #expect((1..<10).allSatisfy { store.whole.contains(noise(1_000, seed: UInt64($0))) })
        #expect(world.outbox.counts().parked == 0)
    }

    /// Sent again, and then the card is asked.
    @Test(arguments: [false, true]) func aChecksumRefusedThriceIsTheCardsOrTheNetworks(isRotten: Bool) throws
    {
        let (world, host) = try world { _, asked in
            switch asked.method {
            case "POST" where isAudio(asked):
                return .answer(201, [("Upload-Offset", "0"), ("Location", "/v1/up/1")])
            case "POST":
                let digest = ReprDigest(sha256: SHA256.digest(of: asked.body).bytes)
                return .answer(
                    201,
                    [
                        ("Upload-Offset", String(asked.body.count)), ("Location", "/v1/up/2"),
                        ("Repr-Digest", digest?.header ?? ""),
                    ])
            case "HEAD": return .answer(200, [("Upload-Offset", "0"), ("Upload-Length", "300000")])
            default: return .answer(460)
            }
        }
        let item = try world.record(noise(300_000))
        if isRotten { try Data(noise(300_000, seed: 9)).write(to: URL(fileURLWithPath: item.audioPath)) }
        let shipper = world.ship()
        #expect(world.events.wait(for: isRotten ? "parked" : "delayed"))
        shipper.shutDown()
        host.stop()
        #expect(host.lines.filter { $0.hasPrefix("PATCH") }.count == 3)
        let told = world.events.all.compactMap { event -> String? in
            switch event {
            case .parked(_, let reason), .delayed(_, let reason, _): reason
            default: nil
            }
        }
        let reason = isRotten ? ParkReason.rotten.description : WaitReason.corruptedOnTheWay.description
        #expect(told.first == reason)
    }

    /// Right after a cut servers report where they stood before.
    @Test func aStaleOffsetIsPutRightByTheHostsConflict() throws {
        let store = Self.store()
        let (broken, stale) = (Flag(), Flag())
        let (world, host) = try world { _, asked in
            if asked.method == "PATCH", broken.isFirst() {
                // All of it arrives, and the answer is lost.
                _ = store.answer(asked)
                return .cut
            }
            if asked.method == "HEAD", stale.isFirst() {
                return .answer(200, [("Upload-Offset", "1000"), ("Upload-Length", "300000")])
            }
            return store.answer(asked)
        }
        try world.record(noise(300_000))
        let shipper = world.ship()
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        host.stop()
        let steps = host.lines.dropFirst(3).map { $0.split(separator: " ")[0] }
        #expect(steps == ["HEAD", "PATCH", "HEAD"])
        #expect(world.events.kinds.suffix(3) == ["stored", "let go", "idle"])
    }

    @Test func aConnectionThatIsSilentFor20SecondsIsGivenUpAndAskedFor() throws {
        let store = Self.store()
        let silent = Flag()
        let (world, host) = try world { _, asked in
            asked.method == "PATCH" && silent.isFirst() ? .silence : store.answer(asked)
        }
        try world.record(noise(300_000))
        let before = ContinuousClock.now
        let shipper = world.ship()
        #expect(world.events.waitForIdle())
        let took = ContinuousClock.now - before
        shipper.shutDown()
        host.stop()
        #expect(took > .seconds(19) && took < .seconds(45))
        let methods = host.lines.map { $0.split(separator: " ")[0] }
        #expect(methods == ["POST", "POST", "PATCH", "HEAD", "PATCH"])
    }
}

/// True for the first who asks.
final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var isRaised = false

    func isFirst() -> Bool {
        lock.lock()
        defer { lock.unlock() }
        defer { isRaised = true }
        return !isRaised
    }
}
