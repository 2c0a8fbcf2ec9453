import EndOfSpeech
import Glibc
import Terminal

/// Draws what a rule saw of one input: the level, the floor and the threshold it was judged by, the probabilities of
/// speech where a rule goes by them, what counted as speech, what was not judged, and the end.
struct EndpointPlot {
    // Told apart by readers who see few colours: Okabe and Ito, Color Universal Design (2008), and greys.
    static let ink = "#1f2328"
    static let soft = "#59636e"
    static let grid = "#e4e7eb"
    private static let level = "#0b4f8a"
    private static let unheard = "#a9b4bf"
    static let floor = "#009e73"
    static let threshold = "#d55e00"
    static let speech = "#56b4e9"
    private static let calibration = "#8c959f"
    private static let end = "#b3261e"
    private static let marked = "#cc79a7"
    /// More readings than this are drawn as the range of each column.
    static let mostSteps = 1800

    /// Where the probabilities stand, under the level, when there are some.
    static let band = (top: 312.0, bottom: 356.0)
    private static let lowest = band.bottom

    let trace: EndpointTrace
    let scale: EndpointScale
    var drawing: SVGDrawing

    init(_ trace: EndpointTrace) {
        self.trace = trace
        scale = EndpointScale(
            trace, left: 70, right: 976, top: 96,
            bottom: trace.hasProbabilities ? Self.band.top - 24 : Self.lowest)
        drawing = SVGDrawing(width: 1000, height: 452, title: "End of speech in \(trace.input.name)")
        drawing.rectangle(x: 0, y: 0, width: 1000, height: 452, fill: "#ffffff")
        drawSpans()
        drawAxes()
        drawLevel()
        if trace.hasProbabilities { drawProbabilities() }
        drawEnd()
        drawHead()
        drawLegend()
    }

    var document: String { drawing.document }

    /// Replaces what is at the path.
    func write(to path: String) throws {
        func failure() -> EndpointError {
            .plotNotWritten(path: path, reason: String(cString: strerror(errno)))
        }
        guard let file = fopen(path, "we") else { throw failure() }
        let written = fputs(document, file) >= 0
        let failed = failure()
        guard fclose(file) == 0 else { throw failure() }
        guard written else { throw failed }
    }

    // MARK: - Parts, back to front

    private mutating func drawSpans() {
        drawSpans(Self.calibration, 0.18) { $0.judgement == .calibrating }
        drawSpans(Self.speech, 0.32) { $0.judgement == .speech }
        drawSpans(Self.marked, 0.25) { $0.isMarked }
    }

    private mutating func drawSpans(
        _ fill: String, _ opacity: Double, where fits: (EndpointTrace.Point) -> Bool
    ) {
        for span in spans(where: fits) {
            let left = scale.x(span.lowerBound)
            drawing.rectangle(
                x: left, y: scale.top, width: scale.x(span.upperBound) - left,
                height: Self.lowest - scale.top, fill: fill, opacity: opacity)
        }
    }

    private mutating func drawAxes() {
        for mark in scale.levelMarks {
            let y = scale.y(mark)
            drawing.line(from: (scale.left, y), to: (scale.right, y), stroke: Self.grid)
            drawing.text(
                Figures.fixed(mark, places: 0), x: scale.left - 10, y: y + 4, size: 12, anchor: .end,
                fill: Self.soft)
        }
        let marks = scale.timeMarks
        let places = marks.contains { ($0 - $0.rounded()).magnitude > 1e-6 } ? 1 : 0
        for mark in marks {
            let x = scale.x(mark)
            drawing.line(from: (x, Self.lowest), to: (x, Self.lowest + 5), stroke: Self.soft)
            drawing.text(
                Figures.fixed(mark, places: places), x: x, y: Self.lowest + 20, size: 12,
                anchor: .middle, fill: Self.soft)
        }
        drawing.line(from: (scale.left, Self.lowest), to: (scale.right, Self.lowest), stroke: Self.soft)
        drawing.text(
            "time in s", x: (scale.left + scale.right) / 2, y: Self.lowest + 40, anchor: .middle,
            fill: Self.ink)
        drawing.text(
            "level in dBFS", x: 22, y: (scale.top + scale.bottom) / 2, anchor: .middle, fill: Self.ink,
            turned: true)
    }

    private mutating func drawLevel() {
        drawing.path(steps(\.floor), stroke: Self.floor, width: 1.8, dashes: "7 4")
        drawing.path(steps(\.threshold), stroke: Self.threshold, width: 1.8)
        drawing.path(steps { $0.judgement == nil ? $0.dbfs : nil }, stroke: Self.unheard, width: 1.4)
        drawing.path(steps { $0.judgement == nil ? nil : $0.dbfs }, stroke: Self.level, width: 1.6)
    }

    private mutating func drawEnd() {
        guard let end = trace.rule.end else {
            drawing.text(
                "no end", x: scale.right, y: scale.top - 12, anchor: .end, fill: Self.end, bold: true)
            return
        }
        let x = scale.x(end.seconds)
        drawing.line(from: (x, scale.top - 8), to: (x, Self.lowest), stroke: Self.end, width: 2.2)
        drawing.polygon(
            [(x - 6, scale.top - 16), (x + 6, scale.top - 16), (x, scale.top - 6)], fill: Self.end)
        let words = "end \(Figures.fixed(end.seconds, places: 1)) s · \(end.reason.rawValue)"
        let anchor: SVGDrawing.Anchor = x > 880 ? .end : x < 150 ? .start : .middle
        drawing.text(words, x: x, y: scale.top - 21, anchor: anchor, fill: Self.end, bold: true)
        guard let last = trace.lastSpeech, x - scale.x(last) > 30 else { return }
        let from = scale.x(last)
        let y = scale.top + 14
        drawing.line(from: (from + 2, y), to: (x - 3, y), stroke: Self.end, width: 1.2)
        drawing.polygon([(from + 1, y), (from + 8, y - 4), (from + 8, y + 4)], fill: Self.end)
        drawing.polygon([(x - 2, y), (x - 9, y - 4), (x - 9, y + 4)], fill: Self.end)
        guard x - from > 68 else { return }
        drawing.text(
            "\(Figures.fixed(end.seconds - last, places: 1)) s quiet", x: (from + x) / 2, y: y + 16,
            size: 12, anchor: .middle, fill: Self.end)
    }

    private mutating func drawHead() {
        let verdict = trace.verdict
        drawing.text(trace.input.name, x: scale.left, y: 30, size: 18, fill: Self.ink, bold: true)
        let speech = "\(Figures.fixed(verdict.speech, places: 1)) s of speech"
        let fate = verdict.send ? "enough to send" : "too little to send"
        let end =
            verdict.end.map { "ends at \(Figures.fixed($0.seconds, places: 1)) s" } ?? "never ends"
        drawing.text(
            "rule \(verdict.rule.rawValue), hangover \(Figures.fixed(verdict.hangover, places: 1)) s:"
                + " \(end), \(speech), \(fate)",
            x: scale.left, y: 52, size: 14, fill: Self.soft)
    }

    private mutating func drawLegend() {
        let y = 432.0
        var x = scale.left
        func place(_ width: Double) -> Double {
            defer { x += width }
            return x
        }
        let hasCalibration = trace.points.contains { $0.judgement == .calibrating }
        let hasMarks = trace.points.contains { $0.isMarked }
        for (words, width, stroke, dashes) in [
            ("level", 88.0, Self.level, nil), ("floor", 88, Self.floor, "7 4"),
            ("threshold", 122, Self.threshold, nil),
        ] as [(String, Double, String, String?)] {
            let left = place(width)
            drawing.line(
                from: (left, y - 4), to: (left + 26, y - 4), stroke: stroke, width: 2.2, dashes: dashes)
            drawing.text(words, x: left + 33, y: y, fill: Self.ink)
        }
        for (words, width, fill, opacity, isThere) in [
            ("speech", 104.0, Self.speech, 0.32, true),
            ("measures the room", 190, Self.calibration, 0.18, hasCalibration),
            ("not judged", 130, Self.marked, 0.25, hasMarks),
        ] where isThere {
            let left = place(width)
            drawing.rectangle(x: left, y: y - 12, width: 26, height: 15, fill: fill, opacity: opacity)
            drawing.text(words, x: left + 33, y: y, fill: Self.ink)
        }
        guard trace.points.contains(where: { $0.judgement == nil && !$0.isMarked }) else { return }
        let left = place(188)
        drawing.line(from: (left, y - 4), to: (left + 26, y - 4), stroke: Self.unheard, width: 2.2)
        drawing.text("level after the end, not judged", x: left + 33, y: y, fill: Self.ink)
    }

    // MARK: - Figures

    /// A reading covers the time since the one before it, as the rule counts it.
    func start(of index: Int) -> Double {
        let now = trace.points[index].seconds
        guard index > 0 else { return now - 0.1 }
        let before = trace.points[index - 1].seconds
        return before.isFinite && before < now ? before : now - 0.1
    }

    /// Neighbouring readings that fit as one span.
    private func spans(where fits: (EndpointTrace.Point) -> Bool) -> [ClosedRange<Double>] {
        var spans: [ClosedRange<Double>] = []
        for (index, point) in trace.points.enumerated() where fits(point) {
            let from = start(of: index)
            if let last = spans.last, last.upperBound == from {
                spans[spans.count - 1] = last.lowerBound...point.seconds
            } else {
                spans.append(from...point.seconds)
            }
        }
        return spans
    }

    /// A value as level steps, one for each reading; interrupted where there is none.
    private func steps(_ value: (EndpointTrace.Point) -> Double?) -> [[(x: Double, y: Double)]] {
        var lines: [[(x: Double, y: Double)]] = [[]]
        for (index, point) in trace.points.enumerated() {
            guard let value = value(point), value.isFinite, point.seconds.isFinite else {
                if lines.last?.isEmpty == false { lines.append([]) }
                continue
            }
            let y = scale.y(value)
            lines[lines.count - 1] += [(scale.x(start(of: index)), y), (scale.x(point.seconds), y)]
        }
        return trace.points.count > Self.mostSteps ? lines.map(thinned) : lines
    }

    /// Of each column of the drawing only the first, the lowest, the highest and the last point.
    func thinned(_ line: [(x: Double, y: Double)]) -> [(x: Double, y: Double)] {
        var kept: [(x: Double, y: Double)] = []
        var rest = line[...]
        while let first = rest.first {
            let column = rest.prefix { $0.x.rounded() == first.x.rounded() }
            let heights = column.map(\.y)
            kept += [first, (first.x, heights.min() ?? first.y), (first.x, heights.max() ?? first.y)]
            kept += column.suffix(1)
            // A coordinate that is no number equals nothing, itself included.
            rest = rest.dropFirst(max(1, column.count))
        }
        return kept
    }
}
