import Foundation
import HTTPServer
import Inbox
import Receiver
import TestSupport
import Testing
import Wire

@Suite struct ReceiverRefusalTests {
    private static let requests = [
        ("POST", "/v1/up"), ("OPTIONS", "/v1/up"), ("GET", "/"), ("GET", "/v1/events"),
        ("HEAD", HostPath.upload(String(repeating: "a", count: 64))),
        ("PATCH", HostPath.upload(String(repeating: "a", count: 64))),
        ("DELETE", HostPath.upload(String(repeating: "a", count: 64))),
    ]

    @Test(arguments: requests)
    func withoutACertificateEverythingIs401(method: String, path: String) throws {
        let world = try ReceiverWorld()
        #expect(try world.client(nil).request(method, path).status == 401)
    }

    @Test func withoutACertificateNobodyPairs() throws {
        let world = try ReceiverWorld()
        let token = try world.inbox.makeToken(life: .seconds(60))
        let body = PairRequest(token: token, deviceName: "x").json.bytes
        #expect(try world.client(nil).request("POST", "/v1/pair", body: body).status == 401)
    }

    @Test(arguments: requests)
    func aStrangersKeyIs403(method: String, path: String) throws {
        let world = try ReceiverWorld()
        #expect(try world.client(ReceiverWorld.stranger).request(method, path).status == 403)
    }

    @Test func aStrangersBytesReachNoFile() throws {
        let world = try ReceiverWorld()
        let part = Part.audio(1)
        #expect(try world.client(ReceiverWorld.stranger).create(part, body: part.bytes).status == 403)
        #expect(try FileManager.default.contentsOfDirectory(atPath: world.inbox.folder.incoming) == [])
        #expect(try world.inbox.find(part.path.components(separatedBy: "/").last ?? "") == nil)
    }

    /// A body longer than the host reads for nothing: the answer comes before it.
    @Test func aStrangerIsAnsweredBeforeALongBody() throws {
        let world = try ReceiverWorld()
        let client = try world.client(ReceiverWorld.stranger)
        try client.begin("POST", "/v1/up", length: 100 << 20)
        #expect(try client.response().status == 403)
        #expect(client.isClosed())
    }

    @Test func olderTLSIsRefused() throws {
        let world = try ReceiverWorld()
        #expect(throws: ReceiverClient.Failure.self) {
            _ = try ReceiverClient(
                port: world.server.address.port, identity: ReceiverWorld.wrist,
                priorities: "NORMAL:-VERS-ALL:+VERS-TLS1.2")
        }
    }

    @Test func aRemovedDeviceIsRefusedAtItsNextRequest() throws {
        let world = try ReceiverWorld()
        let client = try world.client()
        #expect(try client.create(Part.audio(1)).status == 201)
        _ = try world.inbox.removeDevice(pin: ReceiverWorld.wrist.pinHex)
        #expect(try client.head(Part.audio(1)).status == 403)
    }

    @Test func aTokenPairsOneDeviceWhichMayThenSend() throws {
        let world = try ReceiverWorld()
        let token = try world.inbox.makeToken(life: .seconds(60))
        let body = PairRequest(token: token, deviceName: "new\u{1B}[31m").json.bytes
        let client = try world.client(ReceiverWorld.stranger)
        let answer = try client.request("POST", "/v1/pair", body: body)
        #expect(answer.status == 200)
        #expect(try PairAnswer(json: JSON(parsing: Array(answer.body.utf8))).hostName == "the host")
        let part = Part.audio(1)
        #expect(try client.create(part, body: part.bytes).headers["repr-digest"] == part.receipt)
        // No control character of a name reaches a terminal.
        #expect(world.events.first == .paired(pin: ReceiverWorld.stranger.pinHex, name: "new[31m"))
    }

    @Test func aSpentTokenIs403() throws {
        let world = try ReceiverWorld()
        let token = try world.inbox.makeToken(life: .seconds(60))
        _ = try world.inbox.pair(
            token: token, pin: ReceiverWorld.lapel.pinHex, name: "lapel", signingKey: nil)
        let body = PairRequest(token: token, deviceName: "x").json.bytes
        #expect(
            try world.client(ReceiverWorld.stranger).request("POST", "/v1/pair", body: body).status == 403)
    }

    @Test(arguments: ["", "{}", "[1", #"{"token":"zz","device_name":"x"}"#])
    func aPairingRequestThatCannotBeReadIs400(body: String) throws {
        let world = try ReceiverWorld()
        #expect(try world.client().request("POST", "/v1/pair", body: Array(body.utf8)).status == 400)
    }

    @Test func aLongPairingRequestIs413() throws {
        let world = try ReceiverWorld()
        let body = [UInt8](repeating: 32, count: 20_000)
        #expect(try world.client().request("POST", "/v1/pair", body: body).status == 413)
        let client = try world.client()
        try client.begin("POST", "/v1/pair", ["Transfer-Encoding": "chunked"], length: nil)
        try client.send(Array("4e20\r\n".utf8) + body + Array("\r\n0\r\n\r\n".utf8))
        #expect(try client.response().status == 413)
    }

    /// What is wrong with a request of a paired device, and the answer.
    @Test func everyMistakeHasItsStatus() throws {
        let world = try ReceiverWorld()
        let client = try world.client()
        let part = Part.audio(1)
        let type = ReceiverClient.bytesType
        _ = try client.create(part)
        let other = Part(Part.id(1), .audio, [1], seq: 1, ext: "opus", device: Part.wrist)
        #expect(try client.create(other).status == 422)
        #expect(try client.request("POST", "/v1/up", ["Upload-Length": "x"]).status == 400)
        let unsure = ["Upload-Length": "5", "Upload-Metadata": "utt MTI="]
        #expect(try client.request("POST", "/v1/up", unsure).status == 400)
        #expect(
            try client.request("POST", "/v1/up", ["Upload-Length": "5", "Upload-Metadata": "utt !"]).status
                == 400)
        #expect(try client.request("POST", "/v1/up", ["Tus-Resumable": "0.2.2"]).status == 412)
        #expect(try client.request("GET", "/v1/up").status == 405)
        #expect(try client.request("GET", part.path).status == 405)
        #expect(try client.request("GET", "/v1/pair").status == 405)
        #expect(try client.request("GET", "/").status == 404)
        #expect(try client.request("HEAD", "/v1/up/..%2f..%2fkey.pem").status == 404)
        #expect(try client.head(Part.audio(2)).status == 404)
        #expect(try client.patch(part, from: 5, [1]).status == 409)
        #expect(try client.request("PATCH", part.path, type, body: [1]).status == 400)
        #expect(try client.request("PATCH", part.path, ["Upload-Offset": "0"], body: [1]).status == 415)
        #expect(try client.patch(part, from: 0, [UInt8](repeating: 0, count: 1001)).status == 413)
        #expect(try client.head(part).headers["upload-offset"] == "0")
    }

    @Test func anOversizedUploadIs413() throws {
        let world = try ReceiverWorld(settings: .init(largestUpload: 999))
        #expect(try world.client().create(Part.audio(1)).status == 413)
    }

    /// Chunks announce no length: the bytes themselves are counted.
    @Test func chunksBeyondTheLengthAre413() throws {
        let world = try ReceiverWorld()
        let part = Part.audio(1, count: 10)
        let client = try world.client()
        _ = try client.create(part)
        let headers = ReceiverClient.bytesType.merging(["Upload-Offset": "0", "Transfer-Encoding": "chunked"])
        { $1 }
        try client.begin("PATCH", part.path, headers, length: nil)
        try client.send(Array("b\r\n".utf8) + part.bytes + [0] + Array("\r\n0\r\n\r\n".utf8))
        let answer = try? client.response()
        #expect(answer == nil || answer?.status == 413)
        #expect(try world.client().head(part).headers["repr-digest"] == nil)
    }

    @Test func deletingIs204Then404AndNeverForACompleteOne() throws {
        let world = try ReceiverWorld()
        let client = try world.client()
        let half = Part.audio(1)
        let whole = Part.audio(2)
        _ = try client.create(half)
        _ = try client.create(whole, body: whole.bytes)
        #expect(try client.request("DELETE", half.path).status == 204)
        #expect(try client.request("DELETE", half.path).status == 404)
        #expect(try client.request("DELETE", whole.path).status == 403)
        #expect(try client.head(whole).headers["repr-digest"] == whole.receipt)
    }

    @Test func optionsNameWhatWorks() throws {
        let world = try ReceiverWorld()
        let answer = try world.client().request("OPTIONS", "/v1/up")
        #expect(answer.status == 204)
        #expect(answer.headers["tus-version"] == "1.0.0")
        #expect(
            answer.headers["tus-extension"] == "creation,creation-with-upload,checksum,expiration,termination"
        )
        #expect(answer.headers["tus-checksum-algorithm"] == "sha1,sha256")
    }

    @Test func anAddressInUseIsSaid() throws {
        let world = try ReceiverWorld()
        #expect(throws: ListenError.portInUse(address: world.server.address.description)) {
            _ = try Server(
                Routes(inbox: world.inbox, hostName: "x") { _ in }, identity: ReceiverWorld.host,
                listen: world.server.address, running: .threadPerConnection)
        }
    }
}
