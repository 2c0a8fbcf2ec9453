import Catalogue
import DurableFiles
import Glibc
import LocalInbox
import MemoryStore
import SQLiteStore
import Synchronization
import TestSupport

/// The host's memory by one of its implementations, with a switch for its power.
final class ContractWorld {
    enum Kind: CaseIterable, Sendable {
        case memory
        /// SQLite and a folder, on a simulated disk that forgets what was not synced.
        case sqlite
    }

    let kind: Kind
    private let number = ContractWorld.numbers.withLock {
        $0 += 1
        return $0
    }
    private static let numbers = Mutex(990_000_000)
    private let disk = SimulatedDisk()
    private let feedEntries: Int
    private let fake: MemoryCatalogue
    private let fakeShelf = MemoryShelf()
    private let folder = TemporaryFolder()
    private(set) var catalogue: any Catalogue & Feed
    private(set) var shelf: any Shelf

    init(_ kind: Kind, feedEntries: Int = FeedLimit.entries) throws {
        self.kind = kind
        self.feedEntries = feedEntries
        fake = MemoryCatalogue(feedEntries: feedEntries)
        catalogue = fake
        shelf = fakeShelf
        guard kind == .sqlite else { return }
        // It stays mounted: what was opened on it may outlive this.
        DatabaseDisks.mount(number, DatabaseDisk(disk) { _ in nil })
        try FileCalls(on: disk).makeFolders(root + "/audio")
        _ = try FileCalls(on: disk).open(root + "/lapel.db", .createNew)
        try start()
        try FileCalls(on: disk).syncFolder(root)
    }

    private var root: String { "\(DatabaseDisks.root)\(number)" }

    /// As another program has it open.
    func opened() throws -> any Catalogue & Feed {
        switch kind {
        case .memory: fake
        case .sqlite: try SQLiteCatalogue(path: root + "/lapel.db", feedEntries: feedEntries)
        }
    }

    /// The power fails, and the program starts again.
    func cutPower(seed: UInt64 = 1) throws {
        switch kind {
        case .memory: fake.cutPower()
        case .sqlite:
            DatabaseDisks.mount(number, DatabaseDisk(disk) { _ in .fail(EIO) })
            var random = SeededGenerator(seed: seed)
            disk.end(.powerCut, using: &random)
            catalogue = fake
            DatabaseDisks.mount(number, DatabaseDisk(disk) { _ in nil })
            try start()
        }
    }

    /// A synced file on the disk that the shelf takes from.
    func file(_ bytes: [UInt8]) throws -> String {
        switch kind {
        case .memory:
            try folder.write("part", bytes)
            return folder.file("part")
        case .sqlite:
            let file = try FileCalls(on: disk).open(root + "/part", .createOrEmpty)
            try file.write(bytes)
            try file.sync()
            return root + "/part"
        }
    }

    private func start() throws {
        catalogue = try opened()
        shelf = FolderShelf(root + "/audio", calls: FileCalls(on: disk))
    }
}

/// Rows for a contract to be about.
enum Sample {
    static let wrist = String(repeating: "d0", count: 32)
    static let lapel = String(repeating: "d1", count: 32)

    static func announcement(
        _ id: String, _ utterance: String, _ kind: StoredKind = .audio, seq: UInt64 = 1, length: Int = 100,
        at: Int64 = 5
    ) -> AnnouncedUpload {
        AnnouncedUpload(
            id: id, utterance: utterance, kind: kind, seq: seq, device: wrist, length: length,
            sha256: "5a" + id, ext: "opus", at: at)
    }

    static func manifest(boot: String = "boot", start: Int64 = 7, needsAudio: Bool = true) -> KeptManifest {
        KeptManifest(
            bytes: [1, 2, 3], sha256: "ab", recorder: wrist, bootID: boot, startBoot: start,
            startWall: start + 1_000, wallSynchronised: true, needsAudio: needsAudio)
    }

    static func device(_ pin: String = wrist, name: String = "wrist", key: String? = nil, at: Int64 = 9)
        -> NewDevice
    { NewDevice(pin: pin, name: name, signingKey: key, at: at) }
}

extension Catalogue {
    /// Announces and completes one part; its upload.
    @discardableResult
    func receive(
        _ id: String, _ utterance: String, _ kind: StoredKind, seq: UInt64 = 1, at: Int64 = 6
    ) throws -> CompletionOutcome {
        _ = try announce(Sample.announcement(id, utterance, kind, seq: seq))
        guard let upload = try upload(id) else { return .withdrawn }
        var completion = Completion()
        switch kind {
        case .manifest: completion.manifest = Sample.manifest()
        case .audio: completion.audio = StoredFile(name: upload.name, bytes: upload.length)
        case .tail, .file: break
        }
        return try complete(upload, completion, at: at)
    }
}
