import Foundation

/// Signals for tests, in units of full scale, and what is found in a recording.
enum Tone {
    /// A sine of `frequency` hertz and peak `amplitude`.
    static func sine(_ frequency: Double, rate: Int, count: Int, amplitude: Double = 0.5) -> [Double] {
        (0..<count).map { amplitude * sin(2 * .pi * frequency * Double($0) / Double(rate)) }
    }

    /// Peak amplitude, in units of full scale, of `frequency` in 16-bit samples: one bin of a Fourier transform.
    static func amplitude(of frequency: Double, in samples: some Collection<Int16>, rate: Int) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for (i, sample) in samples.enumerated() {
            let phase = 2 * .pi * frequency * Double(i) / Double(rate)
            real += Double(sample) * cos(phase)
            imaginary += Double(sample) * sin(phase)
        }
        return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(samples.count) / 32_768
    }

    /// RMS in units of full scale.
    static func rms(_ samples: some Collection<Int16>) -> Double {
        (samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)).squareRoot() / 32_768
    }
}

/// A ratio of amplitudes in decibels.
func decibels(_ ratio: Double) -> Double { 20 * log10(ratio) }
