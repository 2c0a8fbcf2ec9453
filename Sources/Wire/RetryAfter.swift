/// `Retry-After` (RFC 9110, 10.2.3): seconds, or a date.
///
/// A date counts from the answer's own `Date`, never from this device's clock, which may stand at 1970.
package enum RetryAfter {
    /// Nil for what is neither, and for a date beside no readable `Date`. A date that is over is zero.
    package static func parse(_ value: String, date: String?) -> Duration? {
        if !value.isEmpty, value.utf8.allSatisfy({ (48...57).contains($0) }) {
            // More digits than a number has: longer than any bound.
            return .seconds(Int32(value) ?? .max)
        }
        guard let then = HTTPDate.seconds(value), let now = date.flatMap(HTTPDate.seconds) else { return nil }
        return .seconds(max(0, then - now))
    }
}

/// Dates of HTTP (RFC 9110, 5.6.7) in their three forms.
package enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Seconds since 1970, UTC; nil for what is no such date. The name of the day is not looked at.
    package static func seconds(_ text: String) -> Int64? {
        guard text.utf8.count <= 40 else { return nil }
        let words = text.split { $0 == " " || $0 == "," || $0 == "-" }
        // Sun, 06 Nov 1994 08:49:37 GMT · Sunday, 06-Nov-94 08:49:37 GMT · Sun Nov  6 08:49:37 1994
        switch words.count {
        case 6 where words[5] == "GMT":
            return seconds(day: words[1], month: words[2], year: words[3], time: words[4])
        case 5: return seconds(day: words[2], month: words[1], year: words[4], time: words[3])
        default: return nil
        }
    }

    private static func seconds(day: Substring, month: Substring, year: Substring, time: Substring) -> Int64?
    {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).compactMap {
            number($0, 0...60)
        }
        guard let day = number(day, 1...31), let month = months.firstIndex(of: String(month)),
            var year = number(year, 0...9999), clock.count == 3, clock[0] < 24, clock[1] < 60
        else { return nil }
        if year < 100 { year += year < 70 ? 2000 : 1900 }
        let days = days(year: year, month: Int64(month) + 1, day: day)
        return days * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    }

    /// Days since 1970 in the Gregorian calendar, counted from 1 March, so that the leap day is a year's last.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let marchYear = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear - 719_468
    }

    private static func number(_ text: Substring, _ range: ClosedRange<Int64>) -> Int64? {
        guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }),
            let number = Int64(text), range.contains(number)
        else { return nil }
        return number
    }
}
