import AudioFiles
import Foundation

/// A sound of one channel, to be played into the microphone.
struct Sound: Sendable {
    let rate: Int
    let samples: [Int16]

    /// A recording that ships with the project: `board/samples/NAME.wav`.
    static func sample(_ name: String, file: String = #filePath) throws -> Sound {
        let root = URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let wav = try WAVFile(path: root.appendingPathComponent("board/samples/\(name).wav").path)
        return Sound(rate: wav.rate, samples: wav.samples)
    }

    /// Half a second of quiet room, then speech to the end: 2 s, and enough speech to be sent.
    static func phrase() throws -> Sound { try sample("sentence-1").part(0.4..<2.4) }

    static func silence(seconds: Double) -> Sound {
        Sound(rate: 16_000, samples: [Int16](repeating: 0, count: Int(seconds * 16_000)))
    }

    func part(_ seconds: Range<Double>) -> Sound {
        let first = Int(seconds.lowerBound * Double(rate))
        let last = Int(seconds.upperBound * Double(rate))
        return Sound(rate: rate, samples: Array(samples[first..<min(last, samples.count)]))
    }

    /// By straight lines between the samples: plain, and good enough for speech below 4 kHz.
    func resampled(to newRate: Int) -> Sound {
        let count = samples.count * newRate / rate
        let step = Double(rate) / Double(newRate)
        return Sound(
            rate: newRate,
            samples: (0..<count).map { index in
                let at = Double(index) * step
                let left = Int(at)
                let right = min(left + 1, samples.count - 1)
                let part = at - Double(left)
                return Int16(Double(samples[left]) * (1 - part) + Double(samples[right]) * part)
            })
    }

    /// As a WAV file of whole numbers, every channel the same.
    func wav(bits: Int, channels: Int = 1) -> [UInt8] {
        var data: [UInt8] = []
        data.reserveCapacity(samples.count * channels * bits / 8)
        for sample in samples {
            let wide = UInt32(bitPattern: Int32(sample) << 16)
            for _ in 0..<channels {
                for byte in (4 - bits / 8)..<4 { data.append(UInt8(wide >> (8 * byte) & 0xFF)) }
            }
        }
        return Self.file(code: 1, rate: rate, bits: bits, channels: channels, data: data)
    }

    /// As a WAV file of 32-bit floats.
    func floatWAV() -> [UInt8] {
        let data = samples.flatMap { Self.bytes((Float($0) / 32768).bitPattern) }
        return Self.file(code: 3, rate: rate, bits: 32, channels: 1, data: data)
    }

    private static func file(code: UInt16, rate: Int, bits: Int, channels: Int, data: [UInt8]) -> [UInt8] {
        let frame = channels * bits / 8
        var head = Array("RIFF".utf8) + bytes(UInt32(36 + data.count)) + Array("WAVEfmt ".utf8)
        head += bytes(UInt32(16)) + bytes(code) + bytes(UInt16(channels)) + bytes(UInt32(rate))
        head += bytes(UInt32(rate * frame)) + bytes(UInt16(frame)) + bytes(UInt16(bits))
        return head + Array("data".utf8) + bytes(UInt32(data.count)) + data
    }

    private static func bytes<N: FixedWidthInteger>(_ number: N) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}
