import AudioFiles
import Foundation
import Host
import Inbox
import LocalInbox
import Sealing
import TestSupport
import Testing
import Wire

/// What comes sealed, and the commands that open it.
@Suite struct SealedTests {
    /// Encoded as a device does it while it seals: no size is ever patched.
    private func encoded(_ samples: [Int16], _ format: AudioFormat) throws -> [UInt8] {
        let sink = GrowingSink()
        let encoder = try AudioEncoder(format: format, rate: 16_000, channels: 1, sink: sink)
        try samples.withUnsafeBufferPointer { try encoder.write($0) }
        try encoder.finish()
        return sink.bytes
    }

    /// Stores a sealed utterance.
    private func store(
        _ host: HostFixture, _ sound: [UInt8], format: AudioFormat, id: String = HostFixture.id(1)
    ) throws {
        let key = try host.inbox.keys.makeOwn().identity.recipient
        let audio = AgeSealer.seal(sound, to: [key])
        var manifest = host.manifest(id, format: format.rawValue)
        manifest.sha256 = SHA256.digest(of: audio).hex
        manifest.bytes = audio.count
        try host.receive(id, .manifest, AgeSealer.seal(manifest.encoded(), to: [key]), 1, "json.age")
        try host.receive(id, .audio, audio, 1, format.rawValue + ".age")
    }

    @Test(arguments: AudioFormat.allCases)
    func aSealedRecordingIsPlayedComparedShownAndChecked(format: AudioFormat) throws {
        let host = try HostFixture()
        let samples = babble(seconds: 2, seed: 1)
        try store(host, encoded(samples, format), format: format)
        let played = host.run("play", "1", "--to", host.folder.file("x.wav"))
        #expect(played.code == 0, "\(played.log)")
        let sound = try AudioFile.read(host.folder.file("x.wav"))
        #expect(abs(sound.seconds - 2) < 0.001)
        // Its sizes are real ones.
        let size = try #require(FileManager.default.contents(atPath: host.folder.file("x.wav"))?.count)
        #expect(try WAVFile.header(host.folder.file("x.wav")).frames * 2 + 44 == size)
        let same = try host.folder.write("same.wav", WAVBytes.make(samples, rate: 16_000))
        let comparison = host.lab("compare", "1", same, "--json")
        #expect(comparison.code == 0, "\(comparison.log)")
        #expect(try comparison.json()["identical"]?.bool == (format != .opus))
        #expect(try host.run("list", "--json").json().elements?.first?["sealed"] == true)
        #expect(host.run("show", "1").out.contains("sealed; `lapel-host play` opens it"))
        #expect(host.run("check").code == 0)
    }

    @Test func aRecordingThatNoKeyOpensIsSaidWithItsName() throws {
        let host = try HostFixture()
        try store(host, encoded(babble(seconds: 0.5, seed: 1), .wav), format: .wav)
        try FileManager.default.removeItem(atPath: host.inbox.folder.keys + "/host.key")
        let played = host.run("play", "1", "--to", host.folder.file("x.wav"))
        #expect(played.code == 1)
        #expect(played.log.contains(".wav.age is sealed to a key that this host does not hold"))
        #expect(!FileManager.default.fileExists(atPath: host.folder.file("x.wav")))
        let check = host.run("check", "--json")
        #expect(check.code == 1)
        #expect(try check.json()["problems"]?.elements?.first?["kind"] == "sealed")
    }

    @Test func whatCannotBeDecodedIsSaidWithTheStoredName() throws {
        let host = try HostFixture()
        try store(host, Array("no sound".utf8), format: .opus)
        let played = host.run("play", "1", "--to", host.folder.file("x.wav"))
        #expect(played.code == 1)
        #expect(played.log.contains(".opus.age"))
        #expect(!played.log.contains("/proc"))
    }

    /// A device that lost its power in the middle of a sentence: where the part file was cut, in plain bytes.
    @Test(arguments: AudioFormat.allCases, [0.3, 0.7, 1])
    func aCutRecordingIsPutTogetherToASoundThatPlays(format: AudioFormat, fraction: Double) throws {
        let host = try HostFixture()
        let samples = babble(seconds: 8, seed: 1)
        let sink = GrowingSink()
        let encoder = try AudioEncoder(format: format, rate: 16_000, channels: 1, sink: sink)
        try samples.withUnsafeBufferPointer { try encoder.write($0) }
        let plain = Array(sink.bytes[..<Int(Double(sink.bytes.count) * fraction)])
        let inbox = try Inbox(folder: host.folder.path, salvage: salvageRecording)
        let key = try inbox.keys.makeOwn().identity.recipient
        let id = HostFixture.id(1)
        var sealer = AgeSealer(to: [key])
        var part = sealer.header
        plain.withUnsafeBytes { bytes in sealer.seal(bytes) { part += $0 } }
        let tail = sealer.withBuffered { rest in
            TailJournal.record(
                utterance: Hex.decode(id) ?? [], position: sealer.taken - rest.count, rest, to: [key])
        }
        let head = host.manifest(id, format: format.rawValue)
        try host.receive(id, .manifest, AgeSealer.seal(head.encoded(), to: [key]), 1, "json.age", into: inbox)
        try host.receive(id, .audio, part, 1, format.rawValue + ".age", into: inbox)
        try host.receive(id, .tail, tail, 1, "tail", into: inbox)
        let shown = try host.run("show", "1", "--json").json()
        #expect(shown["state"] == "stored")
        #expect(shown["manifest"]?["recovered"] == true)
        #expect(shown["end_reason"] == "recovered")
        #expect(host.run("play", "1", "--to", host.folder.file("x.wav")).code == 0)
        let sound = try AudioFile.read(host.folder.file("x.wav"))
        // To the last page, block or sample that was whole.
        #expect(abs(sound.seconds - 8 * fraction) < 1.1, "\(sound.seconds) s of \(8 * fraction)")
        #expect(abs(sound.seconds - (shown["seconds"]?.double ?? 0)) < 0.05)
        #expect(host.run("check").code == 0, "\(host.run("check").out)")
    }
}

/// Takes what an encoder appends; a sealed file cannot be patched.
private final class GrowingSink: ByteSink {
    var bytes: [UInt8] = []
    var patchable: Bool { false }

    func append(_ more: UnsafeRawBufferPointer) { bytes += more }

    func overwrite(_ other: UnsafeRawBufferPointer, at offset: Int) {}
}
