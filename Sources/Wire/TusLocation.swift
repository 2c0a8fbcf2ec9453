/// The `Location` of a creation's answer, reduced to a path: host and port are always the ones that were pinned
/// or configured, wherever the answer points.
package enum TusLocation {
    /// Path and query of an absolute or relative reference; `base` is the path that was asked. Nil for a text
    /// that is no reference: longer than 2,000 bytes, or with spaces, controls or other bytes outside ASCII.
    package static func path(of location: String, base: String) -> String? {
        guard (1...2_000).contains(location.utf8.count), location.utf8.allSatisfy({ (33...126).contains($0) })
        else { return nil }
        var rest = location.prefix { $0 != "#" }
        if let authority = authority(in: rest) {
            rest = rest[authority...]
            rest = rest.firstIndex(of: "/").map { rest[$0...] } ?? "/"
        }
        guard !rest.isEmpty else { return nil }
        if rest.hasPrefix("/") { return String(rest) }
        let folder = base.lastIndex(of: "/").map { String(base[...$0]) } ?? "/"
        return folder + String(rest)
    }

    /// Where `host:port` begins in `scheme://host:port/…` and `//host:port/…`; nil when there is none.
    private static func authority(in text: Substring) -> Substring.Index? {
        let afterScheme = text.drop { $0.isLetter || $0.isNumber || $0 == "+" || $0 == "-" || $0 == "." }
        for (start, mark) in [(text, "//"), (afterScheme, "://")] where start.hasPrefix(mark) {
            return start.index(start.startIndex, offsetBy: mark.count)
        }
        return nil
    }
}
