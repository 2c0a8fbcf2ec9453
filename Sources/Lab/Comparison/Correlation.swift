/// Where one signal lies in another.
enum Correlation {
    /// The lag at which `part`, moved right by it, has the largest inner product with `whole`; lags in `lags`.
    /// Nil when no lag in the range makes the two overlap, or when either is silent.
    static func bestLag(of part: [Float], in whole: [Float], lags: ClosedRange<Int>) -> Int? {
        guard !part.isEmpty, !whole.isEmpty else { return nil }
        let possible = lags.clamped(to: (1 - part.count)...(whole.count - 1))
        let fft = FFT(size: FFT.size(for: part.count + whole.count))
        let products = product(part, whole, fft)
        var best: (lag: Int, value: Float)?
        for lag in possible where lags.contains(lag) {
            let value = products[lag >= 0 ? lag : fft.size + lag]
            if value > best?.value ?? 0 { best = (lag, value) }
        }
        return best?.lag
    }

    /// Inner products at all lags, circular: lag k stands at k, lag −k at size − k. Up to a factor.
    ///
    /// Both real signals go through one complex transform: `whole` as its real part, `part` as its imaginary one.
    private static func product(_ part: [Float], _ whole: [Float], _ fft: FFT) -> [Float] {
        let n = fft.size
        var re = whole + [Float](repeating: 0, count: n - whole.count)
        var im = part + [Float](repeating: 0, count: n - part.count)
        fft.transform(&re, &im)
        var outRe = [Float](repeating: 0, count: n)
        var outIm = [Float](repeating: 0, count: n)
        for k in 0..<n {
            let m = (n - k) & (n - 1)
            // W = (Z(k) + conj Z(-k)) / 2, P = (Z(k) - conj Z(-k)) / 2i
            let wr = (re[k] + re[m]) / 2
            let wi = (im[k] - im[m]) / 2
            let pr = (im[k] + im[m]) / 2
            let pi = (re[m] - re[k]) / 2
            // conj(W · conj P): a forward transform of it is the inverse one of W · conj P, conjugated.
            outRe[k] = wr * pr + wi * pi
            outIm[k] = -(wi * pr - wr * pi)
        }
        fft.transform(&outRe, &outIm)
        return outRe
    }

    /// Pearson's r; 0 when either side is constant.
    static func pearson(_ a: [Float], _ b: [Float]) -> Double {
        let n = Double(min(a.count, b.count))
        guard n > 1 else { return 0 }
        var sums = (a: 0.0, b: 0.0)
        for (x, y) in zip(a, b) {
            sums.a += Double(x)
            sums.b += Double(y)
        }
        let means = (a: sums.a / n, b: sums.b / n)
        var (aa, bb, ab) = (0.0, 0.0, 0.0)
        for (x, y) in zip(a, b) {
            let (dx, dy) = (Double(x) - means.a, Double(y) - means.b)
            aa += dx * dx
            bb += dy * dy
            ab += dx * dy
        }
        return aa > 0 && bb > 0 ? ab / (aa * bb).squareRoot() : 0
    }
}
