import Foundation
import TestSupport
import Testing
import Wire

@testable import HostLink

/// What a request is, and where its answer goes, over real TLS.
struct HostLinkRequestTests {
    private func head(_ status: Int, _ headers: String...) -> [UInt8] {
        Array(("HTTP/1.1 \(status) Scripted\r\n" + headers.map { $0 + "\r\n" }.joined() + "\r\n").utf8)
    }

    /// All over one connection: what one request set is not there for the next.
    @Test func theMethodDecidesWhatGoesAndWhatComes() throws {
        let world = try HostLinkWorld()
        let host = world.host { _, asked in .answer(200, [("Method", asked.method)], body: "an answer") }
        defer { host.stop() }
        let client = try Client(world.peer)
        for method in HTTPRequest.Method.allCases {
            let bytes: [UInt8]? = [.post, .patch, .put].contains(method) ? noise(5) : nil
            let request = HTTPRequest(method, "/a?b=c", body: bytes.map { RequestBody($0) })
            let answer = try world.ask(request, port: host.port, client) { false }
            #expect(answer.status == 200 && answer["Method"] == method.rawValue)
            #expect(answer.body == (method == .head ? [] : Array("an answer".utf8)))
            let asked = try #require(host.asked.last)
            #expect(asked.line.hasPrefix("\(method.rawValue) /a?b=c"))
            #expect(asked.body == bytes ?? [])
            #expect(asked.headers["content-length"] == bytes.map { String($0.count) })
        }
    }

    @Test func whatDoesMoreWhenItIsDoneTwiceGoesOutOnce() {
        for method in HTTPRequest.Method.allCases {
            for body in [nil, RequestBody([]), RequestBody([1])] {
                let context = TransferContext(HTTPRequest(method, "/", body: body))
                let begins = [context.begins(), context.begins()]
                let isOnce = body != nil || method == .post || method == .patch
                #expect(begins == [true, !isOnce], "\(method)")
            }
        }
    }

    @Test(arguments: [(10, true), (9, false)]) func anAnswerInMemoryHasALimit(limit: Int, fits: Bool) throws {
        let world = try HostLinkWorld()
        let host = world.host { _, _ in .answer(200, body: "0123456789") }
        defer { host.stop() }
        let request = HTTPRequest(.get, "/", into: .memory(limit: limit))
        guard fits else {
            #expect(
                throws: HostLinkError.noAnswer(
                    .cut, address: "127.0.0.1:\(host.port)", reason: "its answer is longer than 9 bytes")
            ) { try world.ask(request, host) }
            return
        }
        #expect(try world.ask(request, host).body == Array("0123456789".utf8))
    }

    /// A megabyte is sent only when the one before is in the file.
    @Test func anAnswerOfTenMegabytesIsWrittenAsItComes() throws {
        let world = try HostLinkWorld()
        let (file, path, handle) = try world.file()
        let megabyte = 1_048_576
        let isThere = Gate()
        let host = world.host { _, _ in
            .live { write in
                _ = write(head(200, "Content-Length: \(10 * megabyte)"))
                for part in 0..<10 {
                    guard write([UInt8](repeating: UInt8(part), count: megabyte)), isThere.wait() else {
                        return
                    }
                }
            }
        }
        defer { host.stop() }
        let client = try Client(world.peer)
        var parts = 0
        let answer = try world.ask(HTTPRequest(.get, "/sound", into: .file(file)), port: host.port, client) {
            if let size = try? handle.seekToEnd(), size >= megabyte * (parts + 1) {
                parts += 1
                isThere.open()
            }
            return false
        }
        isThere.open()
        #expect(answer.status == 200 && answer.body.isEmpty)
        #expect(file.length == 10 * megabyte)
        let bytes = try contents(path)
        #expect(bytes.count == 10 * megabyte)
        #expect(
            (0..<10).allSatisfy { part in
                bytes[(part * megabyte)..<((part + 1) * megabyte)].allSatisfy { $0 == UInt8(part) }
            })
    }

    /// Announced with a length or in chunks, an answer that ends too early is cut; the file holds its beginning.
    @Test(arguments: [true, false]) func anAnswerThatBreaksOffGoesOnWhereTheFileEnds(hasLength: Bool) throws {
        let world = try HostLinkWorld()
        let sound = noise(300_000)
        let host = world.host { number, asked in
            .live { write in
                guard number > 0 else {
                    _ = write(
                        head(200, hasLength ? "Content-Length: 300000" : "Transfer-Encoding: chunked")
                            + (hasLength ? [] : Array("493e0\r\n".utf8)) + sound.prefix(100_000))
                    return
                }
                let from = Int(asked.headers["range"]?.dropFirst(6).dropLast() ?? "") ?? 0
                _ = write(
                    head(
                        206, "Content-Range: bytes \(from)-299999/300000",
                        "Content-Length: \(300_000 - from)") + sound.dropFirst(from))
            }
        }
        defer { host.stop() }
        let (file, path, handle) = try world.file()
        let request = HTTPRequest(.get, "/sound", into: .file(file))
        #expect {
            try world.ask(request, host)
        } throws: {
            if case .noAnswer(.cut, _, _)? = $0 as? HostLinkError { true } else { false }
        }
        #expect(file.length == 100_000)
        #expect(try contents(path) == Array(sound.prefix(100_000)))
        let answer = try world.ask(request, host)
        #expect(answer.status == 206 && host.asked.last?.headers["range"] == "bytes=100000-")
        #expect(try contents(path) == sound)
        #expect(try AnswerFile(descriptor: handle.fileDescriptor, path: path).length == 300_000)
    }

    @Test func aHostThatKnowsNoRangesBeginsTheFileAnew() throws {
        let world = try HostLinkWorld()
        let host = world.host { _, _ in .answer(200, body: "whole") }
        defer { host.stop() }
        let (file, path, handle) = try world.file(holding: noise(100))
        _ = try world.ask(HTTPRequest(.get, "/sound", into: .file(file)), host)
        #expect(try contents(path) == Array("whole".utf8))
        #expect(file.length == 5)
        try handle.close()
    }

    @Test(arguments: ["bytes 0-4/8", "bytes 4-8/9", "all of it", nil])
    func aPartThatWasNotAskedForIsNotWritten(range: String?) throws {
        let world = try HostLinkWorld()
        let host = world.host { _, _ in
            .answer(206, range.map { [("Content-Range", $0)] } ?? [], body: "01234")
        }
        defer { host.stop() }
        let (file, path, handle) = try world.file(holding: [1, 2, 3])
        #expect(
            throws: HostLinkError.noAnswer(
                .cut, address: "127.0.0.1:\(host.port)",
                reason: "it sent another part of the file than it was asked for")
        ) { try world.ask(HTTPRequest(.get, "/sound", into: .file(file)), host) }
        #expect(try contents(path) == [1, 2, 3])
        try handle.close()
    }

    @Test(arguments: [404, 416, 503]) func aRefusalIsToldInTheAnswerAndNotInTheFile(status: Int) throws {
        let world = try HostLinkWorld()
        let host = world.host { _, _ in
            .answer(status, [("Content-Type", "text/plain")], body: "There is no such reply.")
        }
        defer { host.stop() }
        let (file, path, handle) = try world.file(holding: [1, 2, 3])
        let answer = try world.ask(HTTPRequest(.get, "/sound", into: .file(file)), host)
        #expect(answer.status == status && answer.sentence == "There is no such reply.")
        #expect(try contents(path) == [1, 2, 3])
        var pieces = 0
        let told = try world.ask(HTTPRequest(.get, "/sound", into: .pieces { _ in pieces += 1 }), host)
        #expect(told.sentence == "There is no such reply." && pieces == 0)
        try handle.close()
    }

    @Test func aFullDiskIsAFaultOfOurOwn() throws {
        let world = try HostLinkWorld()
        let host = world.host { _, _ in .answer(200, body: "sound") }
        defer { host.stop() }
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let file = try AnswerFile(descriptor: full.fileDescriptor, path: "/dev/full")
        #expect(
            throws: HostLinkError.unwritable(path: "/dev/full", reason: "No space left on device")
        ) { try world.ask(HTTPRequest(.get, "/sound", into: .file(file)), host) }
        #expect(file.length == 0)
    }
}
