import Foundation
import Outbox
import Sealing
import Shipper
import TestSupport
import Testing
import Wire

/// Servers that are not Lapel's: sealed files, and a receipt that counts little.
struct ForeignTests {
    private let key = AgeIdentity.generate().recipient

    /// A device without a host that ships to a scripted server over plain HTTP.
    private func ship(
        _ world: ShipperWorld, to store: ScriptedStore, path: String = "/files",
        _ script: ((Int, ScriptedHost.Asked) -> ScriptedHost.Reply)? = nil
    ) throws -> (shipper: Shipper, host: ScriptedHost) {
        let host = ScriptedHost(nil, script: script ?? { _, asked in store.answer(asked) })
        let server = try #require(ForeignServer("http://127.0.0.1:\(host.port)\(path)"))
        return (world.ship(to: .foreign(server)), host)
    }

    private func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    @Test(arguments: [0, 1_000, 300_000]) func aSealedRecordingIsSetAsideAndNotLetGo(length: Int) throws {
        let world = try ShipperWorld()
        let item = try world.record(noise(length), to: [key])
        let sealed = [try bytes(item.manifestPath), try bytes(item.audioPath)]
        let store = ScriptedStore(receipt: nil, base: "/files")
        let (shipper, host) = try ship(world, to: store)
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        host.stop()
        #expect(world.events.kinds == ["set aside", "idle"])
        #expect(Set(store.whole) == Set(sealed))
        #expect(world.outbox.counts().waiting == 0 && world.outbox.counts().sent == 1)
        let listed = try Outbox.listing(directory: world.outbox.directory)
        #expect(listed.map(\.place) == ["sent"])
        #expect(try bytes(item.audioPath.replacingOccurrences(of: "/out/", with: "/sent/")) == sealed[1])
    }

    @Test func theServerLearnsNameAndTypeAndNothingElse() throws {
        let world = try ShipperWorld()
        let item = try world.record(noise(1_000), to: [key])
        let store = ScriptedStore(receipt: nil, base: "/files")
        let (shipper, host) = try ship(world, to: store)
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        host.stop()
        let creations = host.asked.filter { $0.method == "POST" }
        #expect(creations.allSatisfy { $0.body.isEmpty })
        let names = try creations.map { asked in
            try UploadMetadata(parsing: asked.headers["upload-metadata"] ?? "")
        }
        let wanted = ["json.age", "wav.age"].map {
            UploadMetadata(filename: "\(item.name).\($0)", filetype: "application/age")
        }
        #expect(names == wanted)
        #expect(host.asked.allSatisfy { $0.headers["lapel-clock"] == nil })
        #expect(host.asked.allSatisfy { $0.headers["tus-resumable"] == "1.0.0" })
        // It is asked for no list of what it offers.
        #expect(host.asked.allSatisfy { $0.method != "OPTIONS" })
    }

    @Test func whatLiesInTheClearStaysAndIsInNobodysWay() throws {
        let world = try ShipperWorld()
        let clear = try world.record(noise(1_000, seed: 1))
        try world.record(noise(1_000, seed: 2), to: [key])
        let store = ScriptedStore(receipt: nil, base: "/files")
        let (shipper, host) = try ship(world, to: store)
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        host.stop()
        #expect(world.events.kinds == ["set aside", "held in the clear 1", "idle"])
        #expect(world.outbox.waiting() == [clear])
        #expect(store.whole.count == 2)
    }

    /// Behind a proxy servers name the place by which they know themselves.
    @Test(arguments: ["http://inside:8000", "https://evil.example", "//other"])
    func aLocationElsewhereIsAPathHere(authority: String) throws {
        let world = try ShipperWorld()
        try world.record(noise(1_000), to: [key])
        let store = ScriptedStore(receipt: nil, base: "/files", authority: authority)
        let (shipper, host) = try ship(world, to: store)
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        host.stop()
        #expect(world.events.kinds == ["set aside", "idle"])
        #expect(host.lines.contains { $0.hasPrefix("PATCH /files/") })
    }

    /// A digest is nobody's receipt but the paired host's.
    @Test func aReceiptOfAForeignServerIsAsWeakAsItsWord() throws {
        let world = try ShipperWorld()
        try world.record(noise(1_000), to: [key])
        let store = ScriptedStore(
            receipt: { ReprDigest(sha256: SHA256.digest(of: $0).bytes)?.header ?? "" }, base: "/files")
        let (shipper, host) = try ship(world, to: store)
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        host.stop()
        #expect(world.events.kinds == ["set aside", "idle"])
    }

    /// What a captive portal says to everything is no acknowledgement.
    @Test(arguments: [200, 302, 401, 403, 404, 405, 511]) func aPageInTheWayTakesNothing(status: Int) throws {
        let world = try ShipperWorld()
        let item = try world.record(noise(1_000), to: [key])
        let page = "<html>Please accept our conditions.</html>"
        let (shipper, host) = try ship(world, to: ScriptedStore(receipt: nil)) { _, _ in
            .answer(status, [("Content-Type", "text/html"), ("Location", "http://portal/")], body: page)
        }
        #expect(world.events.wait { !$0.isEmpty })
        shipper.shutDown()
        host.stop()
        #expect(["unreachable", "delayed"].contains(world.events.kinds.first))
        #expect(world.outbox.waiting() == [item])
    }

    @Test func anUploadThatBreaksGoesOnWhereTheServerChose() throws {
        let world = try ShipperWorld()
        let item = try world.record(noise(300_000), to: [key])
        let store = ScriptedStore(receipt: nil, base: "/files")
        let broken = Flag()
        let audio = item.audioBytes
        let (shipper, host) = try ship(world, to: store) { _, asked in
            asked.method == "PATCH" && asked.body.count == audio && broken.isFirst()
                ? .cut : store.answer(asked)
        }
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        host.stop()
        #expect(
            host.lines == [
                "POST /files", "PATCH /files/1 from 0", "POST /files", "PATCH /files/2 from 0",
                "HEAD /files/2",
                "PATCH /files/2 from 0",
            ])
    }

    /// By the machine's authorities, which do not know this one.
    @Test func aCertificateThatNobodyVouchesForGetsNothing() throws {
        let world = try ShipperWorld()
        let item = try world.record(noise(1_000), to: [key])
        let host = ScriptedHost(world.hostIdentity) { _, _ in .answer(500) }
        let server = try #require(ForeignServer("https://127.0.0.1:\(host.port)/files"))
        let shipper = world.ship(to: .foreign(server))
        #expect(world.events.wait(for: "unreachable"))
        shipper.shutDown()
        host.stop()
        #expect(host.asked.isEmpty)
        #expect(world.outbox.waiting() == [item])
    }

    @Test func aPairingSendsWhatWaitsToTheHost() throws {
        let world = try ShipperWorld()
        let clear = try world.record(noise(1_000))
        let store = ScriptedStore(receipt: nil, base: "/files")
        let host = ScriptedHost(nil) { _, asked in store.answer(asked) }
        let server = try #require(ForeignServer("http://127.0.0.1:\(host.port)/files"))
        let shipper = Shipper(
            outbox: world.outbox, credentials: world.credentials, signing: world.signing,
            destination: { world.pairing.withLock { $0 }.map(Destination.paired) ?? .foreign(server) },
            report: { world.events.add($0) })
        #expect(world.events.waitForIdle())
        #expect(world.events.kinds == ["held in the clear 1", "idle"])
        try world.pair()
        shipper.wake(reset: true)
        #expect(world.events.waitForIdle(2))
        shipper.shutDown()
        host.stop()
        #expect(try world.stored(clear) == noise(1_000))
        #expect(host.asked.isEmpty)
    }
}
