import Glibc

/// The discrete Fourier transform of 2^n complex values: iterative radix 2 (Cooley, Tukey 1965).
struct FFT: Sendable {
    let size: Int
    private let cosines: [Float]
    private let sines: [Float]
    private let reversed: [Int32]

    /// `size` is a power of two, at least 2.
    init(size: Int) {
        precondition(size >= 2 && size & (size - 1) == 0, "a transform's size is a power of two")
        self.size = size
        cosines = (0..<size / 2).map { Float(cos(2 * Double.pi * Double($0) / Double(size))) }
        sines = (0..<size / 2).map { Float(-sin(2 * Double.pi * Double($0) / Double(size))) }
        let top = Int32(size / 2)
        var reversed = [Int32](repeating: 0, count: size)
        for index in 1..<size { reversed[index] = reversed[index / 2] / 2 + (index % 2 == 0 ? 0 : top) }
        self.reversed = reversed
    }

    /// The smallest size that holds `count` values.
    static func size(for count: Int) -> Int {
        var size = 2
        while size < count { size *= 2 }
        return size
    }

    /// In place; both arrays have `size` values. No scaling.
    func transform(_ real: inout [Float], _ imaginary: inout [Float]) {
        precondition(
            real.count == size && imaginary.count == size, "a transform takes as many values as its size")
        for index in 0..<size {
            let other = Int(reversed[index])
            if other > index {
                real.swapAt(index, other)
                imaginary.swapAt(index, other)
            }
        }
        var half = 1
        while half < size {
            join(&real, &imaginary, cosines, sines, half)
            half *= 2
        }
    }

    /// Joins transforms of `half` values to transforms of twice as many.
    private func join(
        _ re: UnsafeMutablePointer<Float>, _ im: UnsafeMutablePointer<Float>, _ cosines: UnsafePointer<Float>,
        _ sines: UnsafePointer<Float>, _ half: Int
    ) {
        let step = size / (2 * half)
        var start = 0
        while start < size {
            var k = 0
            while k < half {
                let c = cosines[k * step]
                let s = sines[k * step]
                let a = start + k
                let b = a + half
                let r = re[b] * c - im[b] * s
                let i = re[b] * s + im[b] * c
                re[b] = re[a] - r
                im[b] = im[a] - i
                re[a] += r
                im[a] += i
                k += 1
            }
            start += 2 * half
        }
    }
}
