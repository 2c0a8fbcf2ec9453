extension Duration {
    /// Whole frames at `rate` frames per second in this time, to the nearest; negative before zero.
    func frames(at rate: Int) -> Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * rate + Int((Double(attoseconds) * 1e-18 * Double(rate)).rounded())
    }

    /// Whole milliseconds, rounded up, at least 0: a time-out for `poll`.
    var pollTimeout: Int32 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let milliseconds =
            min(seconds, 1_000_000) * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int32(milliseconds)
    }
}
