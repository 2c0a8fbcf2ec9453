import Glibc

/// Times for people, in the machine's time zone.
enum LocalTime {
    /// `2026-11-30 07:30:12`. Milliseconds since 1970.
    static func text(milliseconds: Int64) -> String {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, "%Y-%m-%d %H:%M:%S", &parts)
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// `2026-11-30T06:30:12.250Z`. Milliseconds since 1970.
    static func utc(milliseconds: Int64) -> String {
        let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        var seconds = time_t(rest < 0 ? whole - 1 : whole)
        let fraction = rest < 0 ? rest + 1000 : rest
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%S", &parts)
        let digits = String(fraction)
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) + "."
            + String(repeating: "0", count: 3 - digits.count) + digits + "Z"
    }
}
