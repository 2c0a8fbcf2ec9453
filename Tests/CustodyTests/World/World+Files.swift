import Catalogue
import DurableFiles
import Inbox
import Outbox
import Sealing
import Wire

@testable import Shipper

/// What an upload is, without its bytes.
struct CargoFacts {
    let utterance: String
    let kind: UploadKind
    let sha256: String

    init(_ cargo: Cargo) {
        utterance = cargo.metadata.utterance ?? ""
        kind = cargo.kind
        sha256 = cargo.upload.digest.hex
    }
}

/// A request that comes once more.
struct Replay {
    let packet: Packet
    let facts: CargoFacts
}

/// Where sealed and clear recordings differ.
extension World {
    /// Everything is sealed to the paired host's own key.
    func beginFile(_ outbox: Outbox, _ name: ItemName, _ head: Manifest) throws(OutboxError)
        -> OutboxRecording
    {
        try outbox.begin(
            name: name, format: "opus", head: head,
            recipients: isSealed ? [host.recipient].compactMap { $0 } : [])
    }

    func files(of item: OutboxItem) -> [String] {
        [item.audioPath, item.manifestPath] + [item.tailPath].compactMap { $0 }
    }

    func audioNames(_ truth: Truth) -> [String] { ["\(truth.name).opus", "\(truth.name).opus.age"] }

    /// The shipper reads files of the machine: it is given copies. Nil for what is sealed to keys that the host does
    /// not hold.
    func cargo(of item: OutboxItem, _ outbox: Outbox) throws -> [Cargo]? {
        let note = try outbox.sealedNote(of: item)
        if let note, host.keys.isDisjoint(with: note.recipients) { return nil }
        copies.empty()
        let read = note?.audio == .part ? files(of: item) : [item.manifestPath]
        for path in read { copies.put(fileName(path), deviceDisk.contents(path) ?? []) }
        let item = OutboxItem(
            name: item.name, format: item.format, sealed: item.sealed, folder: copies.path,
            audioBytes: item.audioBytes, manifestBytes: item.manifestBytes, tailBytes: item.tailBytes)
        return try note.map { try Cargo.of(item, $0, signing: signing) } ?? Cargo.of(item, signing: signing)
    }

    /// The device's own path of a file that the shipper may have been given a copy of.
    func original(_ path: String, of item: OutboxItem) -> String {
        path.hasPrefix(copies.path) ? "\(folder(of: item.audioPath))/\(fileName(path))" : path
    }

    private func fileName(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }

    /// Cuts to what was really said: as much as a decoder would find.
    var salvage: @Sendable (_ path: String, _ format: String) throws -> SalvagedAudio {
        { [unowned self] path, _ in
            guard let node = deviceDisk.file(path), let name = path.split(separator: "/").last,
                let item = ItemName(name.prefix(43)), let truth = truths[item.id]
            else { throw Undecodable() }
            let bytes = node.current
            let good = truth.agreement(with: bytes)
            if good == 0 {
                if bytes.allSatisfy({ $0 == 0 }) { return .nothing }
                throw Undecodable()
            }
            if good < bytes.count {
                guard deviceLife.pass(FileCall(.truncate, path)) == nil else { throw Undecodable() }
                deviceDisk.account(node) { $0.truncate(to: good) }
            }
            return .audio(frames: good, rate: 16_000, channels: 1)
        }
    }

    /// What a start brought back is what was said, from its beginning to the last sync at least.
    func checkRecovered(_ truth: Truth, _ item: OutboxItem) throws {
        let bytes = deviceDisk.contents(item.audioPath) ?? []
        truth.sha256 = SHA256.digest(of: bytes).hex
        let tail = item.tailPath.map { deviceDisk.contents($0) ?? [] }
        try checkSaid(truth, truth.isSealed ? try plain(truth, bytes, tail: tail) : bytes, "came back")
    }

    private func checkSaid(_ truth: Truth, _ plain: [UInt8], _ what: String) throws {
        let agreement = truth.agreement(with: plain)
        guard agreement == plain.count, plain.count >= truth.synced else {
            throw BrokenPromise(
                1,
                "utterance \(truth.name.seq) \(what) with \(plain.count) bytes, \(agreement) of them right, and \(truth.synced) were synced"
            )
        }
    }

    /// What the hosts' keys make of a sealed file, or of a part and its tail.
    private func plain(_ truth: Truth, _ bytes: [UInt8], tail: [UInt8]?) throws -> [UInt8] {
        guard let tail else { return try AgeOpener.open(bytes, with: identities) }
        var plain: [UInt8] = []
        _ = try assemble(
            part: { offset, buffer in
                let count = min(buffer.count, max(0, bytes.count - offset))
                bytes.withUnsafeBytes {
                    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<(offset + count)]))
                }
                return count
            }, tail: tail, utterance: Hex.decode(truth.name.id) ?? [], identities: identities,
            into: { plain += $0 })
        return plain
    }

    /// A part of an upload lies on its shelf, durably, and is what was sent.
    func checkShelf(_ inbox: Inbox, _ name: ItemName, _ kind: UploadKind, _ sha256: String) throws {
        guard kind != .manifest else { return }
        let paths = ["opus", "opus.age", "tail"].map {
            inbox.shelf.place(of: ShelfName(sha256: sha256, ext: $0))
        }
        guard let file = paths.lazy.compactMap({ self.host.disk.surely($0) }).first else {
            throw BrokenPromise(
                2, "the host gave a receipt for \(name.seq) and does not surely have its \(kind)")
        }
        guard SHA256.digest(of: file.current).hex == sha256 else {
            throw BrokenPromise(2, "what the host stored as the \(kind) of \(name.seq) is not what was sent")
        }
    }

    /// The host's copy is what was said.
    func checkSound(
        _ truth: Truth, _ utterance: StoredUtterance, _ receipts: [UploadKind: String], _ host: HostSide
    )
        throws
    {
        guard let sha256 = receipts[.audio] else { return }
        // Part and tail become one file when both are there.
        if truth.isPart, receipts[.tail] == nil { return }
        guard let audio = utterance.audio, let file = host.disk.surely(audio.path) else {
            throw BrokenPromise(2, "the host gave a receipt for the sound of \(truth.name.seq) and lost it")
        }
        guard host.verified[audio.path] != file.version else { return }
        host.verified[audio.path] = file.version
        guard SHA256.digest(of: file.current).hex == audio.sha256, truth.isPart || audio.sha256 == sha256
        else {
            say(
                "\(file.current.count) bytes in \(audio.path), by its row \(audio.bytes) of \(audio.sha256); sent: \(sha256)\(truth.isPart ? ", a part" : "")"
            )
            throw BrokenPromise(4, "the host's copy of \(truth.name.seq) is not what was sent")
        }
        if truth.isDamaged { return }
        let isWhole = truth.isPart || sha256 == truth.sha256
        guard isWhole else {
            throw BrokenPromise(4, "the host's copy of \(truth.name.seq) is not the device's")
        }
        try checkSaid(
            truth, truth.isSealed ? try plain(truth, file.current, tail: nil) : file.current, "is at the host"
        )
    }
}

struct Undecodable: Error, CustomStringConvertible { var description: String { "no sound in it" } }

extension Truth {
    /// The parts that make it whole.
    var kinds: Set<UploadKind> { isPart ? [.manifest, .audio, .tail] : [.manifest, .audio] }
}
