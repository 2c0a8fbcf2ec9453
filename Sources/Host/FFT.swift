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
        let bits = size.trailingZeroBitCount
        reversed = (0..<size).map { index in
            Int32(truncatingIfNeeded: (0..<bits).reduce(0) { $0 | (index >> $1 & 1) << (bits - 1 - $1) })
        }
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
        real.withUnsafeMutableBufferPointer { re in
            imaginary.withUnsafeMutableBufferPointer { im in
                cosines.withUnsafeBufferPointer { cosines in
                    sines.withUnsafeBufferPointer { sines in
                        order(re, im)
                        var half = 1
                        while half < size {
                            stage(re, im, cosines, sines, half)
                            half *= 2
                        }
                    }
                }
            }
        }
    }

    private func order(_ re: UnsafeMutableBufferPointer<Float>, _ im: UnsafeMutableBufferPointer<Float>) {
        for index in 0..<size {
            let other = Int(reversed[index])
            if other > index {
                re.swapAt(index, other)
                im.swapAt(index, other)
            }
        }
    }

    /// Joins transforms of `half` values to transforms of twice as many.
    private func stage(
        _ re: UnsafeMutableBufferPointer<Float>, _ im: UnsafeMutableBufferPointer<Float>,
        _ cosines: UnsafeBufferPointer<Float>, _ sines: UnsafeBufferPointer<Float>, _ half: Int
    ) {
        let step = size / (2 * half)
        var start = 0
        while start < size {
            for k in 0..<half {
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
            }
            start += 2 * half
        }
    }
}
