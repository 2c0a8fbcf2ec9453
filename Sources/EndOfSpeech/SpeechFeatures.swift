import CMath

/// What the network hears: 43 numbers for each 20 ms of 16 kHz sound.
///
/// Twenty mel bands, as they are and over their own floors; periodicity; the level over its floor and against its
/// peak. Floors fall fast and rise slowly, so that they follow the room under the speech. Defined beside the training
/// script, `board/training/features.py`: what is trained must be what is heard.
final class SpeechFeatures {
    static let count = 43
    /// Samples of a frame.
    static let frame = 320

    private static let bands = MelBands.count
    /// The bands' levels, then the level of all.
    private static let levels = MelBands.count + 1

    private let spectrum = PowerSpectrum()
    private let mel = MelBands()
    private let periodicity = Periodicity()
    private let history = FloatMemory(PowerSpectrum.length)
    private let level = FloatMemory(levels)
    private let floors = FloatMemory(levels)
    private var peak: Float = 0
    private var begun = false

    /// Forgets all that was heard.
    func reset() {
        history.clear()
        periodicity.reset()
        begun = false
    }

    /// Level of the room in dB, a full-scale sine being 0; nil before the first frame.
    var floor: Float? { begun ? floors.start[Self.bands] : nil }

    /// Takes the next frame, samples in −1…1, and writes its 43 numbers.
    func take(_ samples: UnsafePointer<Float>, into inputs: UnsafeMutablePointer<Float>) {
        measure(samples)
        let period = periodicity.of(samples)
        follow()

        let (level, floors) = (level.start, floors.start)
        for band in 0..<Self.bands {
            inputs[band] = (level[band] + 60) / 20
            inputs[Self.bands + band] = Self.clip((level[band] - floors[band]) / 10, -1, 4)
        }
        let whole = level[Self.bands]
        inputs[40] = 2 * period - 1
        inputs[41] = Self.clip((whole - floors[Self.bands]) / 10, -1, 4)
        inputs[42] = Self.clip((whole - peak) / 10, -5, 2)
    }

    /// Levels in dB of the frame and the 12 ms before it.
    private func measure(_ samples: UnsafePointer<Float>) {
        let kept = PowerSpectrum.length - Self.frame
        history.start.update(from: history.start + Self.frame, count: kept)
        (history.start + kept).update(from: samples, count: Self.frame)

        let power = spectrum.of(history.start)
        let level = level.start
        mel.apply(power, into: level)
        for band in 0..<Self.bands { level[band] = 10 * lapel_log10f(8 * level[band] + 1e-10) }
        // From 94 Hz on: below is rumble and what a high-pass leaves. Behind the spectrum stand zeros.
        var sums = SIMD16<Float>.zero
        for bin in stride(from: 3, to: PowerSpectrum.bins, by: 16) { sums += power.sixteen(bin) }
        level[Self.bands] = 10 * lapel_log10f(sums.sum() + 1e-10)
    }

    private func follow() {
        let (level, floors) = (level.start, floors.start)
        if !begun {
            begun = true
            floors.update(from: level, count: Self.levels)
            peak = max(level[Self.bands], -60)
        }
        for index in 0..<Self.levels {
            let distance = level[index] - floors[index]
            floors[index] += (distance < 0 ? 0.25 : 0.006) * distance
        }
        let whole = level[Self.bands]
        peak = whole > peak ? peak + 0.2 * (whole - peak) : peak - 0.01
    }

    private static func clip(_ x: Float, _ low: Float, _ high: Float) -> Float { min(max(x, low), high) }
}
