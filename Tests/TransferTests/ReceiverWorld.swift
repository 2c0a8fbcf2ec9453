import Catalogue
import DurableFiles
import HTTPServer
import Identity
import Inbox
import LocalInbox
import Receiver
import SQLiteStore
import Synchronization
import TestSupport
import Wire

/// A host on loopback with two paired devices and a stranger, in a folder of its own.
final class ReceiverWorld: Sendable {
    /// Keys take time to make; a test needs other keys, never fresh ones.
    static let keys: [Identity] = (0..<4).map { sure(try? Identity.make(name: "key \($0)")) }
    static let host = keys[0]
    static let wrist = keys[1]
    static let lapel = keys[2]
    static let stranger = keys[3]

    let folder: TemporaryFolder
    let inbox: Inbox
    let server: Server
    private let seen: Events

    final class Events: Sendable {
        let all = Mutex<[HostEvent]>([])
    }

    init(
        folder: TemporaryFolder = TemporaryFolder(), settings: Inbox.Settings = .init(),
        calls: FileCalls = .system, patience: Duration = .seconds(30),
        beforeCommit: (@Sendable () throws(StoreError) -> Void)? = nil
    ) throws {
        self.folder = folder
        inbox = try Inbox(folder: folder.path, settings: settings, calls: calls, beforeCommit: beforeCommit)
        _ = try inbox.recover()
        try inbox.addDevice(pin: Self.wrist.pinHex, name: "wrist")
        try inbox.addDevice(pin: Self.lapel.pinHex, name: "lapel")
        let seen = Events()
        self.seen = seen
        let routes = Routes(inbox: inbox, hostName: "the host") { event in
            seen.all.withLock { $0.append(event) }
        }
        server = try Server(
            routes, identity: Self.host, listen: ListenAddress(address: "127.0.0.1", port: 0),
            running: .threadPerConnection, patience: patience)
    }

    var events: [HostEvent] { seen.all.withLock { $0 } }

    func client(_ identity: Identity? = ReceiverWorld.wrist) throws -> ReceiverClient {
        try ReceiverClient(port: server.address.port, identity: identity)
    }
}

extension Part {
    var path: String { HostPath.upload(UploadKey.text(utterance: new.utterance, kind: new.kind).sha256) }

    /// The headers of its creation.
    var creation: [String: String] {
        let metadata = UploadMetadata(
            filename: "x.\(new.ext)", utterance: new.utterance, kind: new.kind, seq: new.seq,
            sha256: new.sha256, signature: new.signature)
        return ["Upload-Length": String(new.length), "Upload-Metadata": metadata.header]
    }

    /// `Repr-Digest` as the receipt carries it.
    var receipt: String { sure(ReprDigest(hex: new.sha256)).header }
}

extension ReceiverClient {
    static let bytesType = ["Content-Type": "application/offset+octet-stream"]

    func create(_ part: Part, body: [UInt8] = []) throws -> Response {
        let type = body.isEmpty ? [:] : Self.bytesType
        return try request("POST", "/v1/up", part.creation.merging(type) { $1 }, body: body)
    }

    func patch(_ part: Part, from offset: Int, _ body: [UInt8]) throws -> Response {
        try request(
            "PATCH", part.path, Self.bytesType.merging(["Upload-Offset": String(offset)]) { $1 }, body: body)
    }

    func head(_ part: Part) throws -> Response { try request("HEAD", part.path) }
}
