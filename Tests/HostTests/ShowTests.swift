import Foundation
import Inbox
import Terminal
import TestSupport
import Testing
import Wire

@testable import Host

@Suite struct ShowTests {
    private func manifest(_ levels: String) -> Manifest {
        var manifest = Manifest(
            utterance: HostFixture.id(1), seq: 1, start: .init(monotonic: 0, boot: 0, wall: 0),
            format: "opus", rate: 16_000,
            channels: 1)
        manifest.readings = levels.map { .init(dbfs: $0 == "#" ? -6 : $0 == "+" ? -30 : -70, marks: 0) }
        return manifest
    }

    /// `#` loud, `+` speech, `.` room; two columns a reading.
    @Test func thePlotMarksWhereSpeechEnded() throws {
        let plot = try #require(LevelPlot(manifest("......#####++....."), columns: 80))
        #expect(
            plot.lines == [
                "   0 dB             ▄▄▄▄▄▄▄▄▄▄              ",
                "                    ██████████              ",
                " −24 dB             ██████████▄▄▄▄          ",
                "                    ██████████████          ",
                " −48 dB             ██████████████          ",
                "        ▁▁▁▁▁▁▁▁▁▁▁▁██████████████▁▁▁▁▁▁▁▁▁▁",
                "        ━━━━━━━━━━━━━━━━━━━━━━━━┻──────────┤",
                "        0                              1.8 s",
            ])
    }

    /// A manifest may say anything.
    @Test func impossibleLevelsAndTimesAreShown() throws {
        var manifest = manifest("..#")
        manifest.readings[0].dbfs = 1e300
        manifest.readings[1].dbfs = -1e300
        #expect(try #require(LevelPlot(manifest, columns: 80)).lines.count == 8)
        for seconds in [1e300, -1e300, 9.3e18, .infinity, .nan] { #expect(!Figures.seconds(seconds).isEmpty) }
    }

    @Test func nothingThatADeviceSentControlsTheTerminal() throws {
        let host = try HostFixture()
        var manifest = manifest("..##..")
        manifest.participant = "P\u{1B}[2J\u{7}\u{202E}7"
        manifest.endReason = "by\u{9B}31m\nnobody"
        try host.receive(manifest.utterance, .manifest, manifest.encoded(), 1, "json")
        for output in [host.run("show", manifest.utterance), host.run("list")] {
            #expect(output.code == 0)
            let controls = output.out.unicodeScalars.filter { $0.properties.generalCategory == .control }
            #expect(controls.allSatisfy { $0 == "\n" })
        }
        #expect(host.run("show", manifest.utterance).out.contains("P\u{FFFD}[2J\u{FFFD}\u{FFFD}7"))
    }

    @Test(arguments: [10, 20, 80, 200])
    func thePlotFitsItsWidth(columns: Int) throws {
        let plot = try #require(LevelPlot(manifest(String(repeating: "..##", count: 200)), columns: columns))
        #expect(plot.lines.allSatisfy { $0.count <= max(columns, 20) })
    }

    @Test func withoutReadingsThereIsNoPlot() {
        #expect(LevelPlot(manifest(""), columns: 80) == nil)
    }

    @Test(arguments: [
        (0.0, "0.0 s"), (4.26, "4.3 s"), (59.94, "59.9 s"), (60, "1 min 00 s"), (125.4, "2 min 05 s"),
        (-0.04, "0.0 s"),
    ])
    func secondsAreWrittenForPeople(value: Double, text: String) {
        #expect(Figures.seconds(value) == text)
    }

    @Test(arguments: [(0, "0 B"), (999, "999 B"), (14_240, "14.2 kB"), (3_100_000, "3.1 MB")])
    func bytesAreWrittenForPeople(count: Int, text: String) {
        #expect(Figures.bytes(count) == text)
    }

    @Test func aTableHasNoTrailingSpaces() {
        #expect(Table.lines(["A", "LONG"], [["xyz", ""], ["", "y"]]) == ["A    LONG", "xyz", "     y"])
    }

    @Test func aContactTellsTheTimeBetterThanTheDevice() throws {
        let host = try HostFixture()
        let id = try host.store(babble(seconds: 0.2, seed: 1))
        #expect(try time(id, host).source == .unsure)
        #expect(try time(id, host).milliseconds == 1_750_000_000_000)
        // The device's boot clock stands at 5 s now; the utterance began at 0.
        let before = HostClock.system.now().wall / 1_000_000
        host.inbox.noteContact(
            device: HostFixture.pin, clock: LapelClock(bootID: "", boot: 5_000_000_000, monotonic: 0))
        host.inbox.noteContact(
            device: HostFixture.pin,
            clock: LapelClock(bootID: HostFixture.boot, boot: 5_000_000_000, monotonic: 0))
        try host.inbox.storeContacts()
        let known = try time(id, host)
        #expect(known.source == .contact)
        #expect(known.milliseconds >= before - 5000)
        #expect(known.uncertaintyMilliseconds == 0)
    }

    /// boot a (contact) · b (none) · c (contact): the host saw both neighbours within this test's moment.
    @Test func aBootWithoutContactIsTimedByItsNeighbours() throws {
        let host = try HostFixture()
        let begin = HostClock.system.now().wall / 1_000_000
        for (seq, boot) in [(1, "a"), (2, "b"), (3, "c")] as [(UInt64, String)] {
            if boot != "b" {
                host.inbox.noteContact(
                    device: HostFixture.pin, clock: LapelClock(bootID: boot, boot: 0, monotonic: 0))
            }
            var manifest = host.manifest(HostFixture.id(Int(seq)), seq: seq, format: "wav")
            manifest.bootID = boot
            // A clock that was never set.
            manifest.start.wall = 0
            try host.receive(HostFixture.id(Int(seq)), .manifest, manifest.encoded(), seq, "json")
        }
        let end = HostClock.system.now().wall / 1_000_000
        let list = try #require(try host.run("list", "--json").json().elements)
        #expect(list.map { $0["began_source"]?.string } == ["contact", "neighbours", "contact"])
        #expect((begin...end + 1).contains(try time(HostFixture.id(2), host).milliseconds))
        #expect(host.run("show", "2").out.contains("by the device's boots before and after"))
        #expect(!host.run("list").out.contains("1970"))
    }

    private func time(_ id: String, _ host: HostFixture) throws -> UtteranceTime {
        var times = host.inbox.times()
        return try UtteranceTime(of: #require(try host.inbox.utterances(idPrefix: id).first), in: &times)
    }

    @Test(.enabled(if: access("/bin/sh", X_OK) == 0, "a script stands in for the player"))
    func aPlayerGetsTheWholeSound() throws {
        let folder = TemporaryFolder()
        let script =
            "#!/bin/sh\nfor last; do :; done\ncat \"$last\" > '\(folder.file("heard"))'\necho \"$@\" > '\(folder.file("words"))'\nexit 3\n"
        try folder.write("aplay", Array(script.utf8))
        chmod(folder.file("aplay"), 0o755)
        let player = try #require(SoundPlayer.find(output: "hw:1", path: "/nowhere:" + folder.path))
        let code = try player.play { sink in
            try Array("the sound".utf8).withUnsafeBytes { try sink.append($0) }
        }
        #expect(code == 3)
        #expect(try String(contentsOfFile: folder.file("heard"), encoding: .utf8) == "the sound")
        #expect(
            try String(contentsOfFile: folder.file("words"), encoding: .utf8).hasPrefix("-q -D hw:1 /dev/fd/")
        )
    }

    @Test func withoutAPlayerThereIsNone() {
        #expect(SoundPlayer.find(output: nil, path: "/nowhere") == nil)
    }
}
