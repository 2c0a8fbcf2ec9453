import EndOfSpeech
import Glibc

/// Reads a meter's levels from a CSV file: a head line `time_s,dbfs`, then one reading a line, its values taken
/// as they stand. More columns may follow, in any order when the head names them; empty lines and lines that
/// begin with `#` are skipped, and without a head the first two columns count.
enum MeterTrace {
    /// A line is longer than this only in a file that is no meter trace.
    private static let longestLine = 4096

    /// - Returns: the time from the first reading to the last, theirs included, in seconds.
    /// - Throws: `EndpointError`; of several bad lines the first.
    static func read(_ path: String, while observed: (Observation) -> Bool) throws -> Double {
        guard let file = fopen(path, "re") else {
            throw EndpointError.unreadable(path: path, reason: String(cString: strerror(errno)))
        }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: longestLine)
        var columns: (time: Int, level: Int)?
        var number = 0
        var first: Double?
        var last: Double?
        var going = true
        while fgets(&buffer, Int32(buffer.count), file) != nil {
            number += 1
            let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            guard bytes.count < longestLine - 1 else {
                throw EndpointError.badLine(path: path, line: number, why: "it is too long for a reading")
            }
            let fields = fields(String(decoding: bytes, as: UTF8.self))
            if fields == [""] || fields[0].hasPrefix("#") { continue }
            if columns == nil {
                columns = head(fields)
                if columns != nil { continue }
                columns = (time: 0, level: 1)
            }
            guard let (time, level) = columns, fields.count > max(time, level) else {
                throw EndpointError.badLine(path: path, line: number, why: "it has no time and level")
            }
            guard let seconds = Double(fields[time]), let dbfs = Double(fields[level]) else {
                throw EndpointError.badLine(
                    path: path, line: number,
                    why: "“\(shown(fields))” is not a time in seconds and a level in dBFS")
            }
            if seconds.isFinite {
                first = min(first ?? seconds, seconds)
                last = max(last ?? seconds, seconds)
            }
            if going { going = observed(Observation(dbfs: dbfs, seconds: seconds)) }
        }
        guard ferror(file) == 0 else {
            throw EndpointError.unreadable(path: path, reason: String(cString: strerror(errno)))
        }
        guard let first, let last else { throw EndpointError.noReadings(path: path) }
        return last - first + 0.1
    }

    /// A line as a sentence can hold it: short, and without what would steer a terminal.
    private static func shown(_ fields: [String]) -> String {
        let scalars = fields.joined(separator: ",").unicodeScalars
        let plain = scalars.prefix(40).map {
            $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? "?" : String($0)
        }
        return plain.joined() + (scalars.count > 40 ? "…" : "")
    }

    private static func head(_ fields: [String]) -> (time: Int, level: Int)? {
        let names = fields.map { $0.lowercased() }
        guard let time = names.firstIndex(of: "time_s"), let level = names.firstIndex(of: "dbfs") else {
            return nil
        }
        return (time, level)
    }

    /// Without blanks around them, line ends and the mark some programs put before a file's first byte.
    private static func fields(_ line: String) -> [String] {
        line.split(separator: ",", omittingEmptySubsequences: false).map { field in
            let blank: (Unicode.Scalar) -> Bool = { $0.properties.isWhitespace || $0 == "\u{FEFF}" }
            let scalars = field.unicodeScalars
            let start = scalars.firstIndex { !blank($0) } ?? scalars.endIndex
            let end = scalars.lastIndex { !blank($0) }.map(scalars.index(after:)) ?? start
            return String(scalars[start..<end])
        }
    }
}
