import Catalogue
import DurableFiles
import Glibc
import TestSupport
import Testing

@testable import SQLiteStore

@Suite struct SimulatedDiskTests {
    private let disk = SimulatedDisk(capacity: 64 << 10)
    private var calls: FileCalls { FileCalls(on: disk) }

    /// What 200 power cuts make of the same deeds.
    private func cuts(_ deeds: (FileCalls) throws -> Void, _ look: (SimulatedDisk) -> String) throws -> Set<
        String
    > {
        var seen: Set<String> = []
        for seed in 0..<200 {
            let disk = SimulatedDisk()
            try deeds(FileCalls(on: disk))
            var random = SeededGenerator(seed: UInt64(seed))
            disk.end(.powerCut, using: &random)
            seen.insert(look(disk))
        }
        return seen
    }

    private func text(_ disk: SimulatedDisk, _ path: String) -> String {
        disk.contents(path).map { String(decoding: $0, as: UTF8.self) } ?? "-"
    }

    private func put(_ text: String, _ path: String, _ calls: FileCalls, sync: Bool = true) throws {
        let file = try calls.open(path, .createOrEmpty)
        try file.write(Array(text.utf8))
        if sync { try file.sync() }
    }

    @Test func whatWasSyncedWithItsFolderSurvivesEveryCut() throws {
        let seen = try cuts {
            try put("abc", "/a", $0)
            try $0.syncFolder("/")
        } _: {
            text($0, "/a")
        }
        #expect(seen == ["abc"])
    }

    @Test func aFileWhoseFolderWasNotSyncedIsThereOrNot() throws {
        let seen = try cuts({ try put("abc", "/a", $0) }, { text($0, "/a") })
        #expect(seen == ["-", "abc"])
    }

    @Test func whatWasNotSyncedIsLostTornZeroOrThere() throws {
        let seen = try cuts {
            try put("abc", "/a", $0, sync: false)
            try $0.syncFolder("/")
        } _: {
            text($0, "/a")
        }
        #expect(seen.isSuperset(of: ["", "abc", "ab", "\0\0\0", "a\0\0"]))
    }

    @Test func aFileThatWasMadeShorterHasTheOldSizeOrTheNew() throws {
        let seen = try cuts {
            try put("abcdef", "/a", $0)
            try $0.syncFolder("/")
            try $0.open("/a", .update(creating: false)).truncate(to: 2)
        } _: {
            text($0, "/a")
        }
        #expect(seen == ["abcdef", "ab"])
    }

    @Test func aRenameHappensOrNot() throws {
        let seen = try cuts {
            try $0.makeFolders("/x")
            try $0.makeFolders("/y")
            try put("abc", "/x/a", $0)
            try $0.syncFolder("/x")
            try $0.rename("/x/a", "/y/b")
        } _: {
            text($0, "/x/a") + " " + text($0, "/y/b")
        }
        #expect(seen == ["abc -", "- abc"])
    }

    @Test func changesOfDifferentNamesComeInAnyOrder() throws {
        let seen = try cuts {
            for name in ["/a", "/b"] { try put(name, name, $0) }
        } _: {
            text($0, "/a") + " " + text($0, "/b")
        }
        #expect(seen == ["- -", "/a -", "- /b", "/a /b"])
    }

    @Test func syncingOneFolderOfARenameBringsBothNames() throws {
        let seen = try cuts {
            try $0.makeFolders("/x")
            try $0.makeFolders("/y")
            try put("abc", "/x/a", $0)
            try $0.rename("/x/a", "/y/a")
            try $0.syncFolder("/y")
        } _: {
            text($0, "/x/a") + " " + text($0, "/y/a")
        }
        #expect(seen == ["- abc"])
    }

    @Test func aSyncThatFailedIsNotMadeGoodByTheNext() throws {
        let file = try calls.open("/a", .createNew)
        try file.write([1, 2, 3])
        disk.syncsUntilFailure = 0
        #expect(throws: DurableFileError(.sync, "/a", EIO)) { try file.sync() }
        try file.sync()
        try calls.syncFolder("/")
        #expect(disk.surely("/a") == nil)
        #expect(disk.contents("/a") == [1, 2, 3])
    }

    @Test func aKilledProgramLosesNothingButItsLocks() throws {
        let file = try calls.open("/a", .createNew)
        try file.write([1])
        #expect(try file.lock())
        var random = SeededGenerator(seed: 1)
        disk.end(.killed, using: &random)
        let again = try calls.open("/a", .update(creating: false))
        #expect(try again.lock())
        #expect(disk.contents("/a") == [1])
    }

    @Test func aFullDiskTakesWhatFitsAndKeepsWhatIsReserved() throws {
        let reserved = try calls.open("/a", .createNew)
        try reserved.reserve(from: 0, length: 8 << 10)
        let file = try calls.open("/b", .createNew)
        #expect(throws: DurableFileError(.write, "/b", ENOSPC)) {
            try file.write([UInt8](repeating: 1, count: 64 << 10))
        }
        #expect(try file.size() == 56 << 10)
        try reserved.write([UInt8](repeating: 2, count: 8 << 10))
        #expect(try calls.space("/").free == 0)
    }

    @Test func theSameSeedMakesTheSameCut() throws {
        func card(_ seed: UInt64) throws -> [UInt8]? {
            let disk = SimulatedDisk()
            let calls = FileCalls(on: disk)
            try put(String(repeating: "a", count: 20_000), "/a", calls, sync: false)
            try calls.syncFolder("/")
            var random = SeededGenerator(seed: seed)
            disk.end(.powerCut, using: &random)
            return disk.contents("/a")
        }
        for seed: UInt64 in 0..<20 { #expect(try card(seed) == card(seed)) }
    }

    @Test func aPlainTextOnASealedCardIsFound() throws {
        disk.forbidden = Array("secret".utf8)
        try put("a secre", "/a", calls)
        #expect(disk.leak == nil)
        try put("the secret", "/b", calls)
        #expect(disk.leak == "/b")
    }

    /// One suite for the machine's files and the simulated ones.
    @Test(arguments: [false, true])
    func filesBehaveTheSame(simulated: Bool) throws {
        let folder = TemporaryFolder()
        let calls = simulated ? FileCalls(on: SimulatedDisk()) : .system
        let root = simulated ? "" : folder.path
        try calls.makeFolders(root + "/x/y")
        let file = try calls.open(root + "/x/a", .createNew)
        try file.write([1, 2])
        try file.write([3], at: 4)
        #expect(try file.size() == 5)
        #expect(try calls.contents(root + "/x/a") == [1, 2, 0, 0, 3])
        try file.truncate(to: 1)
        try file.reserve(from: 0, length: 10_000)
        #expect(try calls.size(root + "/x/a") == 1)
        #expect(throws: DurableFileError(.create, root + "/x/a", EEXIST)) {
            _ = try calls.open(root + "/x/a", .createNew)
        }
        #expect(throws: DurableFileError(.open, root + "/x/b", ENOENT)) {
            _ = try calls.open(root + "/x/b", .read)
        }
        let log = try calls.open(root + "/x/log", .append)
        try log.write([7])
        try log.write([8])
        #expect(try calls.contents(root + "/x/log") == [7, 8])
        try calls.rename(root + "/x/log", root + "/x/a")
        #expect(try calls.contents(root + "/x/a") == [7, 8])
        #expect(try calls.list(root + "/x") == ["a", "y"])
        try calls.unlink(root + "/x/a")
        try calls.unlink(root + "/x/a")
        #expect(try calls.list(root + "/x") == ["y"])
        let lock = try calls.open(root + "/x/lock", .update(creating: true))
        let other = try calls.open(root + "/x/lock", .update(creating: true))
        #expect(try lock.lock())
        #expect(try !other.lock())
    }

    @Test func aDatabaseOnItKeepsItsCommitsThroughEveryCut() throws {
        let number = 999_999_999
        defer { DatabaseDisks.unmount(number) }
        let disk = SimulatedDisk()
        let calls = FileCalls(on: disk)
        let folder = "\(DatabaseDisks.root)\(number)"
        try calls.makeFolders(folder)
        for round in 0..<60 {
            DatabaseDisks.mount(number, DatabaseDisk(disk) { _ in nil })
            do {
                let database = try Database(
                    path: folder + "/a.db", migrations: ["CREATE TABLE numbers (n INTEGER)"])
                #expect(try database.rows("SELECT count(*) FROM numbers").first?.integer(0) == Int64(round))
                _ = try database.write { connection throws(StoreError) in
                    try connection.rows("INSERT INTO numbers VALUES (?)", [.integer(Int64(round))])
                }
                if round == 0 { try calls.syncFolder(folder) }
                var random = SeededGenerator(seed: UInt64(round))
                DatabaseDisks.mount(number, DatabaseDisk(disk) { _ in .fail(EIO) })
                disk.end(.powerCut, using: &random)
            }
        }
    }
}
