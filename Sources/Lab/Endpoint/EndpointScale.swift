/// Maps seconds and dBFS to the drawing's area, and chooses what its axes say.
struct EndpointScale {
    /// Edges of the area in the drawing's units; y grows downwards.
    let left, right, top, bottom: Double
    let seconds: ClosedRange<Double>
    let dbfs: ClosedRange<Double>

    /// A level range that holds all that was heard, in tens; nothing outside −120…+10 is drawn.
    init(_ trace: EndpointTrace, left: Double, right: Double, top: Double, bottom: Double) {
        (self.left, self.right, self.top, self.bottom) = (left, right, top, bottom)
        // No clock of ours reads more; what lies beyond is drawn at the edge.
        let times = trace.points.map(\.seconds).filter { $0.magnitude < 1e9 }
        let first = (times.min() ?? 0) - 0.1
        // A trace of a recording starts at 0; one of a running clock where it starts.
        let start = first < 1 ? min(0, first) : first
        seconds = start...max(times.max() ?? 0, start + 1)
        var lowest = -70.0
        var highest = -5.0
        for point in trace.points {
            for level in [point.dbfs, point.floor, point.threshold].compactMap({ $0 }) where level.isFinite {
                lowest = min(lowest, level)
                highest = max(highest, level)
            }
        }
        let low = max(-120, ((lowest - 2) / 10).rounded(.down) * 10)
        dbfs = low...max(low + 20, min(10, (highest / 10).rounded(.up) * 10))
    }

    func x(_ time: Double) -> Double {
        let inside = min(max(time, seconds.lowerBound), seconds.upperBound)
        return left + (inside - seconds.lowerBound) / (seconds.upperBound - seconds.lowerBound)
            * (right - left)
    }

    func y(_ level: Double) -> Double {
        let inside = min(max(level, dbfs.lowerBound), dbfs.upperBound)
        return bottom - (inside - dbfs.lowerBound) / (dbfs.upperBound - dbfs.lowerBound) * (bottom - top)
    }

    /// At most about a dozen round times.
    var timeMarks: [Double] {
        let span = seconds.upperBound - seconds.lowerBound
        var step = 0.1
        for factor in [2, 2.5, 2, 2, 2.5, 2, 1.5, 2, 2.5, 2, 2, 1.5, 2, 2, 2.5] where span / step > 14 {
            step *= factor
        }
        return marks(in: seconds, step: step)
    }

    var levelMarks: [Double] {
        marks(in: dbfs, step: dbfs.upperBound - dbfs.lowerBound > 60 ? 20 : 10)
    }

    private func marks(in range: ClosedRange<Double>, step: Double) -> [Double] {
        let first = (range.lowerBound / step - 1e-9).rounded(.up)
        let count = (range.upperBound / step + 1e-9).rounded(.down) - first + 1
        guard count >= 1 else { return [] }
        return (0..<Int(min(count, 50))).map { (first + Double($0)) * step }
    }
}
