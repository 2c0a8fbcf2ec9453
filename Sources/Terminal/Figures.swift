/// Numbers as people read them: a device program carries no formatter.
package enum Figures {
    /// With so many decimals, to the nearest: 4.7 for 4.699. "–" for what is no number.
    package static func fixed(_ value: Double, places: Int) -> String {
        guard value.isFinite else { return "–" }
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

    /// `4.3 s`, `2 min 05 s`. A time that nothing lasts, such as a manifest may tell of, is a plain number.
    package static func seconds(_ value: Double) -> String {
        guard value >= 60, value < 9e15 else { return fixed(value, places: 1) + " s" }
        let whole = Int(value.rounded())
        let rest = String(whole % 60)
        return "\(whole / 60) min " + (rest.count < 2 ? "0" : "") + rest + " s"
    }

    /// `312 B`, `14.2 kB`, `3.1 MB`.
    package static func bytes(_ count: Int) -> String {
        if count < 1000 { return "\(count) B" }
        let kilo = Double(count) / 1000
        return kilo < 1000 ? fixed(kilo, places: 1) + " kB" : fixed(kilo / 1000, places: 1) + " MB"
    }
}
