import Catalogue
import DurableFiles
import Foundation
import Inbox
import LocalInbox
import Sealing
import TestSupport
import Testing
import Wire

@Suite struct InboxKeyTests {
    let folder = TemporaryFolder()

    @Test func theOwnKeyIsMadeOnceAndNobodyElseMayReadIt() throws {
        let first = try Inbox(folder: folder.path).keys.makeOwn()
        let second = try Inbox(folder: folder.path).keys.makeOwn()
        #expect(first.identity.recipient == second.identity.recipient)
        let file = try FileManager.default.attributesOfItem(atPath: folder.file("keys/host.key"))
        #expect(file[.posixPermissions] as? Int == 0o600)
        let keys = try FileManager.default.attributesOfItem(atPath: folder.file("keys"))
        #expect(keys[.posixPermissions] as? Int == 0o700)
    }

    @Test func aDamagedOwnKeyIsNeverReplaced() throws {
        let inbox = try Inbox(folder: folder.path)
        _ = try inbox.keys.makeOwn()
        try folder.write("keys/host.key", [])
        #expect(throws: InboxError.self) { try inbox.keys.makeOwn() }
        #expect(try readFile(folder.file("keys/host.key")) == [])
    }

    @Test func aKeyIsDurableBeforeItIsKept() throws {
        let watched = Watched()
        let inbox = try Inbox(folder: folder.path, calls: watched.calls)
        let key = AgeIdentity.generate()
        for _ in 0..<2 {
            watched.clear()
            try inbox.keys.keep([key])
            // Once more is as durable as the first time, whose last step may not have happened.
            let steps = watched.log.filter {
                $0.contains(key.recipient.description) || $0 == "syncFolder \(folder.path)/keys"
            }
            .map { $0.split(separator: " ")[0] }
            #expect(steps.suffix(5) == ["create", "write", "sync", "rename", "syncFolder"])
        }
        #expect(try inbox.keys.all().map(\.identity.recipient) == [key.recipient])
    }

    @Test func theHostsOwnKeyComesFirst() throws {
        let inbox = try Inbox(folder: folder.path)
        let others = (0..<3).map { _ in AgeIdentity.generate() }
        try inbox.keys.keep(others)
        let own = try inbox.keys.makeOwn().identity
        // Handed over again by somebody, it is still the one key.
        try inbox.keys.keep([own])
        let keys = try inbox.recipients()
        #expect(keys.first == own.recipient.description)
        #expect(Set(keys.dropFirst()) == Set(others.map(\.recipient.description)))
    }

    @Test func aKeyThatAnotherProgramAddedIsUsedAtOnce() throws {
        let inbox = try Inbox(folder: folder.path)
        let key = AgeIdentity.generate()
        let audio = Part.sealedAudio(1, [1, 2, 3], to: [key.recipient])
        #expect(throws: InboxError.self) { try inbox.receive(audio) }
        try Inbox(folder: folder.path).keys.keep([key])
        try inbox.receive(audio)
    }

    @Test(.enabled(if: access("/usr/bin/age", X_OK) == 0, "Debian's age opens what the host stored"))
    func theKeysFileIsAgesOwnAndOpensWhatIsStored() throws {
        let inbox = try Inbox(folder: folder.path)
        let plain = Part.noise(1, count: 70_000)
        let audio = Part.sealedAudio(1, plain, to: [try inbox.keys.makeOwn().identity.recipient])
        try inbox.receive(audio)
        let age = Process()
        age.executableURL = URL(fileURLWithPath: "/usr/bin/age")
        age.arguments = [
            "-d", "-i", folder.file("keys/host.key"), "-o", folder.file("plain"),
            inbox.shelf.place(of: ShelfName(sha256: audio.new.sha256, ext: "opus.age")),
        ]
        try age.run()
        age.waitUntilExit()
        #expect(age.terminationStatus == 0)
        #expect(try readFile(folder.file("plain")) == plain)
    }

    // MARK: Pairing

    private func pair(_ inbox: Inbox, token: [UInt8], keys: [String]) throws -> Bool {
        try inbox.pair(token: token, pin: Part.wrist, name: "wrist", signingKey: nil, keys: keys)
    }

    @Test func keysThatADeviceHandsOverOpenItsRecordings() throws {
        let inbox = try Inbox(folder: folder.path)
        let key = AgeIdentity.generate()
        let token = try inbox.makeToken(life: .seconds(60))
        for _ in 0..<2 { #expect(try pair(inbox, token: token, keys: [key.text])) }
        try inbox.receive(Part.sealedAudio(1, [1, 2, 3], to: [key.recipient]))
        #expect(try inbox.recipients().last == key.recipient.description)
        #expect(try inbox.keys.all().count == 2)
    }

    @Test func aKeyThatCouldNotBeKeptIsNotAnsweredFor() throws {
        let failing = Failing()
        let inbox = try Inbox(
            folder: folder.path,
            calls: FileCalls {
                failing.isOn && $0.path.hasSuffix("/keys") && $0.operation == .syncFolder ? .fail(EIO) : nil
            })
        let key = AgeIdentity.generate()
        let token = try inbox.makeToken(life: .seconds(60))
        failing.turn(on: true)
        #expect(throws: InboxError.self) { _ = try pair(inbox, token: token, keys: [key.text]) }
        failing.turn(on: false)
        #expect(try pair(inbox, token: token, keys: [key.text]))
    }

    @Test func aBadKeySpendsNoTokenAndIsNotRepeated() throws {
        let inbox = try Inbox(folder: folder.path)
        let token = try inbox.makeToken(life: .seconds(60))
        let bad = String(AgeIdentity.generate().text.dropLast())
        let error = errorThrown(InboxError.self) { try pair(inbox, token: token, keys: [bad]) }
        #expect(error?.description.contains(bad) == false)
        #expect(try !inbox.isPaired(Part.wrist))
        #expect(try inbox.pair(token: token, pin: Part.lapel, name: "lapel", signingKey: nil))
    }

    @Test func aStrangersKeyIsNotKept() throws {
        let inbox = try Inbox(folder: folder.path)
        #expect(
            try !pair(inbox, token: [UInt8](repeating: 1, count: 16), keys: [AgeIdentity.generate().text]))
        #expect(!FileManager.default.fileExists(atPath: folder.file("keys")))
    }

    // MARK: Signatures

    let signing = SigningKey.generate()

    private func signingHost() throws -> Inbox {
        let inbox = try Inbox(folder: folder.path)
        try inbox.addDevice(pin: Part.wrist, name: "wrist", signingKey: signing.publicKeyHex)
        return inbox
    }

    @Test func aSignedUploadIsTaken() throws {
        let inbox = try signingHost()
        try inbox.receive(Part.audio(1).signed(by: signing))
        try inbox.receive(Part.manifest(1, audio: Part.audio(1)).signed(by: signing))
        #expect(try inbox.utterances().map(\.isWhole) == [true])
    }

    @Test func aMissingWrongOrMovedSignatureIsRefusedBeforeAByte() throws {
        let inbox = try signingHost()
        let part = Part.audio(1)
        let moved = Part(part, signature: Part.audio(2).signed(by: signing).new.signature)
        let refused = [part, part.signed(by: .generate()), moved, Part(part, signature: "00")]
        for part in refused {
            let error = errorThrown(InboxError.self) { try inbox.create(part.new) }
            guard case .unsigned = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: inbox.folder.incoming) == [])
    }

    @Test func aDeviceWithoutASigningKeyNeedsNone() throws {
        let inbox = try signingHost()
        try inbox.addDevice(pin: Part.lapel, name: "lapel")
        try inbox.receive(Part.audio(1, device: Part.lapel))
    }

    /// A re-keyed device signs its old utterances with its new key.
    @Test func anotherDevicesSignatureOfTheSameUtteranceCounts() throws {
        let inbox = try signingHost()
        try inbox.receive(Part.audio(1).signed(by: signing))
        let other = SigningKey.generate()
        try inbox.addDevice(pin: Part.lapel, name: "moved card", signingKey: other.publicKeyHex)
        let (_, state) = try inbox.create(Part.audio(1, device: Part.lapel).signed(by: other).new)
        #expect(state == .complete)
        #expect(throws: InboxError.self) {
            try inbox.create(Part.audio(1, device: Part.lapel).signed(by: signing).new)
        }
    }
}
