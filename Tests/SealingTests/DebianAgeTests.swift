import Foundation
import Sealing
import TestSupport
import Testing

/// Against the program that everybody else opens and makes such files with.
@Suite(.enabled(if: Tool.exists("age") && Tool.exists("age-keygen")))
struct DebianAgeTests {
    static let sizes = [0, 1, 65_535, 65_536, 65_537, 20_000_000]

    @Test(arguments: sizes) func ageOpensWhatWasSealedHere(size: Int) throws {
        let folder = TemporaryFolder(inMemory: true)
        let identity = AgeIdentity.generate()
        let plain = randomBytes(size)
        let sealed = try folder.write("sealed", AgeSealer.seal(plain, to: [identity.recipient]))
        let (status, output) = try age(
            "-d", "-i", try folder.write("key", identity.file()), "-o", folder.file("plain"), sealed)
        #expect(status == 0, "\(output)")
        // age makes its output file with the first byte.
        #expect(try size == 0 || read(folder, "plain") == plain)
    }

    @Test(arguments: sizes) func whatAgeSealedIsOpenedHere(size: Int) throws {
        let folder = TemporaryFolder(inMemory: true)
        let identity = AgeIdentity.generate()
        let plain = randomBytes(size)
        let (status, output) = try age(
            "-r", identity.recipient.description, "-o", folder.file("sealed"),
            try folder.write("plain", plain))
        #expect(status == 0, "\(output)")
        let sealed = try read(folder, "sealed")
        #expect(try AgeOpener.open(sealed, with: [identity]) == plain)
        let header = try #require(try AgeHeader.parse(sealed))
        #expect(sealed.count == AgeSealer.sealedSize(of: size, header: header.payloadStart))
    }

    @Test func ageTellsTheSameRecipientOfAKey() throws {
        let folder = TemporaryFolder(inMemory: true)
        let identity = AgeIdentity.generate()
        let (status, output) = try Tool.run("age-keygen", "-y", try folder.write("key", identity.file()))
        #expect(status == 0)
        #expect(output == identity.recipient.description + "\n")
    }

    @Test func aKeyOfAgeKeygenIsReadHere() throws {
        let folder = TemporaryFolder(inMemory: true)
        let (status, output) = try Tool.run("age-keygen", "-o", folder.file("key"))
        #expect(status == 0)
        let identities = try AgeIdentity.parse(file: try read(folder, "key"))
        #expect(identities.count == 1)
        let recipient = try #require(identities.first?.recipient)
        #expect(output.contains(recipient.description))
    }

    @Test func ageOpensAFileOfSeveralRecipientsWithEachKeyAndPassesOverNotes() throws {
        let folder = TemporaryFolder(inMemory: true)
        let identities = (0..<3).map { _ in AgeIdentity.generate() }
        let recipients = identities.map(\.recipient)
        let notes =
            recipients.map { AgeStanza(type: "lapel-to", arguments: [$0.description]) }
            + [AgeStanza(type: "lapel-audio", arguments: ["0011", "12"], body: randomBytes(48))]
        let plain = randomBytes(70_000)
        let sealed = try folder.write("sealed", AgeSealer.seal(plain, to: recipients, notes: notes))
        for (index, identity) in identities.enumerated() {
            let key = try folder.write("key\(index)", identity.file())
            let (status, output) = try age("-d", "-i", key, "-o", folder.file("plain\(index)"), sealed)
            #expect(status == 0, "\(output)")
            #expect(try read(folder, "plain\(index)") == plain)
        }
    }

    @Test func ageRefusesWhatItHasNoKeyFor() throws {
        let folder = TemporaryFolder(inMemory: true)
        let sealed = try folder.write("sealed", AgeSealer.seal([1], to: [AgeIdentity.generate().recipient]))
        let key = try folder.write("key", AgeIdentity.generate().file())
        let (status, output) = try age("-d", "-i", key, "-o", folder.file("plain"), sealed)
        #expect(status != 0)
        #expect(output.contains("no identity matched"))
    }

    private func age(_ arguments: String...) throws -> (status: Int32, output: String) {
        try Tool.run("age", arguments)
    }

    private func read(_ folder: TemporaryFolder, _ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: folder.file(name))))
    }
}
