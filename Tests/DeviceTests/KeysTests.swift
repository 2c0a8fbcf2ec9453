import DurableFiles
import Foundation
import Glibc
import Identity
import Sealing
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Device

/// The device's own keys: made once, never lost while something is sealed to them, never kept longer.
@Suite struct KeysTests {
    private let temporary = TemporaryFolder()
    private var folder: DeviceFolder { DeviceFolder(path: temporary.path) }
    private var keys: DeviceKeys { DeviceKeys(folder: folder) }

    private func host(_ recipients: [AgeRecipient], signingKey: String = "") -> PairedHostFile {
        PairedHostFile(
            name: "desk", addresses: [], pin: Array(0..<32), replies: false, recipients: recipients,
            signingKey: signingKey)
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    @Test func theFirstStartMakesKeysAndTheNextKeepsThem() throws {
        let first = try keys.prepare(serial: nil)
        try keys.settle(with: nil)
        let own = try #require(try keys.unpaired().first).text
        let second = try keys.prepare(serial: nil)
        try keys.settle(with: nil)
        #expect(second.pin == first.pin && second.signing.seed == first.signing.seed)
        #expect(try keys.unpaired().map(\.text) == [own])
        #expect(!first.isMoved && !second.isMoved)
    }

    @Test func keysAreTheirOwnersAlone() throws {
        _ = try keys.prepare(serial: "1")
        try keys.settle(with: nil)
        for path in [folder.signingKey, folder.unpairedKey, Identity.keyPath(in: folder.identity)] {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(path)")
        }
    }

    @Test func aPairedHostThatHoldsTheKeyEndsIt() throws {
        try keys.settleFirst()
        let own = try #require(try keys.unpaired().first).recipient
        let lacks = try keys.settle(with: host([AgeIdentity.generate().recipient, own]))
        #expect(!lacks)
        #expect(!exists(folder.unpairedKey))
    }

    @Test func aPairedHostThatLacksTheKeyDoesNot() throws {
        try keys.settleFirst()
        let lacks = try keys.settle(with: host([AgeIdentity.generate().recipient]))
        #expect(lacks)
        #expect(try keys.unpaired().count == 1)
    }

    /// Power is cut after `host.json` and before the key's end is on the card.
    @Test func aPairingThatWasCutShortIsFinishedByTheNextStart() throws {
        try keys.settleFirst()
        let own = try #require(try keys.unpaired().first).recipient
        let file = host([AgeIdentity.generate().recipient, own])
        try file.save(to: folder.host)
        let cut = DeviceKeys(
            folder: folder, calls: FileCalls(seam: { $0.operation == .unlink ? .fail(EIO) : nil }))
        #expect(throws: DurableFileError.self) { try cut.removeUnpaired(held: file.recipients) }
        #expect(exists(folder.unpairedKey))
        try keys.settle(with: try PairedHostFile.load(folder.host))
        #expect(!exists(folder.unpairedKey))
    }

    /// A second name shows what is in the blocks when the first is gone.
    @Test func whatIsRemovedIsOverwrittenFirst() throws {
        try keys.settleFirst()
        let own = try #require(try keys.unpaired().first).recipient
        let blocks = folder.identity + "/blocks"
        #expect(link(folder.unpairedKey, blocks) == 0)
        try keys.settle(with: host([own]))
        let left = try #require(FileManager.default.contents(atPath: blocks))
        #expect(left.count > 100 && left.allSatisfy { $0 == 0 })
    }

    @Test func theOldFileIsOverwrittenWhenAKeyIsAdded() throws {
        try keys.settleFirst()
        let blocks = folder.identity + "/blocks"
        #expect(link(folder.unpairedKey, blocks) == 0)
        try keys.addUnpaired()
        let left = try #require(FileManager.default.contents(atPath: blocks))
        #expect(left.count > 100 && left.allSatisfy { $0 == 0 })
        #expect(try keys.unpaired().count == 2)
    }

    @Test(arguments: 0..<12) func aRemovalThatIsCutAnywhereIsDoneByTheNextStart(last: Int) throws {
        try keys.settleFirst()
        let file = host([try #require(try keys.unpaired().first).recipient])
        let seen = Counter()
        let cut = DeviceKeys(
            folder: folder, calls: FileCalls(seam: { _ in seen.next() >= last ? .fail(EIO) : nil }))
        _ = try? cut.removeUnpaired(held: file.recipients)
        #expect(try !keys.settle(with: file))
        #expect(!exists(folder.unpairedKey))
    }

    // MARK: another board

    @Test(arguments: [nil, "100000003d1d1c36"] as [String?])
    func theSameBoardAndABoardWithoutASerialChangeNothing(later: String?) throws {
        let first = try keys.prepare(serial: "100000003d1d1c36")
        try host([AgeIdentity.generate().recipient]).save(to: folder.host)
        let second = try keys.prepare(serial: later)
        #expect(second.pin == first.pin && !second.isMoved && exists(folder.host))
    }

    @Test func anotherBoardGetsNewKeysAndForgetsThePairing() throws {
        let first = try keys.prepare(serial: "1")
        try host([AgeIdentity.generate().recipient]).save(to: folder.host)
        let second = try keys.prepare(serial: "2")
        #expect(second.isMoved && second.pin != first.pin)
        #expect(second.signing.publicKeyHex != first.signing.publicKeyHex)
        #expect(!exists(folder.host))
        #expect(try keys.unpaired().count == 1)
        #expect(try !keys.prepare(serial: "2").isMoved)
    }

    @Test func theKeyThatAnotherBoardSealedToIsKeptForTheHost() throws {
        _ = try keys.prepare(serial: "1")
        try keys.settle(with: nil)
        let old = try #require(try keys.unpaired().first).text
        _ = try keys.prepare(serial: "2")
        let now = try keys.unpaired().map(\.text)
        #expect(now.count == 2 && now[1] == old)
        #expect(try keys.sealedTo() == AgeIdentity(now[0])?.recipient)
    }

    /// Each call in turn is the last one that reaches the card.
    @Test func aChangeOfBoardThatIsCutAnywhereIsDoneByTheNextStart() throws {
        for last in 0..<200 {
            let temporary = TemporaryFolder()
            let folder = DeviceFolder(path: temporary.path)
            let keys = DeviceKeys(folder: folder)
            let before = try keys.prepare(serial: "1")
            try keys.settle(with: nil)
            let old = try #require(try keys.unpaired().first).text
            let seen = Counter()
            let cut = DeviceKeys(
                folder: folder, calls: FileCalls(seam: { _ in seen.next() >= last ? .fail(EIO) : nil }))
            let whole = (try? cut.prepare(serial: "2")) != nil
            let after = try keys.prepare(serial: "2")
            #expect(after.pin != before.pin, "cut after \(last) calls")
            #expect(try keys.unpaired().map(\.text).contains(old), "cut after \(last) calls")
            #expect(!FileManager.default.fileExists(atPath: folder.host))
            if whole { return }
        }
        Issue.record("it never went through")
    }

    // MARK: whom to seal to

    @Test func recordingsAreSealedToTheHostAndTheBackupElseToTheDevice() throws {
        try keys.settleFirst()
        let backup = AgeIdentity.generate().recipient
        let sealing = SealingKeys(keys, isOn: true, backup: backup)
        let own = try #require(try keys.unpaired().first).recipient
        #expect(try sealing.recipients() == [own, backup])
        let hosts = AgeIdentity.generate().recipient
        // A pairing counts from the next recording on, whoever wrote the file.
        try host([hosts, own]).save(to: folder.host)
        #expect(try sealing.recipients() == [hosts, backup])
        #expect(try SealingKeys(keys, isOn: true, backup: hosts).recipients() == [hosts])
        #expect(try SealingKeys(keys, isOn: false, backup: backup).recipients().isEmpty)
    }

    @Test func aDamagedPairingStillSealsAndToAKeyThatIsKept() throws {
        _ = try keys.prepare(serial: nil)
        try temporary.write("host.json", Array("{".utf8))
        let recipients = try SealingKeys(keys, isOn: true, backup: nil).recipients()
        #expect(try recipients == keys.unpaired().map(\.recipient))
        #expect(recipients.count == 1)
    }

    @Test func aCardThatCannotBeReadSealsAsTheRecordingBefore() throws {
        try keys.settleFirst()
        let fails = Mutex(false)
        let cannotRead = DeviceKeys(
            folder: folder,
            calls: FileCalls(seam: { call in
                fails.withLock { $0 } && call.operation == .open ? .fail(EIO) : nil
            }))
        let sealing = SealingKeys(cannotRead, isOn: true, backup: nil)
        let before = try sealing.recipients()
        fails.withLock { $0 = true }
        #expect(try sealing.recipients() == before)
        #expect(throws: (any Error).self) {
            try SealingKeys(cannotRead, isOn: true, backup: nil).recipients()
        }
    }

    @Test func aPairingOfAnOlderVersionSealsToTheDevicesOwnKey() throws {
        _ = try keys.prepare(serial: nil)
        let old = host([])
        try old.save(to: folder.host)
        try keys.settle(with: old)
        let own = try #require(try keys.unpaired().first).recipient
        #expect(try SealingKeys(keys, isOn: true, backup: nil).recipients() == [own])
    }

    // MARK: damage

    @Test(arguments: ["", "zz", "00", "AGE-SECRET-KEY-1"])
    func aDamagedKeyIsASentence(text: String) throws {
        _ = try keys.prepare(serial: nil)
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.signingKey))
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.unpairedKey))
        let signing = errorThrown(DeviceKeyError.self) { try keys.prepare(serial: nil) }
        #expect(signing?.description.contains(folder.signingKey) == true)
        let unpaired = errorThrown(DeviceKeyError.self) { try keys.unpaired() }
        #expect(unpaired?.description.contains(folder.unpairedKey) == true)
    }

    @Test func theBoardsSerialIsReadWithoutItsEnd() throws {
        let path = try temporary.write("serial-number", Array("100000003d1d1c36\0".utf8))
        #expect(DeviceKeys.boardSerial(path) == "100000003d1d1c36")
        #expect(DeviceKeys.boardSerial(temporary.file("none")) == nil)
        #expect(DeviceKeys.boardSerial(try temporary.write("empty", [0])) == nil)
    }
}

extension DeviceKeys {
    /// As a device that is started for the first time.
    fileprivate func settleFirst() throws {
        _ = try prepare(serial: nil)
        try settle(with: nil)
    }
}
