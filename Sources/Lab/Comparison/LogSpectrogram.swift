import Glibc

/// The log-spectrogram that tells whether two recordings hold the same sound whatever a codec did to the wave:
/// Hann frames of 25 ms every 10 ms, 0 to 4 kHz; magnitudes of the unscaled transform (samples within ±1) not below
/// 1e-4.
struct LogSpectrogram: Sendable {
    static let frame = ComparedSound.rate / 40
    static let hop = ComparedSound.rate / 100
    private static let floor: Float = 1e-4

    private let fft = FFT(size: 512)
    private let window: [Float]
    /// Bins up to 4 kHz.
    private let bins: Int

    init() {
        window = (0..<Self.frame).map { index in
            Float(0.5 - 0.5 * cos(2 * Double.pi * (Double(index) + 0.5) / Double(Self.frame)))
        }
        bins = fft.size * 4000 / ComparedSound.rate + 1
    }

    /// The cells of two signals of one length, frame by frame.
    ///
    /// Both go through one complex transform, one as its real and one as its imaginary part.
    func cells(_ a: [Float], _ b: [Float]) -> (a: [Float], b: [Float]) {
        var cells: (a: [Float], b: [Float]) = ([], [])
        let frames = max(0, (min(a.count, b.count) - Self.frame) / Self.hop + 1)
        cells.a.reserveCapacity(frames * bins)
        cells.b.reserveCapacity(frames * bins)
        let n = fft.size
        for frame in 0..<frames {
            var re = [Float](repeating: 0, count: n)
            var im = re
            let start = frame * Self.hop
            for k in 0..<Self.frame {
                re[k] = a[start + k] * window[k]
                im[k] = b[start + k] * window[k]
            }
            fft.transform(&re, &im)
            for k in 0..<bins {
                let m = (n - k) & (n - 1)
                let (ar, ai) = ((re[k] + re[m]) / 2, (im[k] - im[m]) / 2)
                let (br, bi) = ((im[k] + im[m]) / 2, (re[m] - re[k]) / 2)
                cells.a.append(log(max((ar * ar + ai * ai).squareRoot(), Self.floor)))
                cells.b.append(log(max((br * br + bi * bi).squareRoot(), Self.floor)))
            }
        }
        return cells
    }
}
