import Hardware
import Outbox
import Sealing
import Simulator
import TestSupport
import Turn
import Wire

@testable import Device
@testable import DeviceMachine

/// The recorder's files in a real outbox, the link that comes and goes, and the host.
final class StormCustody {
    enum Order {
        case begin(UtteranceID, press: Duration)
        case finish(UtteranceID, TakeFacts)
        case commit(UtteranceID)
        case discard(UtteranceID)
    }

    let outbox: Outbox
    var host: SimulatedHost
    var linkIsUp = true
    private let names: StormNames
    private var orders: [Order] = []
    private var files: [UtteranceID: OutboxRecording] = [:]
    private(set) var facts: [UtteranceID: TakeFacts] = [:]
    private(set) var begun: Set<UtteranceID> = []
    private(set) var kept: Set<UtteranceID> = []
    private(set) var discarded: Set<UtteranceID> = []
    private(set) var openings: Set<UtteranceID> = []
    private(set) var closings: Set<UtteranceID> = []

    init(folder: String, names: StormNames) throws {
        outbox = try Outbox(directory: folder, salvage: { _, _ in .nothing })
        host = SimulatedHost(sha256: { SHA256.digest(of: $0).bytes })
        self.names = names
    }

    func order(_ order: Order, _ world: StormWorld) {
        orders.append(order)
        world.schedule(
            .recorder, after: world.chance(90) ? world.milliseconds(1...40) : world.milliseconds(40...900))
    }

    func journal(_ entry: LedgerEntry, _ world: StormWorld) {
        switch entry {
        case .opening(let press, _, _, _):
            if !openings.insert(press).inserted { world.blame("two openings of one press") }
        case .firstSample: break
        case .closed(let press, _, _, _):
            if !closings.insert(press).inserted { world.blame("one opening closed twice") }
        }
    }

    /// The recorder serves its orders one after another.
    func serveNext(_ world: StormWorld) -> [RecorderEvent] {
        guard !orders.isEmpty else { return [] }
        do {
            switch orders.removeFirst() {
            case .begin(let id, _): try begin(id)
            case .finish(let id, let facts):
                try finish(id, facts)
                return [.finished(id, at: world.now)]
            case .commit(let id):
                _ = try files.removeValue(forKey: id)?.commit()
                if !kept.insert(id).inserted { world.blame("committed twice") }
                return [.kept(id, at: world.now)]
            case .discard(let id):
                try files.removeValue(forKey: id)?.discard()
                if !discarded.insert(id).inserted { world.blame("discarded twice") }
                return [.discarded(id, at: world.now)]
            }
        } catch { world.blame("\(error)") }
        return []
    }

    private func begin(_ id: UtteranceID) throws {
        let name = sure(names.names[id])
        let head = Manifest(
            utterance: name.id, seq: name.seq, start: .init(monotonic: 0, boot: 0, wall: 0), format: "opus",
            rate: 16_000,
            channels: 1)
        files[id] = try outbox.begin(name: name, format: "opus", head: head)
        begun.insert(id)
    }

    private func finish(_ id: UtteranceID, _ facts: TakeFacts) throws {
        guard let file = files[id] else { return }
        self.facts[id] = facts
        let name = sure(names.names[id])
        try Array("the words of \(id.rawValue)".utf8).withUnsafeBytes { try file.append($0) }
        try file.finish { bytes, sha256 in
            var manifest = Manifest(
                utterance: name.id, seq: name.seq, start: .init(monotonic: 0, boot: 0, wall: 0),
                format: "opus",
                rate: 16_000, channels: 1)
            manifest.bytes = bytes
            manifest.sha256 = sha256
            return manifest
        }
    }

    /// Ships what waits until the link breaks: manifest, audio, receipts, let go.
    func ship(_ world: StormWorld) {
        for item in outbox.waiting() {
            guard linkIsUp, !world.chance(5) else {
                world.schedule(.ship, after: .seconds(30))
                return
            }
            let id = UtteranceID(item.name.id)
            guard deliver(item, .manifest, world), deliver(item, .audio, world) else {
                world.schedule(.ship, after: world.milliseconds(1000...20_000))
                return
            }
            do { try outbox.letGo(item) } catch { world.blame("\(error)") }
            world.schedule(
                .device(.host(.stored(id, at: world.now + .milliseconds(40)))), after: .milliseconds(40))
            reply(id, world)
        }
    }

    /// The link is back for good: what waits is sent.
    func drain(_ world: StormWorld) {
        linkIsUp = true
        for _ in 0..<1000 where !outbox.waiting().isEmpty { ship(world) }
    }

    private func deliver(_ item: OutboxItem, _ kind: UploadKind, _ world: StormWorld) -> Bool {
        let path = kind == .audio ? item.audioPath : item.manifestPath
        guard let bytes = try? [UInt8](contentsOf: path) else { return false }
        let digest = SHA256.digest(of: bytes)
        let metadata = UploadMetadata(
            filename: "u", filetype: "audio/ogg", utterance: item.name.id, kind: kind, seq: item.name.seq,
            sha256: digest.hex)
        var session = TusSession(
            .init(
                length: bytes.count, digest: sure(ReprDigest(sha256: digest.bytes)),
                location: host.path(utterance: item.name.id, kind: kind)))
        var action = session.begin()
        while true {
            switch action {
            case .send(let request):
                let body: [UInt8] =
                    switch request {
                    case .create(let inline): inline ? bytes : []
                    case .head: []
                    case .patch(_, let offset): Array(bytes.dropFirst(offset))
                    }
                let cut = world.chance(10)
                let taken = Int.random(in: 0...body.count, using: &world.random)
                let arrival = cut ? SimulatedHost.Arrival.cut(after: taken, late: 0) : .whole
                if let answer = host.handle(
                    request, metadata: metadata, length: bytes.count, body: body, arrival: arrival)
                {
                    action = session.answered(answer)
                } else {
                    action = session.failed(.cut)
                }
            case .wait: return false
            case .compareFile: action = session.fileCompared(intact: true)
            case .end(.received): return true
            case .end(let ending):
                world.blame("\(item.name) ended as \(ending)")
                return false
            }
        }
    }

    /// Most utterances are answered, some late, some by a reply that never ends.
    private func reply(_ id: UtteranceID, _ world: StormWorld) {
        guard world.repliesExpected, world.chance(75) else { return }
        let delay = world.milliseconds(200...9000)
        let length = world.milliseconds(500...6000)
        world.schedule(
            .device(.host(.replyPlaying(id, length: length, at: world.now + delay))), after: delay)
        // A thumb that is still down when the reply begins, and a wearer who has heard enough.
        if world.chance(15) { world.press(after: delay - .milliseconds(60), held: .milliseconds(120)) }
        if world.chance(25) { world.press(after: delay + length / 2, held: .milliseconds(90)) }
        guard !world.chance(6) else { return }
        world.schedule(.device(.host(.replyOver(id, at: world.now + delay + length))), after: delay + length)
    }
}
