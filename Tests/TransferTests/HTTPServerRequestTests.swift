import Glibc
import Identity
import TestSupport
import Testing

@testable import HTTPServer

/// Answers with what it was asked, and with a file.
private struct EchoSite: Site {
    let standingHeaders = [(name: "X-Site", value: "echo")]
    let file: ServedFile

    init(_ text: String, in folder: TemporaryFolder, tag: String?) {
        let path = folder.file("served")
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        let bytes = Array(text.utf8)
        #expect(write(descriptor, bytes, bytes.count) == bytes.count)
        file = ServedFile(taking: descriptor, size: bytes.count, tag: tag)
    }

    func open(_ request: Request) -> Opening {
        if request.path == "/file" { return .settled(Answer(200, body: .file(file), type: "audio/ogg")) }
        if request.path == "/bytes" {
            return .settled(Answer(200, body: .bytes([0, 10, 255]), type: "audio/ogg"))
        }
        let query = request.query.map { "\($0["a"] ?? "-")|\($0["b"] ?? "-")" } ?? "none"
        let text =
            "\(request.method) \(request.path) \(query) \(request.pin ?? "nobody") \(request.header("Cookie") ?? "")"
        return .settled(Answer(200, [("X-Echo", "one\r\nX-Evil: two\0")], body: .text(text)))
    }
}

@Suite struct HTTPServerRequestTests {
    private let folder = TemporaryFolder()

    private func client(
        _ text: String = "", tag: String? = nil, running: Server.Running = .threadPerConnection,
        peers: Server.Peers = .certificates
    ) throws -> (Server, ReceiverClient) {
        let server = try Server(
            EchoSite(text, in: folder, tag: tag), identity: ReceiverWorld.host,
            listen: ListenAddress(address: "127.0.0.1", port: 0), running: running, peers: peers)
        return (server, try ReceiverClient(port: server.address.port, identity: ReceiverWorld.wrist))
    }

    @Test(arguments: [
        ("/a%20b?a=1+2&b=%2B", "/a b 1 2|+"), ("/?a=1&a=2", "/ 1|-"), ("/?a&b=%C3%A9%3D", "/ |é="),
        ("/", "/ -|-"),
        // Not properly encoded: no text, a control character, an escape that is none.
        ("/?a=%ff", "/ none"), ("/?a=%0d%0A", "/ none"), ("/?a=%4", "/ none"), ("/?a=%zz", "/ none"),
        ("/%zz", "/%zz -|-"),
        ("/%00", "/%00 -|-"), ("/?" + String(repeating: "a&", count: 65), "/ none"),
    ])
    func pathAndQueryAreDecoded(target: String, said: String) throws {
        let (server, client) = try client()
        #expect(try client.request("GET", target).body == "GET \(said) \(ReceiverWorld.wrist.pinHex) ")
        server.stop()
    }

    @Test func noHeaderCanBringAnother() throws {
        let (server, client) = try client()
        let answer = try client.request("GET", "/")
        #expect(answer.headers["x-evil"] == nil)
        #expect(answer.headers["x-echo"] == "one  X-Evil: two")
        #expect(answer.headers["x-site"] == "echo")
        server.stop()
    }

    @Test(arguments: [Server.Running.threadPerConnection, .eventLoop])
    func whoComesWithASessionIsAskedForNoCertificate(running: Server.Running) throws {
        let (server, client) = try client(running: running, peers: .sessions)
        #expect(try client.request("GET", "/", ["Cookie": "session=1"]).body == "GET / -|- nobody session=1")
        server.stop()
    }

    /// Of a file of ten bytes.
    @Test(
        arguments: [
            (nil, 200, nil, "0123456789"), ("bytes=0-3", 206, "bytes 0-3/10", "0123"),
            ("bytes=7-", 206, "bytes 7-9/10", "789"), ("bytes=-2", 206, "bytes 8-9/10", "89"),
            ("bytes=-99", 206, "bytes 0-9/10", "0123456789"),
            ("Bytes=4-99999999999999999999", 206, "bytes 4-9/10", "456789"),
            ("bytes=10-", 416, "bytes */10", ""), ("bytes=-0", 416, "bytes */10", ""),
            ("bytes=99999999999999999999-", 416, "bytes */10", ""),
            // Several, and what is no range: the whole.
            ("bytes=0-1,4-5", 200, nil, "0123456789"), ("bytes=5-2", 200, nil, "0123456789"),
            ("bytes=", 200, nil, "0123456789"), ("bytes=-", 200, nil, "0123456789"),
            ("lines=1-2", 200, nil, "0123456789"), ("bytes=+1-2", 200, nil, "0123456789"),
        ] as [(String?, Int, String?, String)])
    func aRangeIsServed(range: String?, status: Int, contentRange: String?, body: String) throws {
        for running in [Server.Running.threadPerConnection, .eventLoop] {
            let (server, client) = try client("0123456789", tag: "h1", running: running)
            let headers = range.map { ["Range": $0] } ?? [:]
            let answer = try client.request("GET", "/file", headers)
            #expect(answer.status == status && answer.body == body)
            #expect(answer.headers["content-range"] == contentRange)
            #expect(answer.headers["etag"] == "\"h1\"" && answer.headers["accept-ranges"] == "bytes")
            let head = try client.request("HEAD", "/file", headers)
            #expect(head.status == 200 && head.headers["content-length"] == "10")
            server.stop()
        }
    }

    @Test(arguments: [
        ("\"h1\"", 206), ("\"h2\"", 200), ("W/\"h1\"", 200), ("Sun, 06 Nov 1994 08:49:37 GMT", 200),
    ])
    func aRangeOfAnotherFileIsTheWholeOfThisOne(condition: String, status: Int) throws {
        let (server, client) = try client("0123456789", tag: "h1")
        let headers = ["Range": "bytes=5-", "If-Range": condition]
        #expect(try client.request("GET", "/file", headers).status == status)
        server.stop()
    }

    @Test func aFileOfNoBytesHasNoRange() throws {
        let (server, client) = try client()
        #expect(try client.request("GET", "/file", ["Range": "bytes=-5"]).status == 200)
        #expect(try client.request("GET", "/file", ["Range": "bytes=0-"]).status == 416)
        server.stop()
    }

    @Test(arguments: [Server.Running.threadPerConnection, .eventLoop])
    func aLargeFileComesWholeAndAShorterOneBreaksOff(running: Server.Running) throws {
        let text = String((0..<3_000_000).map { Character(UnicodeScalar(97 + UInt8($0 % 26))) })
        let (server, client) = try client(text, running: running)
        #expect(try client.request("GET", "/file").body == text)
        #expect(try client.request("GET", "/file", ["Range": "bytes=-30"]).body == String(text.suffix(30)))
        #expect(truncate(folder.file("served"), 1_000_000) == 0)
        #expect(throws: ReceiverClient.Failure.self) { try client.request("GET", "/file") }
        server.stop()
    }

    @Test func bytesAreServedAsTheyAre() throws {
        let (server, client) = try client()
        let answer = try client.request("GET", "/bytes")
        #expect(answer.headers["content-type"] == "audio/ogg" && answer.headers["content-length"] == "3")
        server.stop()
    }
}
