import Foundation
import Host
import Inbox
import TestSupport
import Testing
import Wire

@Suite struct CommandTests {
    @Test(arguments: [
        (["fly"], "There is no command \"fly\""), (["list", "--colour"], "There is no option --colour here"),
        (["list", "x"], "\"x\" is not expected here"), (["pair", "--minutes"], "--minutes needs a value"),
        (["pair", "--minutes", "0"], "from 1 to 1440"), (["list", "--json=1"], "takes no value"),
        (["list", "--dir", "a", "--dir", "b"], "stands twice"),
        (["serve", "--listen", "example.org:1"], "--listen: `listen` wants an address"),
        (["help", "fly"], "There is no command"), (["compare", "1", "x.wav"], "`lapel-lab compare`"),
    ])
    func whatIsNotUnderstoodIsOneSentenceAndExitCode2(arguments: [String], part: String) {
        let output = HostFixture.run(arguments)
        #expect(output.code == 2)
        #expect(output.log.contains(part), "\(output.log)")
        #expect(!output.log.contains("\n"))
        #expect(output.out.isEmpty)
    }

    @Test func theLabComparesARecordingAndTellsByItsExitCode() throws {
        let host = try HostFixture()
        let samples = babble(seconds: 2, seed: 1)
        try host.store(samples)
        let same = try host.folder.write("same.wav", WAVBytes.make(samples, rate: 16_000))
        let other = try host.folder.write(
            "other.wav", WAVBytes.make(babble(seconds: 2, seed: 2), rate: 16_000))
        let output = host.lab("compare", "1", same, "--json")
        #expect(output.code == 0)
        #expect(try output.json()["identical"] == true)
        #expect(host.lab("compare", "1", other).code == 1)
        #expect(host.lab("compare", "1", host.folder.file("none.wav")).log.contains("There is no file"))
        #expect(host.lab("compare", "1").code == 2)
    }

    @Test func theVersionIsPrinted() {
        #expect(HostFixture.run(["--version"]).out == "lapel-host \(hostVersion)")
    }

    @Test(arguments: [
        "serve", "pair", "devices", "key", "list", "show", "play", "files", "forget", "check",
    ])
    func everyCommandHasItsHelp(name: String) {
        let help = HostFixture.run(["help", name])
        #expect(help.code == 0)
        #expect(help.out.hasPrefix("lapel-host \(name)"))
        #expect(HostFixture.run([name, "--help"]).out == help.out)
        #expect(HostFixture.run(["help"]).out.contains("  \(name) "))
    }

    @Test(arguments: ["list", "check", "devices", "pair", "key"])
    func aFolderThatNobodyServedIsNotMade(name: String) {
        let folder = TemporaryFolder()
        let output = HostFixture.run([name, "--dir", folder.file("none")])
        #expect(output.code == 1)
        #expect(output.log.contains("run `lapel-host serve` first"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("none")))
    }

    @Test func aRelativeFolderIsSaidWhole() {
        let output = HostFixture.run(["list", "--dir", "no/such"])
        #expect(output.log.contains(FileManager.default.currentDirectoryPath + "/no/such"))
    }

    @Test func anEmptyListIsSaidAndIsAnEmptyArray() throws {
        let host = try HostFixture()
        #expect(host.run("list").out == "There is no utterance yet.")
        #expect(try host.run("list", "--json").json() == [])
    }

    @Test func aListHasOneObjectForEachUtterance() throws {
        let host = try HostFixture()
        try host.store(babble(seconds: 1, seed: 1), seq: 1, id: HostFixture.id(1))
        try host.store(babble(seconds: 2, seed: 2), seq: 2, id: HostFixture.id(2))
        let list = try #require(try host.run("list", "--json").json().elements)
        #expect(list.map { $0["utterance"]?.string } == [HostFixture.id(1), HostFixture.id(2)])
        #expect(list.map { $0["seconds"]?.double } == [1, 2])
        #expect(list.allSatisfy { $0["state"]?.string == "stored" })
        #expect(try host.run("list", "--json", "--last", "1").json().elements?.first?["seq"]?.int == 2)
        #expect(host.run("list").out.split(separator: "\n").count == 3)
    }

    @Test func anUtteranceIsShownByTheBeginningOfItsID() throws {
        let host = try HostFixture()
        try host.store(babble(seconds: 1, seed: 1), id: HostFixture.id(0xAB))
        let shown = host.run("show", "ab")
        #expect(shown.code == 0)
        #expect(shown.out.contains("ended by     hangover"))
        #expect(shown.out.contains("█"))
        let json = try host.run("show", "AB", "--json").json()
        #expect(json["manifest"]?["end_reason"]?.string == "hangover")
        #expect(json["sha256"] == json["manifest"]?["sha256"])
    }

    @Test func anIDThatFitsSeveralOrNoneIsSaid() throws {
        let host = try HostFixture()
        try host.store(babble(seconds: 1, seed: 1), id: HostFixture.id(0xA1))
        try host.store(babble(seconds: 1, seed: 2), id: HostFixture.id(0xA2))
        #expect(host.run("show", "a").log.contains("Several utterances"))
        #expect(host.run("show", "b").log.contains("no utterance whose id begins with b"))
        #expect(host.run("show").code == 2)
    }

    @Test func aCheckTellsByItsExitCode() throws {
        let host = try HostFixture()
        try host.store(babble(seconds: 1, seed: 1))
        #expect(host.run("check").code == 0)
        #expect(try host.run("check", "--json").json()["checked"] == 2)
        let path = try #require(try host.inbox.utterances().first?.audio?.path)
        try Data([0]).write(to: URL(fileURLWithPath: path))
        let output = host.run("check", "--json")
        #expect(output.code == 1)
        #expect(try output.json()["problems"]?.elements?.first?["kind"]?.string == "damaged")
    }

    @Test func devicesAreAddedListedAndRemoved() throws {
        let host = try HostFixture()
        #expect(host.run("devices").out.hasPrefix("No device is paired"))
        #expect(host.run("devices", "add", "--pin", HostFixture.pin, "--name", "wrist").code == 0)
        #expect(try host.run("devices", "list", "--json").json().elements?.first?["name"]?.string == "wrist")
        #expect(host.run("devices", "remove", "5a").out.hasPrefix("Removed wrist"))
        #expect(host.run("devices", "remove", "5a").code == 1)
        #expect(host.run("devices", "add", "--pin", HostFixture.pin, "--name", "left wrist").code == 0)
        #expect(host.run("devices", "remove", "left wrist").out.hasPrefix("Removed left wrist"))
        #expect(host.run("devices", "remove", "left wrist").log.contains("is called left wrist"))
        #expect(host.run("devices", "add", "--pin", "12", "--name", "x").code == 2)
    }

    @Test func ofTwoDevicesWithOneNameNoneIsRemovedByIt() throws {
        let host = try HostFixture()
        for digit in ["1", "2"] {
            let pin = String(repeating: digit, count: 64)
            #expect(host.run("devices", "add", "--pin", pin, "--name", "wrist").code == 0)
        }
        #expect(host.run("devices", "remove", "wrist").log.contains("2 devices are called wrist"))
        #expect(host.run("devices", "remove", "11").code == 0)
        #expect(host.run("devices", "remove", "wrist").code == 0)
    }

    @Test func filesOfOtherClientsAreListedAndForgotten() throws {
        let host = try HostFixture()
        #expect(host.run("files").out == "No other tus client has sent a file.")
        let metadata = UploadMetadata(filename: "notes.txt")
        let new = NewFile(metadata, header: metadata.header, length: 3, device: HostFixture.pin)
        let upload = try host.inbox.create(file: new)
        let writer = try host.inbox.writer(upload.id, from: 0)
        try [65, 66, 67].withUnsafeBytes { try writer.write(UnsafeRawBufferPointer(rebasing: $0[..<3])) }
        _ = try host.inbox.finish(upload.id)
        let json = try #require(try host.run("files", "--json").json().elements?.first)
        #expect(json["name"]?.string == "notes.txt")
        #expect(json["bytes"] == 3)
        let path = try #require(json["path"]?.string)
        #expect(FileManager.default.contents(atPath: path)?.count == 3)
        #expect(host.run("files").out.contains("notes.txt"))
        #expect(host.run("list").out == "There is no utterance yet.")
        let id = try #require(json["file"]?.string)
        #expect(host.run("forget", id).out == "Forgot utterance \(id).")
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(host.run("check").code == 0)
    }

    @Test func pairingWithGivenAddressesPrintsAUsableURL() throws {
        let host = try HostFixture()
        let running = try RunningHost(folder: host.folder.path, listen: .init(address: "127.0.0.1", port: 0))
        { _ in }
        let json = try host.run("pair", "--json", "--address", "desk.local:8443", "--address", "[fd00::1]:99")
            .json()
        let url = try PairingURL(parsing: json["url"]?.string ?? "")
        #expect(url.hosts.map(\.description) == ["desk.local:8443", "[fd00::1]:99"])
        #expect(url.pin == running.identity.pin)
        #expect(try host.inbox.pair(token: url.token, pin: HostFixture.pin, name: "wrist", signingKey: nil))
        try running.stop()
    }

    @Test func aPairingFileHoldsTheURLForADay() throws {
        let host = try HostFixture()
        let running = try RunningHost(folder: host.folder.path, listen: .init(address: "127.0.0.1", port: 0))
        { _ in }
        let file = host.folder.file("lapel-pair.txt")
        let json = try host.run("pair", "--json", "--file", file).json()
        #expect(json["valid_minutes"] == 1440)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text == (json["url"]?.string ?? "") + "\n")
        #expect(host.run("pair", "--file", host.folder.file("no/such")).code == 1)
        try running.stop()
    }

    @Test func pairingNamesWhereTheServerListens() throws {
        let host = try HostFixture()
        let running = try RunningHost(folder: host.folder.path, listen: .init(address: "127.0.0.1", port: 0))
        { _ in }
        let json = try host.run("pair", "--json").json()
        #expect(json["hosts"] == [.string(running.address.description)])
        let text = host.run("pair").out
        #expect(text.hasPrefix("lapel://pair?"))
        #expect(text.contains("▀"))
        try running.stop()
    }

    @Test func twoServersOfOneFolderAreRefused() throws {
        let host = try HostFixture()
        let running = try RunningHost(folder: host.folder.path, listen: .init(address: "127.0.0.1", port: 0))
        { _ in }
        let second = host.run("serve", "--listen", "127.0.0.1:0")
        #expect(second.code == 1)
        #expect(second.log.contains("serves \(host.folder.path) already"))
        try running.stop()
    }

    @Test func playWritesTheDecodedSound() throws {
        let host = try HostFixture()
        let samples = babble(seconds: 0.5, seed: 1)
        try host.store(samples)
        #expect(host.run("play", "1", "--to", host.folder.file("x.wav")).code == 0)
        let written = FileManager.default.contents(atPath: host.folder.file("x.wav")).map(Array.init)
        #expect(written == WAVBytes.make(samples, rate: 16_000))
    }
}
