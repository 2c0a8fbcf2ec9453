import Foundation
import Inbox
import Receiver
import Sealing
import TestSupport
import Testing
import Wire

/// Other tus clients: a certificate that the owner added, and no utterance.
@Suite struct ReceiverForeignTests {
    private static let bytes = Array("a plain file".utf8)
    private static var digest: String { sure(ReprDigest(hex: SHA256.digest(of: bytes).hex)).header }
    private static let metadata = UploadMetadata(filename: "Notes\u{1B}.txt", filetype: "text/plain").header

    private func create(
        _ client: ReceiverClient, _ extra: [String: String] = [:], body: [UInt8] = []
    ) throws -> ReceiverClient.Response {
        let headers = ["Upload-Length": String(Self.bytes.count), "Upload-Metadata": Self.metadata]
        return try client.request("POST", "/v1/up", headers.merging(extra) { $1 }, body: body)
    }

    private func patch(
        _ client: ReceiverClient, _ path: String, from offset: Int, _ bytes: ArraySlice<UInt8>
    ) throws -> ReceiverClient.Response {
        let headers = ReceiverClient.bytesType.merging(["Upload-Offset": String(offset)]) { $1 }
        return try client.request("PATCH", path, headers, body: Array(bytes))
    }

    @Test func aFileInPiecesIsKeptAndItsReceiptComesWithTheLast() throws {
        let world = try ReceiverWorld()
        let client = try world.client()
        let created = try create(client)
        #expect(created.status == 201)
        let path = try #require(created.headers["location"])
        let half = try patch(client, path, from: 0, Self.bytes[..<5])
        #expect(half.status == 204)
        #expect(half.headers["repr-digest"] == nil)
        let head = try client.request("HEAD", path)
        #expect(head.headers["upload-offset"] == "5")
        #expect(head.headers["upload-metadata"] == Self.metadata)
        #expect(try patch(client, path, from: 5, Self.bytes[5...]).headers["repr-digest"] == Self.digest)
        #expect(try client.request("HEAD", path).headers["repr-digest"] == Self.digest)
        let file = try #require(try world.inbox.plainFiles().first)
        #expect(file.name == "Notes.txt")
        #expect(file.path.hasSuffix(".txt"))
        #expect(try readFile(file.path) == Self.bytes)
        #expect(try world.inbox.utterances() == [])
        #expect(try world.inbox.check().problems == [])
    }

    @Test func aFileInItsCreationGetsTheReceiptAtOnceAndEachCreationIsAnother() throws {
        let world = try ReceiverWorld()
        let client = try world.client()
        let first = try create(client, ReceiverClient.bytesType, body: Self.bytes)
        #expect(first.headers["repr-digest"] == Self.digest)
        let second = try create(client, ReceiverClient.bytesType, body: Self.bytes)
        #expect(second.headers["location"] != first.headers["location"])
        #expect(try world.inbox.plainFiles().count == 2)
    }

    @Test func metadataMayBeMissing() throws {
        let world = try ReceiverWorld()
        let client = try world.client()
        let created = try client.request("POST", "/v1/up", ["Upload-Length": "1"])
        let path = try #require(created.headers["location"])
        #expect(try patch(client, path, from: 0, [65]).headers["repr-digest"] != nil)
        #expect(try world.inbox.plainFiles().first?.name == nil)
    }

    @Test func aFileIsForgottenAndItsClientStillGetsTheReceipt() throws {
        let world = try ReceiverWorld()
        let client = try world.client()
        let created = try create(client, ReceiverClient.bytesType, body: Self.bytes)
        let file = try #require(try world.inbox.plainFiles().first)
        #expect(try world.inbox.forget(utterance: file.id))
        #expect(try world.inbox.plainFiles() == [])
        #expect(!FileManager.default.fileExists(atPath: file.path))
        let path = try #require(created.headers["location"])
        #expect(try client.request("HEAD", path).headers["repr-digest"] == Self.digest)
        #expect(try world.inbox.check().problems == [])
    }

    @Test func anotherDevicesFileIsNotThere() throws {
        let world = try ReceiverWorld()
        let path = try #require(try create(try world.client()).headers["location"])
        let other = try world.client(ReceiverWorld.lapel)
        #expect(try other.request("HEAD", path).status == 404)
        #expect(try patch(other, path, from: 0, [1]).status == 404)
        #expect(try other.request("DELETE", path).status == 404)
    }
}
