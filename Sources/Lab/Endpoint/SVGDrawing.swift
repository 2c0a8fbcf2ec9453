import Terminal

/// Writes the elements of an SVG 1.1 drawing. Coordinates are rounded to 0.1.
struct SVGDrawing {
    enum Anchor: String {
        case start, middle, end
    }

    private let width: Int
    private let height: Int
    private let title: String
    private var elements: [String] = []

    init(width: Int, height: Int, title: String) {
        self.width = width
        self.height = height
        self.title = title
    }

    mutating func rectangle(
        x: Double, y: Double, width: Double, height: Double, fill: String, opacity: Double = 1
    ) {
        elements.append(
            "<rect x=\"\(n(x))\" y=\"\(n(y))\" width=\"\(n(max(0, width)))\" height=\"\(n(max(0, height)))\""
                + " fill=\"\(fill)\"\(opacity < 1 ? " fill-opacity=\"\(opacity)\"" : "")/>")
    }

    /// - Parameter dashes: lengths on and off, for example "6 4".
    mutating func line(
        from a: (x: Double, y: Double), to b: (x: Double, y: Double), stroke: String, width: Double = 1,
        dashes: String? = nil
    ) {
        path([[a, b]], stroke: stroke, width: width, dashes: dashes)
    }

    /// Several lines as one element.
    mutating func path(
        _ lines: [[(x: Double, y: Double)]], stroke: String, width: Double, dashes: String? = nil
    ) {
        let data = lines.filter { !$0.isEmpty }.map { line in
            "M" + line.map { "\(n($0.x)) \(n($0.y))" }.joined(separator: "L")
        }.joined()
        guard !data.isEmpty else { return }
        elements.append(
            "<path d=\"\(data)\" fill=\"none\" stroke=\"\(stroke)\" stroke-width=\"\(width)\""
                + " stroke-linejoin=\"round\"\(dashes.map { " stroke-dasharray=\"\($0)\"" } ?? "")/>")
    }

    mutating func polygon(_ points: [(x: Double, y: Double)], fill: String) {
        let list = points.map { "\(n($0.x)),\(n($0.y))" }.joined(separator: " ")
        elements.append("<polygon points=\"\(list)\" fill=\"\(fill)\"/>")
    }

    mutating func text(
        _ text: String, x: Double, y: Double, size: Int = 13, anchor: Anchor = .start, fill: String,
        bold: Bool = false, turned: Bool = false
    ) {
        elements.append(
            "<text x=\"\(n(x))\" y=\"\(n(y))\" font-size=\"\(size)\" text-anchor=\"\(anchor.rawValue)\""
                + " fill=\"\(fill)\"\(bold ? " font-weight=\"bold\"" : "")"
                + (turned ? " transform=\"rotate(-90 \(n(x)) \(n(y)))\"" : "")
                + ">\(Self.escaped(text))</text>")
    }

    var document: String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
        height="\(height)" font-family="DejaVu Sans, Helvetica, Arial, sans-serif">
        <title>\(Self.escaped(title))</title>
        \(elements.joined(separator: "\n"))
        </svg>

        """
    }

    /// XML 1.0 knows no control characters, and markup must not come from a file's name.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: "\u{FFFD}"
            default: String(scalar)
            }
        }.joined()
    }

    private func n(_ value: Double) -> String {
        let text = Figures.fixed(value, places: 1)
        let plain = text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        return plain.hasPrefix("−") ? "-" + plain.dropFirst() : plain
    }
}
