/// Where each input's drawing goes.
struct EndpointPlotNames {
    /// Ends in ".svg"; nil draws nothing.
    let pattern: String?
    /// Each drawing is named after its input; otherwise the pattern is the name.
    let several: Bool
    private var given: Set<String> = []

    init(pattern: String?, several: Bool) {
        self.pattern = pattern
        self.several = several
    }

    /// OUT.svg, or OUT-NAME.svg; inputs of the same name in different folders are numbered from the second.
    mutating func next(for input: EndpointInput) -> String? {
        guard let pattern else { return nil }
        guard several else { return pattern }
        let base = "\(pattern.dropLast(4))-\(input.name)"
        var name = "\(base).svg"
        var number = 1
        while !given.insert(name).inserted {
            number += 1
            name = "\(base)-\(number).svg"
        }
        return name
    }
}
