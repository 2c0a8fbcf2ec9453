/// Figures as text, because a device program carries no formatter.
enum EndpointFigure {
    /// With so many decimals, to the nearest: 4.7 for 4.699.
    static func fixed(_ value: Double, places: Int) -> String {
        let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        let scaled = (value.magnitude * scale).rounded()
        guard scaled < 1e15 else { return "\(value)" }
        let whole = Int(scaled)
        let unit = Int(scale)
        let sign = value < 0 && whole > 0 ? "−" : ""
        guard places > 0 else { return sign + "\(whole)" }
        let decimals = String(whole % unit)
        return sign + "\(whole / unit)." + String(repeating: "0", count: places - decimals.count) + decimals
    }
}
