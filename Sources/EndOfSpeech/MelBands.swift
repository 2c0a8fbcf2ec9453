import CMath

/// Twenty triangular bands from 80 to 7,600 Hz, evenly spaced on the mel scale 2595·log10(1 + f/700) (O'Shaughnessy,
/// Speech Communication, 1987), each with weights that sum to one.
struct MelBands {
    static let count = 20

    private struct Band {
        let first: Int
        let start: Int
        /// A multiple of sixteen; weights past the triangle are zero.
        let length: Int
    }

    private let bands: [Band]
    private let weights: FloatMemory

    init() {
        let mel = { (f: Double) in 2595 * lapel_log10(1 + f / 700) }
        let hertz = { (m: Double) in 700 * (lapel_pow10(m / 2595) - 1) }
        let (low, high) = (mel(80), mel(7600))
        let edges = (0..<Self.count + 2).map {
            hertz(low + (high - low) * Double($0) / Double(Self.count + 1))
        }
        var (bands, all) = ([Band](), [Float]())
        for band in 0..<Self.count {
            let (left, centre, right) = (edges[band], edges[band + 1], edges[band + 2])
            let heights = (0..<PowerSpectrum.bins).map { bin -> Double in
                let f = Double(bin) * 16_000 / Double(PowerSpectrum.length)
                return max(0, min((f - left) / (centre - left), (right - f) / (right - centre)))
            }
            let inside = heights.indices.filter { heights[$0] > 0 }
            let (first, last) = (inside.first ?? 0, inside.last ?? 0)
            let sum = heights.reduce(0, +)
            let length = (last - first + 16) / 16 * 16
            bands.append(Band(first: first, start: all.count, length: length))
            // Past the spectrum stand zeros; no band reaches farther than they do.
            all += (first..<first + length).map { $0 <= last ? Float(heights[$0] / sum) : 0 }
        }
        self.bands = bands
        weights = FloatMemory(all)
    }

    /// Mean power of each band, weighted.
    func apply(_ spectrum: UnsafePointer<Float>, into powers: UnsafeMutablePointer<Float>) {
        let weights = UnsafePointer(weights.start)
        bands.withUnsafeBufferPointer { bands in
            for (index, band) in bands.enumerated() {
                powers[index] = (weights + band.start).dot(spectrum + band.first, band.length)
            }
        }
    }
}
