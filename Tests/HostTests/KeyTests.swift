import Foundation
import Host
import Inbox
import Sealing
import TestSupport
import Testing
import Wire

@Suite struct KeyTests {
    @Test func aServersFirstStartMakesTheKeyAndTheNextOneKeepsIt() throws {
        let host = try HostFixture()
        #expect(host.run("key").log.contains("`lapel-host serve` makes one"))
        var recipients: [String] = []
        for _ in 0..<2 {
            let running = try RunningHost(
                folder: host.folder.path, listen: .init(address: "127.0.0.1", port: 0)
            ) { _ in }
            recipients.append(running.recipient)
            try running.stop()
        }
        #expect(recipients[0] == recipients[1])
        let shown = try host.run("key", "show", "--json").json().elements
        #expect(shown?.count == 1)
        #expect(shown?.first?["recipient"]?.string == recipients[0])
        #expect(shown?.first?["own"] == true)
        #expect(host.run("key").out.hasPrefix(recipients[0]))
        #expect(!host.run("key").out.contains("AGE-SECRET-KEY"))
    }

    @Test func keysGoToANewHostByAFile() throws {
        let old = try HostFixture()
        let key = try old.inbox.keys.makeOwn()
        let path = old.folder.file("saved")
        #expect(try old.run("key", "export", path, "--json").json()["keys"] == 1)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let new = try HostFixture()
        _ = try new.inbox.keys.makeOwn()
        #expect(try new.run("key", "import", path, "--json").json()["imported"] == [.string(key.recipient)])
        #expect(try new.inbox.recipients().last == key.recipient)
        #expect(try new.run("key", "--json").json().elements?.map { $0["own"]?.bool } == [true, false])
        #expect(new.run("key", "export", "-").out.contains(key.identity.text))
    }

    @Test func aFileThatIsThereIsNotWrittenOver() throws {
        let host = try HostFixture()
        _ = try host.inbox.keys.makeOwn()
        let path = try host.folder.write("saved", [1])
        let output = host.run("key", "export", path)
        #expect(output.code == 1)
        #expect(output.log.contains("is there already"))
        #expect(FileManager.default.contents(atPath: path) == Data([1]))
    }

    @Test(
        arguments: [
            (["import"], 2), (["export"], 2), (["show", "x"], 2), (["fly"], 2), (["import", "/none"], 1),
        ] as [([String], Int32)])
    func whatCannotBeDoneIsSaid(words: [String], code: Int32) throws {
        let host = try HostFixture()
        _ = try host.inbox.keys.makeOwn()
        let output = HostFixture.run(["key"] + words + ["--dir", host.folder.path])
        #expect(output.code == code)
        #expect(!output.log.isEmpty)
    }

    @Test func aFileWithoutKeysIsSaidAndNotRepeated() throws {
        let host = try HostFixture()
        let path = try host.folder.write("x", Array("AGE-SECRET-KEY-1NOT\n".utf8))
        let output = host.run("key", "import", path)
        #expect(output.code == 1)
        #expect(output.log.contains("is not a file of age keys"))
        #expect(!output.log.contains("1NOT"))
    }

    @Test func pairingTellsWhatIsSealedTo() throws {
        let host = try HostFixture()
        let running = try RunningHost(folder: host.folder.path, listen: .init(address: "127.0.0.1", port: 0))
        { _ in }
        #expect(try host.run("pair", "--json").json()["recipient"]?.string == running.recipient)
        try running.stop()
    }

    // MARK: Forgetting

    @Test func anUtteranceIsForgottenByTheIDThatTheListPrints() throws {
        let host = try HostFixture()
        try host.store(babble(seconds: 0.5, seed: 1), seq: 1, id: HostFixture.id(0xA1))
        try host.store(babble(seconds: 0.5, seed: 2), seq: 2, id: HostFixture.id(0xA2))
        #expect(host.run("forget", "A1000000").out == "Forgot utterance \(HostFixture.id(0xA1)).")
        #expect(try host.run("list", "--json").json().elements?.map { $0["seq"]?.int } == [2])
        let forgotten = try host.run("list", "--forgotten", "--json").json().elements
        #expect(forgotten?.map { $0["utterance"]?.string } == [HostFixture.id(0xA1)])
        #expect(host.run("list", "--forgotten").out.contains("a1000000"))
        // Once more is no error, and tidies up again.
        #expect(
            try host.run("forget", "a1000000", "--json").json()["forgotten"] == [
                .string(HostFixture.id(0xA1))
            ])
        #expect(host.run("check").code == 0)
    }

    @Test func nothingIsForgottenByASlip() throws {
        let host = try HostFixture()
        try host.store(babble(seconds: 0.5, seed: 1), id: HostFixture.id(0xA1))
        #expect(host.run("forget").code == 2)
        #expect(host.run("forget", "a1").code == 2)
        // The second one is not there: then the first one stays, too.
        #expect(host.run("forget", "a1000000", "b1000000").code == 1)
        #expect(try host.inbox.utterances().count == 1)
        #expect(host.run("list", "--forgotten").out == "No utterance was forgotten.")
        #expect(host.run("list", "--forgotten", "--last", "1").code == 2)
    }
}
