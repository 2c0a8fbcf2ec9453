import Foundation
import Testing

/// A marker tone into the microphone and a marker text into the settings: neither is found on the card.
@Suite(.serialized) struct MarkerTests {
    private static let text = "marker-QXJ-7310"
    private static let tone = 1000.0

    /// Three seconds at 16 kHz; every stretch of 32 samples that the search looks for is in it.
    private static let sound = Sound(
        rate: 16_000,
        samples: (0..<48_000).map { Int16((12_000 * sin(2 * .pi * tone * Double($0) / 16_000)).rounded()) })

    private static let options = [
        "--format", "wav", "--highpass", "off", "--gain", "0", "--mode", "memo", "--participant", text,
        "--session", text, "--device-name", text,
    ]

    @Test(arguments: [true, false])
    func neitherToneNorTextIsOnTheCardWhileRecordingAfterOrParked(sealed: Bool) async throws {
        let study = try await Study.withHost()
        let device = study.device()
        let paired = try await study.run(
            "lapel",
            ["pair", try await study.pairingURL(), "--outbox-dir", device.path, "--device-name", Self.text])
        #expect(paired.status == 0, "\(paired.errors)")
        try await study.endHost(SIGTERM)
        let options = Self.options + (sealed ? [] : ["--seal", "off"])
        let running = try await device.start(try study.wav(Self.sound), options)
        _ = try await running.press()
        var found: [String] = []
        // In the first chunk, in the tail journal alone; and beyond it.
        for bytes in [20_000, 50_000, 80_000] {
            try await running.untilRecorded(bytes: bytes)
            found += try Self.search(device.path)
        }
        #expect(try await device.lapel("end").status == 0)
        try await running.until("it is kept") { device.recordings("out").count == 1 }
        found += try Self.search(device.path)
        try await running.end()

        // A host that cannot open it, or of the one in the clear: that has another device's key.
        let key = study.hostFolder + "/keys/host.key"
        try FileManager.default.removeItem(atPath: key)
        #expect(try await study.tool("age-keygen", "-o", key).status == 0)
        try await study.startHost()
        let next = try await device.start(study.microphone, options)
        if sealed {
            try await next.until("it is parked") { device.recordings("parked").count == 1 }
        } else {
            try await study.untilStored(1)
        }
        try await next.end()
        found += try Self.search(device.path)
        #expect(sealed ? found.isEmpty : !found.isEmpty, "\(found)")
        // The search finds both where nothing is sealed: each kind, in recording and manifest.
        if !sealed { #expect(Set(found.map { $0.prefix(4) }) == ["text", "byte", "tone"]) }
    }

    /// Where text, samples or tone are found below a folder.
    private static func search(_ folder: String) throws -> [String] {
        let samples = sound.samples[..<16].withUnsafeBytes { Data($0) }
        // As it is, and inside of base64, of which one of three alignments shows its middle.
        let texts =
            [Data(text.utf8), Data(text.utf8.flatMap { [$0, 0] })]
            + (0..<3).map { shift in
                let coded = Data([UInt8](repeating: 0, count: shift) + Array(text.utf8)).base64EncodedData()
                return coded[(shift == 0 ? 0 : 4)..<(coded.count - 4)]
            }
        var found: [String] = []
        for file in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            guard let data = FileManager.default.contents(atPath: folder + "/" + file) else { continue }
            if texts.contains(where: { data.range(of: $0) != nil }) { found.append("text in \(file)") }
            if data.range(of: samples) != nil { found.append("bytes in \(file)") }
            if holdsTone(data) { found.append("tone in \(file)") }
        }
        return found
    }

    /// Whether some stretch of 1024 samples is mostly the tone, by Goertzel's filter: of noise it has a thousandth.
    private static func holdsTone(_ data: Data) -> Bool {
        let bytes = [UInt8](data)
        let coefficient = 2 * cos(2 * .pi * tone / 16_000)
        for start in stride(from: 0, to: bytes.count - 2049, by: 1024) {
            for parity in 0...1 {
                var (before, last, energy) = (0.0, 0.0, 0.0)
                for index in 0..<1024 {
                    let at = start + parity + 2 * index
                    let sample = Double(Int16(bitPattern: UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8))
                    (before, last) = (last, sample + coefficient * last - before)
                    energy += sample * sample
                }
                let power = last * last + before * before - coefficient * last * before
                if energy > 0, power / (energy * 512) > 0.5 { return true }
            }
        }
        return false
    }
}
