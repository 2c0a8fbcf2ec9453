import EndOfSpeech

// The probabilities of speech, frame by frame, in a band under the level.
extension EndpointPlot {
    private static let probability = "#7b4ea3"

    mutating func drawProbabilities() {
        let band = Self.band
        func y(_ probability: Double) -> Double { band.bottom - probability * (band.bottom - band.top) }
        for mark in [0.0, 0.5, 1.0] {
            drawing.line(from: (scale.left, y(mark)), to: (scale.right, y(mark)), stroke: Self.grid)
        }
        for (words, mark) in [("100 %", 1.0), ("0", 0.0)] {
            drawing.text(words, x: scale.left - 10, y: y(mark) + 4, size: 12, anchor: .end, fill: Self.soft)
        }
        if let (on, off) = trace.rule.probabilityThresholds {
            drawing.line(
                from: (scale.left, y(on)), to: (scale.right, y(on)), stroke: Self.threshold, width: 1.4)
            drawing.line(
                from: (scale.left, y(off)), to: (scale.right, y(off)), stroke: Self.threshold, width: 1,
                dashes: "3 4")
        }
        drawing.path(frames(y), stroke: Self.probability, width: 1.4)
        drawing.text(
            "probability of speech", x: scale.right, y: band.top - 5, size: 12, anchor: .end,
            fill: Self.probability)
    }

    /// A step for each frame; interrupted where nothing was heard.
    private func frames(_ y: (Double) -> Double) -> [[(x: Double, y: Double)]] {
        var lines: [[(x: Double, y: Double)]] = [[]]
        for (index, point) in trace.points.enumerated() {
            guard let frames = point.frames, point.seconds.isFinite else {
                if lines.last?.isEmpty == false { lines.append([]) }
                continue
            }
            let start = start(of: index)
            let length = (point.seconds - start) / Double(SpeechFrames.count)
            for frame in 0..<SpeechFrames.count {
                let height = y(Double(frames[frame]) / 255)
                let left = start + Double(frame) * length
                lines[lines.count - 1] += [(scale.x(left), height), (scale.x(left + length), height)]
            }
        }
        return trace.points.count * SpeechFrames.count > Self.mostSteps ? lines.map(thinned) : lines
    }
}
