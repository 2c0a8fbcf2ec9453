/// Numbers as people read them.
enum Figures {
    /// With `digits` behind the point, rounded to nearest.
    static func decimal(_ value: Double, digits: Int) -> String {
        guard value.isFinite else { return "-" }
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let scaled = (abs(value) * scale).rounded()
        guard scaled < 9e15 else { return String(value) }
        let whole = Int(scaled)
        let divisor = Int(scale)
        let rest = String(whole % divisor)
        let sign = value < 0 && whole > 0 ? "-" : ""
        return sign + String(whole / divisor)
            + (digits > 0 ? "." + String(repeating: "0", count: digits - rest.count) + rest : "")
    }

    /// `4.3 s`, `2 min 05 s`. A time that nothing lasts, such as a manifest may tell of, is a plain number.
    static func seconds(_ value: Double) -> String {
        guard value >= 60, value < 9e15 else { return decimal(value, digits: 1) + " s" }
        let whole = Int(value.rounded())
        let rest = String(whole % 60)
        return "\(whole / 60) min " + (rest.count < 2 ? "0" : "") + rest + " s"
    }

    /// `312 B`, `14.2 kB`, `3.1 MB`.
    static func bytes(_ count: Int) -> String {
        if count < 1000 { return "\(count) B" }
        let kilo = Double(count) / 1000
        return kilo < 1000 ? decimal(kilo, digits: 1) + " kB" : decimal(kilo / 1000, digits: 1) + " MB"
    }
}
