import Foundation
import Identity
import TestSupport
import Testing

struct IdentityTests {
    private let folder = TemporaryFolder()

    private func save(_ path: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    private func loadOrMake() throws -> Identity {
        try Identity.loadOrMake(folder: folder.path, name: "test device", save: save)
    }

    @Test func theSecondStartIsTheSameIdentity() throws {
        let first = try loadOrMake()
        #expect(try loadOrMake() == first)
        #expect(try Identity.load(folder: folder.path) == first)
    }

    @Test func twoIdentitiesDiffer() throws {
        #expect(try Identity.make(name: "a").pin != Identity.make(name: "a").pin)
    }

    @Test func onlyTheOwnerMayReadTheKey() throws {
        _ = try loadOrMake()
        let attributes = try FileManager.default.attributesOfItem(atPath: Identity.keyPath(in: folder.path))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func aLoneKeyGetsACertificateAndKeepsItsPin() throws {
        let first = try loadOrMake()
        try FileManager.default.removeItem(atPath: Identity.certificatePath(in: folder.path))
        let second = try loadOrMake()
        #expect(second.pin == first.pin)
        #expect(try Identity.load(folder: folder.path) == second)
    }

    @Test func aLoneCertificateIsALossAndNeverANewIdentity() throws {
        _ = try loadOrMake()
        let path = Identity.keyPath(in: folder.path)
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: IdentityError.keyLost(path: path)) { try loadOrMake() }
    }

    @Test func anEmptyFolderIsSaidToBeEmpty() {
        #expect(throws: IdentityError.absent(folder: folder.path)) { try Identity.load(folder: folder.path) }
    }

    @Test func aCertificateOfAnotherKeyIsRefused() throws {
        _ = try loadOrMake()
        try folder.write(Identity.certificateFile, Identity.make(name: "other").certificatePEM)
        let (key, certificate) = (
            Identity.keyPath(in: folder.path), Identity.certificatePath(in: folder.path)
        )
        #expect(throws: IdentityError.mismatched(key: key, certificate: certificate)) { try loadOrMake() }
    }

    @Test(arguments: [Identity.keyFile, Identity.certificateFile])
    func aDamagedFileIsNamed(file: String) throws {
        _ = try loadOrMake()
        try folder.write(file, Array("-----BEGIN NOTHING-----".utf8))
        let path = folder.file(file)
        do {
            _ = try loadOrMake()
            Issue.record("a damaged \(file) was taken")
        } catch IdentityError.damaged(let named, _) {
            #expect(named == path)
        }
    }

    @Test func aFolderThatCannotBeWrittenIsNamed() {
        struct Full: Error, CustomStringConvertible { let description = "the card is full" }
        let path = Identity.keyPath(in: folder.path)
        #expect(throws: IdentityError.unwritable(path: path, reason: "the card is full")) {
            try Identity.loadOrMake(folder: folder.path, name: "x") { _, _ in throw Full() }
        }
    }

    private func pinHex() throws -> String {
        try Identity.pinHex(folder: folder.path, name: "test device", save: save)
    }

    @Test func thePinAloneIsTheIdentitysPin() throws {
        let made = try pinHex()
        #expect(try pinHex() == made)
        #expect(try Identity.load(folder: folder.path).pinHex == made)
    }

    @Test func thePinOfAnotherCertificateDoesNotCount() throws {
        _ = try pinHex()
        let other = try Identity.make(name: "other")
        try folder.write(Identity.keyFile, other.keyPEM)
        try folder.write(Identity.certificateFile, other.certificatePEM)
        #expect(try pinHex() == other.pinHex)
    }

    @Test(arguments: [Identity.keyFile, Identity.certificateFile])
    func thePinFileDoesNotHideALoss(file: String) throws {
        let made = try pinHex()
        try FileManager.default.removeItem(atPath: folder.file(file))
        if file == Identity.keyFile {
            #expect(throws: IdentityError.keyLost(path: folder.file(file))) { try pinHex() }
        } else {
            #expect(try pinHex() == made)
            #expect(try Identity.load(folder: folder.path).pinHex == made)
        }
    }

    @Test func aDamagedPinFileIsMadeAnew() throws {
        let made = try pinHex()
        try folder.write(Identity.pinFile, Array("nonsense".utf8))
        #expect(try pinHex() == made)
    }

    private static let hasOpenSSL =
        FileManager.default.isExecutableFile(atPath: "/bin/sh")
        && FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

    @Test(.enabled(if: hasOpenSSL)) func thePinIsTheHashOfThePublicKeyAsOpenSSLSeesIt() throws {
        let identity = try loadOrMake()
        let script = """
            openssl x509 -in \(Identity.certificatePath(in: folder.path)) -noout -pubkey \
            | openssl pkey -pubin -outform DER | openssl dgst -sha256 -r | cut -c1-64
            """
        #expect(try output(of: script) == identity.pinHex)
    }

    @Test(.enabled(if: hasOpenSSL)) func theCertificateIsValidFrom1970To9999() throws {
        _ = try loadOrMake()
        let path = Identity.certificatePath(in: folder.path)
        #expect(
            try output(of: "openssl x509 -in \(path) -noout -dates")
                == "notBefore=Jan  1 00:00:00 1970 GMT\nnotAfter=Dec 31 23:59:59 9999 GMT")
    }

    private func output(of script: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
