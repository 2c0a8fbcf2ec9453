import CALSA

/// How a device packs a sample. Decoded samples are `Float` in units of a 16-bit step: ±32768 is full scale, so
/// that 16-bit samples pass exactly and wider ones keep what `Float` holds (24 bits).
enum SampleFormat: CaseIterable, Equatable, Sendable {
    /// 32 bits; microphones of 24 bits fill the upper ones.
    case s32
    /// 24 bits in the lower part of 32.
    case s24
    /// 24 bits in three bytes.
    case s24packed
    case s16

    var alsa: snd_pcm_format_t {
        switch self {
        case .s32: SND_PCM_FORMAT_S32_LE
        case .s24: SND_PCM_FORMAT_S24_LE
        case .s24packed: SND_PCM_FORMAT_S24_3LE
        case .s16: SND_PCM_FORMAT_S16_LE
        }
    }

    /// ALSA's own name.
    var name: String {
        switch self {
        case .s32: "S32_LE"
        case .s24: "S24_LE"
        case .s24packed: "S24_3LE"
        case .s16: "S16_LE"
        }
    }

    var bytes: Int {
        switch self {
        case .s32, .s24: 4
        case .s24packed: 3
        case .s16: 2
        }
    }

    /// Decodes `count` samples, all channels alike. Little-endian, as every machine Swift runs on.
    func decode(_ raw: UnsafeRawPointer, count: Int, into samples: UnsafeMutablePointer<Float>) {
        switch self {
        case .s32:
            let words = raw.assumingMemoryBound(to: Int32.self)
            for i in 0..<count { samples[i] = Float(words[i]) * 0x1p-16 }
        case .s24:
            let words = raw.assumingMemoryBound(to: Int32.self)
            for i in 0..<count { samples[i] = Float(words[i] &<< 8) * 0x1p-16 }
        case .s24packed:
            let bytes = raw.assumingMemoryBound(to: UInt8.self)
            for i in 0..<count {
                let low = Int32(bytes[3 &* i]) &<< 8 | Int32(bytes[3 &* i &+ 1]) &<< 16
                samples[i] = Float(low | Int32(bytes[3 &* i &+ 2]) &<< 24) * 0x1p-16
            }
        case .s16:
            let words = raw.assumingMemoryBound(to: Int16.self)
            for i in 0..<count { samples[i] = Float(words[i]) }
        }
    }
}
