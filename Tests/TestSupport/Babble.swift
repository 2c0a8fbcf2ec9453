/// 16-bit WAV files by hand.
package enum WAVBytes {
    package static func make(_ samples: [Int16], rate: Int, channels: Int = 1) -> [UInt8] {
        func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let size = samples.count * 2
        var bytes =
            Array("RIFF".utf8) + word(36 + size) + Array("WAVEfmt ".utf8) + word(16) + [
                1, 0, UInt8(channels), 0,
            ]
        bytes +=
            word(rate) + word(rate * channels * 2) + [UInt8(channels * 2), 0, 16, 0] + Array("data".utf8)
            + word(size)
        for sample in samples {
            bytes += [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
        }
        return bytes
    }
}

/// Sounds that differ from moment to moment, as speech does: noise in syllables of two colours.
package func babble(seconds: Double, rate: Int = 16_000, seed: UInt64) -> [Int16] {
    var generator = SeededGenerator(seed: seed)
    var samples: [Int16] = []
    var last = 0.0
    while Double(samples.count) < seconds * Double(rate) {
        let length = Int(Double.random(in: 0.05...0.25, using: &generator) * Double(rate))
        let loud = Bool.random(using: &generator) ? Double.random(in: 500...9000, using: &generator) : 20
        let colour = Double.random(in: -0.9...0.95, using: &generator)
        for _ in 0..<length {
            last = colour * last + Double.random(in: -1...1, using: &generator)
            samples.append(Int16(max(-32_768, min(32_767, last * loud))))
        }
    }
    return Array(samples.prefix(Int(seconds * Double(rate))))
}
