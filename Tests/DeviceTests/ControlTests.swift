import Foundation
import Glibc
import Outbox
import Sealing
import Synchronization
import TestSupport
import Testing
import Threads
import Wire

@testable import Device

@Suite struct ControlTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.file("control") }

    private func server(
        _ answer: @escaping @Sendable (ControlWord) -> JSON = { ["word": .string($0.rawValue)] }
    )
        throws -> ControlServer
    {
        try ControlServer(path: path, answer: answer)
    }

    /// What the server says to one line, or to none; nil when it says nothing.
    private func say(_ text: String) throws -> String? {
        let visitor = try LocalSocket.connected(to: path)
        _ = text.utf8.withContiguousStorageIfAvailable {
            send(visitor.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        shutdown(visitor.descriptor, Int32(SHUT_WR))
        return visitor.readLine(most: 1 << 20)
    }

    /// The whole list. A word that begins a turn must not be added to it: only a thumb begins one.
    @Test func noWordBeginsATurn() {
        #expect(
            ControlWord.allCases.map(\.rawValue) == [
                "status", "outbox", "ledger", "config", "end", "paired", "pairing-refused",
            ])
    }

    @Test(arguments: ControlWord.allCases)
    func everyWordIsAnswered(word: ControlWord) throws {
        let server = try server()
        #expect(try ControlClient.ask(word, at: path)["word"]?.string == word.rawValue)
        server.shutDown()
    }

    @Test(arguments: [
        "begin", "press", "record", "start", "listen", "", "STATUS", " status", "status ", "status\u{0}",
        "{}", "é",
    ])
    func anyOtherWordIsRefused(word: String) throws {
        let server = try server { _ in "answered" }
        #expect(try say(word + "\n") == "{\"error\":\"unknown request\"}")
        server.shutDown()
    }

    @Test func garbageAndSilenceEndOnlyTheirOwnVisit() throws {
        let server = try server()
        #expect(try say("") == nil)
        #expect(try say("status") == nil)  // no end of line
        #expect(try say(String(repeating: "x", count: 100_000)) == nil)
        #expect(try say(String(repeating: "x", count: 300) + "\n") == nil)
        let first = try LocalSocket.connected(to: path)
        _ = consume first  // came and went
        #expect(try ControlClient.ask(.status, at: path)["word"]?.string == "status")
        server.shutDown()
    }

    @Test func aSlowVisitorDoesNotKeepTheNextOneOut() throws {
        let server = try server()
        let slow = try LocalSocket.connected(to: path)
        _ = "stat".utf8.withContiguousStorageIfAvailable {
            send(slow.descriptor, $0.baseAddress, $0.count, 0)
        }
        #expect(try ControlClient.ask(.outbox, at: path)["word"]?.string == "outbox")
        _ = consume slow
        server.shutDown()
    }

    @Test func manyVisitorsAtOnceAreAllAnswered() throws {
        let server = try server()
        let counted = Answers()
        let path = path
        let visitors = (0..<6).map { visitor in
            NamedThread("visitor") {
                for word in ControlWord.allCases {
                    let answer = try? ControlClient.ask(word, at: path)
                    if answer?["word"]?.string == word.rawValue { counted.add() }
                }
            }
        }
        for visitor in visitors { visitor.join() }
        #expect(counted.count == 6 * ControlWord.allCases.count)
        server.shutDown()
    }

    @Test func aLongAnswerComesWhole() throws {
        let long = String(repeating: "0123456789", count: 400_000)
        let server = try server { _ in .string(long) }
        #expect(try ControlClient.ask(.ledger, at: path).string == long)
        server.shutDown()
    }

    @Test func theSocketIsTheOwnersAloneAndGoesWithTheServer() throws {
        let server = try server()
        var info = stat()
        #expect(stat(path, &info) == 0 && info.st_mode & 0o777 == 0o600)
        server.shutDown()
        #expect(access(path, F_OK) != 0)
        #expect(throws: LocalSocketError.noDevice(path: path)) { try ControlClient.ask(.status, at: path) }
    }

    @Test func aSocketLeftByADeadProgramIsReplaced() throws {
        let dead = try LocalSocket.listening(at: path)
        _ = consume dead
        #expect(throws: LocalSocketError.noDevice(path: path)) { try ControlClient.ask(.status, at: path) }
        let server = try server()
        #expect(try ControlClient.ask(.end, at: path)["word"]?.string == "end")
        server.shutDown()
    }

    @Test func aPathThatIsTooLongIsRefusedWithTheWayOut() {
        let long = folder.file(String(repeating: "x", count: 120))
        do {
            _ = try LocalSocket.listening(at: long)
            Issue.record("it listens")
        } catch { #expect(error.description.contains("outbox_dir")) }
    }

    @Test func anAnswerThatIsNoneIsSaidToBeNone() throws {
        let listener = try LocalSocket.listening(at: path)
        let path = path
        let client = NamedThread("client") {
            do {
                _ = try ControlClient.ask(.status, at: path)
                Issue.record("garbage was understood")
            } catch { #expect("\(error)".contains("no whole answer")) }
        }
        do {
            guard let visitor = listener.accept() else { return }
            visitor.write(line: "{half")
        }
        client.join()
    }
}

final class Answers: Sendable {
    private let value = Mutex(0)
    func add() { value.withLock { $0 += 1 } }
    var count: Int { value.withLock { $0 } }
}

@Suite struct PairedHostFileTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.file("host.json") }
    private static let recipient = AgeIdentity.generate().recipient
    private static let recipient2 = AgeIdentity.generate().recipient
    private var host: PairedHostFile {
        PairedHostFile(
            name: "kitchen",
            addresses: [HostAddress("192.168.1.2:8443"), HostAddress("pi.local")].compactMap { $0 },
            pin: Array(0..<32), replies: true, recipients: [Self.recipient, Self.recipient2],
            signingKey: String(repeating: "0a", count: 32))
    }

    @Test func whatIsSavedIsLoaded() throws {
        try host.save(to: path)
        #expect(try PairedHostFile.load(path) == host)
    }

    @Test func aPairingOfAnOlderVersionNamesNoKeys() throws {
        let pin = String(repeating: "00", count: 32)
        try folder.write("host.json", Array(#"{"name":"x","addresses":["a:1"],"pin":"\#(pin)"}"#.utf8))
        let loaded = try #require(try PairedHostFile.load(path))
        #expect(loaded.recipients.isEmpty && loaded.signingKey.isEmpty)
    }

    @Test func noFileIsNoHost() throws {
        #expect(try PairedHostFile.load(path) == nil)
    }

    @Test func aFileThatIsCutAnywhereIsDamagedOrTheWhole() throws {
        try host.save(to: path)
        let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        for length in 0..<whole.count - 1 {  // the last byte is the end of the line
            try folder.write("host.json", Array(whole.prefix(length)))
            let loaded = Result { try PairedHostFile.load(path) }
            if case .success(let read) = loaded { #expect(read == host, "\(length) bytes") }
        }
    }

    @Test(arguments: [
        "", "[]", "{}", "null", #"{"name":"x","addresses":[],"pin":"00"}"#,
        #"{"name":"x","pin":"0000000000000000000000000000000000000000000000000000000000000000"}"#,
        #"{"name":"x","addresses":[],"pin":"0000000000000000000000000000000000000000000000000000000000000000","recipients":["age1x"]}"#,
        #"{"name":1,"addresses":[],"pin":"0000000000000000000000000000000000000000000000000000000000000000"}"#,
        #"{"name":"x","addresses":["a:1"],"pin":"zz00000000000000000000000000000000000000000000000000000000000000"}"#,
    ])
    func aDamagedFileSaysHowToMendIt(text: String) throws {
        try folder.write("host.json", Array(text.utf8))
        do {
            _ = try PairedHostFile.load(path)
            Issue.record("it was loaded")
        } catch { #expect("\(error)".contains("lapel pair") && "\(error)".contains(path)) }
    }

    @Test func aFolderInItsPlaceIsNotNoHost() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        #expect(throws: (any Error).self) { try PairedHostFile.load(path) }
    }
}
