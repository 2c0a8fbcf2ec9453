import Foundation
import TestSupport
import Testing
import Wire

@testable import Device

/// A device without a clock of its own: the wall clock stands at 1970, is set in mid-recording, goes back an hour.
@Suite struct WallClockTests {
    /// Seconds of the wall clock at the press, and by how many it is set before the end.
    struct Wall: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let press: Int64
        let jump: Int64
    }

    private static let walls = [
        Wall(testDescription: "right", press: 1_800_000_000, jump: 0),
        Wall(testDescription: "1970", press: 3, jump: 0),
        Wall(testDescription: "1970, then set", press: 3, jump: 1_800_000_000),
        Wall(testDescription: "a day ahead", press: 1_800_086_400, jump: -86_400),
        Wall(testDescription: "a day behind", press: 1_799_913_600, jump: 86_400),
        Wall(testDescription: "26 years ahead", press: 2_620_000_000, jump: -820_000_000),
        Wall(testDescription: "26 years behind", press: 980_000_000, jump: 820_000_000),
        Wall(testDescription: "summer time ends", press: 1_800_000_000, jump: -3600),
        Wall(testDescription: "a leap second", press: 1_800_000_000, jump: -1),
    ]

    /// A recording of 4 s whose machine slept for a minute before it.
    private func manifest(_ wall: Wall) throws -> Manifest {
        let name = try #require(ItemName(seq: 7, id: String(repeating: "ab", count: 16)))
        func clocks(_ now: Duration, _ jump: Int64) -> Clocks {
            Clocks(
                now: now, boot: now + .seconds(60), wall: .seconds(wall.press + jump) + now - .seconds(1))
        }
        var manifest = RecordingForm().head(
            name, press: .seconds(1), clocks: clocks(.seconds(1) + .milliseconds(90), 0))
        manifest.complete(
            with: .of(frames: 64_000), frames: 64_000, dropped: 0, bytes: 1, sha256: "",
            clocks: clocks(.seconds(5) + .milliseconds(20), wall.jump))
        manifest.wallSynchronised = nil
        return manifest
    }

    @Test(arguments: walls) func nothingButTheNoteOfItDependsOnTheWallClock(wall: Wall) throws {
        var manifest = try manifest(wall)
        #expect(manifest.start.wall == wall.press * 1_000_000_000)
        #expect(manifest.end?.wall == (wall.press + wall.jump + 4) * 1_000_000_000)
        var right = try self.manifest(Self.walls[0])
        manifest.start.wall = 0
        manifest.end?.wall = 0
        right.start.wall = 0
        right.end?.wall = 0
        #expect(manifest == right)
        #expect(manifest.end.map { $0.boot - manifest.start.boot } == 4_000_000_000)
        #expect(manifest.start.boot - manifest.start.monotonic == 60_000_000_000)
        #expect(manifest.seconds == 4)
    }

    @Test(arguments: walls) func aManifestOfAnyTimeIsReadBack(wall: Wall) throws {
        let manifest = try manifest(wall)
        #expect(try Manifest(parsing: manifest.encoded()) == manifest)
    }

    /// Decisions take their time as an argument, and it comes from the monotonic clock: the wall clock is read where it
    /// is written down, and where a person is told of it.
    @Test func theDeviceReadsTheWallClockOnlyToWriteItDownAndToShowIt() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources")
        let targets = [
            "Device", "DeviceSettings", "DeviceTools", "HostLink", "Shipper", "Outbox", "DurableFiles",
            "Turn",
            "EndOfSpeech", "ALSAAudio", "Hardware", "DeviceMachine",
            "GPIOPanel", "InputButton", "Simulator", "Sealing", "Identity", "Wire", "Cues", "Service",
        ]
        let marks = [
            "MonotonicClock.wall", "CLOCK_REALTIME", "gettimeofday", "time(nil", "Date(", "localtime",
            "strftime",
        ]
        var places: [String] = []
        for target in targets {
            let folder = root.appendingPathComponent(target)
            for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            where file.hasSuffix(".swift") {
                let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
                for line in text.split(separator: "\n") where marks.contains(where: { line.contains($0) }) {
                    if !line.contains("wallIsSynchronised") { places.append("\(target)/\(file)") }
                }
            }
        }
        #expect(places.sorted() == ["Device/Recorder/Ledger.swift", "DeviceTools/Doctor/DoctorProbe.swift"])
    }
}
