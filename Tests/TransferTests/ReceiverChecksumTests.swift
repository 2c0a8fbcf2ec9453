import Foundation
import Inbox
import Receiver
import TestSupport
import Testing
import Wire

/// tus 1.0.0, checksum extension: what does not fit is dropped and the offset stays.
@Suite struct ReceiverChecksumTests {
    /// `printf abc | openssl dgst -sha1 -binary | base64`, and the same with sha256.
    private static let ofABC = [
        "sha1 qZk+NkcGgWq6PiVxeFDCbJzQ2J0=",
        "sha256 ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=",
    ]

    private static func part() -> Part {
        Part(
            Part.id(1), .audio, Array("abcdef".utf8), seq: 1, ext: "opus", device: ReceiverWorld.wrist.pinHex)
    }

    private func patch(
        _ client: ReceiverClient, _ part: Part, from offset: Int, _ text: String, _ checksum: String
    ) throws -> ReceiverClient.Response {
        let headers = ReceiverClient.bytesType.merging([
            "Upload-Offset": String(offset), "Upload-Checksum": checksum,
        ]) { $1 }
        return try client.request("PATCH", part.path, headers, body: Array(text.utf8))
    }

    @Test(arguments: ofABC)
    func bytesThatFitAreTaken(checksum: String) throws {
        let world = try ReceiverWorld()
        let client = try world.client()
        let part = Self.part()
        _ = try client.create(part)
        let first = try patch(client, part, from: 0, "abc", checksum)
        #expect(first.status == 204)
        #expect(first.headers["upload-offset"] == "3")
        #expect(try client.patch(part, from: 3, Array("def".utf8)).headers["repr-digest"] == part.receipt)
    }

    @Test(arguments: ofABC)
    func bytesThatDoNotFitAre460AndTheOffsetStays(checksum: String) throws {
        let world = try ReceiverWorld()
        let client = try world.client()
        let part = Self.part()
        _ = try client.create(part)
        #expect(try patch(client, part, from: 0, "abX", checksum).status == 460)
        #expect(try client.head(part).headers["upload-offset"] == "0")
        #expect(try patch(client, part, from: 0, "abc", checksum).status == 204)
        // Further on, too: what was right before it stays.
        #expect(try patch(client, part, from: 3, "Xef", checksum).status == 460)
        #expect(try client.head(part).headers["upload-offset"] == "3")
    }

    @Test func aCreationsBytesAreCheckedToo() throws {
        let world = try ReceiverWorld()
        let client = try world.client()
        let part = Part(
            Part.id(2), .audio, Array("abc".utf8), seq: 2, ext: "opus", device: ReceiverWorld.wrist.pinHex)
        func create(_ text: String) throws -> ReceiverClient.Response {
            let headers = part.creation.merging(ReceiverClient.bytesType) { $1 }
                .merging(["Upload-Checksum": Self.ofABC[1]]) { $1 }
            return try client.request("POST", "/v1/up", headers, body: Array(text.utf8))
        }
        #expect(try create("abX").status == 460)
        #expect(try create("abc").headers["repr-digest"] == part.receipt)
    }

    @Test(arguments: ["md5 rL0Y20zC+Fzt72VPzMSk2A==", "sha1", "sha1 AAAA", "sha256 !", ""])
    func whatCannotBeCheckedIs400AndNothingIsTaken(checksum: String) throws {
        let world = try ReceiverWorld()
        let client = try world.client()
        let part = Self.part()
        _ = try client.create(part)
        let status = try patch(client, part, from: 0, "abc", checksum).status
        // The client leaves out an empty header.
        #expect(status == (checksum.isEmpty ? 204 : 400))
        #expect(try client.head(part).headers["upload-offset"] == (checksum.isEmpty ? "3" : "0"))
    }

    /// A host that dies in the middle of a request must not take unchecked bytes for the upload's.
    @Test func bytesBeforeTheirChecksumAreInNoUpload() throws {
        let world = try ReceiverWorld()
        let client = try world.client()
        let part = Self.part()
        _ = try client.create(part)
        let id = part.path.split(separator: "/").last.map(String.init) ?? ""
        let checked = try world.inbox.checkedWriter(id, from: 0, expecting: 6)
        try Array("abcdef".utf8).withUnsafeBytes { try checked.write($0) }
        #expect(try readFile(world.inbox.folder.partial(id)).isEmpty)
        try checked.keep()
        #expect(try readFile(world.inbox.folder.partial(id)) == part.bytes)
    }

    @Test func aLongCheckedRequestIsHeldOnTheDiskAndFits() throws {
        let world = try ReceiverWorld()
        let client = try world.client()
        let part = Part.audio(7, count: 3 << 20, device: ReceiverWorld.wrist.pinHex)
        let digest = Base64.encode(Hex.decode(part.new.sha256) ?? [])
        _ = try client.create(part)
        let headers = ReceiverClient.bytesType.merging([
            "Upload-Offset": "0", "Upload-Checksum": "sha256 " + digest,
        ]) { $1 }
        let answer = try client.request("PATCH", part.path, headers, body: part.bytes)
        #expect(answer.headers["repr-digest"] == part.receipt)
    }
}
