import CInih
import Glibc

/// One `key = value` of a settings file.
package struct SettingsEntry: Equatable, Sendable {
    package let section: String
    package let key: String
    package let value: String
    /// From 1.
    package let line: Int

    package init(section: String, key: String, value: String, line: Int) {
        self.section = section
        self.key = key
        self.value = value
        self.line = line
    }
}

/// Why a settings file cannot be read.
package enum SettingsFileError: Error, Equatable, CustomStringConvertible {
    case unreadable(path: String, reason: String)
    case notASetting(path: String, line: Int)
    case tooLong(path: String, line: Int)
    case twice(path: String, key: String, first: Int, second: Int)

    package var description: String {
        switch self {
        case .unreadable(let path, let reason): "The settings file \(path) cannot be read: \(reason)."
        case .notASetting(let path, let line):
            "\(path), line \(line): this is neither `key = value`, `[section]` nor a `#` comment."
        case .tooLong(let path, let line):
            "\(path), line \(line): the line is longer than \(SettingsFile.longestLine) characters."
        case .twice(let path, let key, let first, let second):
            "\(path), line \(second): `\(key)` was set in line \(first) already; keep one of the two."
        }
    }
}

/// Reads `key = value` files by libinih, with the number of each line.
package enum SettingsFile {
    /// libinih's own line buffer holds 200 bytes.
    package static let longestLine = 197

    /// The entries in the file's order. A value ends before ` #` or ` ;`, which begin a comment.
    package static func read(_ path: String) throws(SettingsFileError) -> [SettingsEntry] {
        guard let file = fopen(path, "re") else {
            throw .unreadable(path: path, reason: String(cString: strerror(errno)))
        }
        defer { fclose(file) }
        let reading = Reading(file: file)
        let user = Unmanaged.passUnretained(reading).toOpaque()
        let failedLine = withExtendedLifetime(reading) { ini_parse_stream(nextLine, user, takeEntry, user) }
        // A folder can be opened, and not read.
        guard ferror(file) == 0 else { throw .unreadable(path: path, reason: reading.failure) }
        if let line = reading.tooLong { throw .tooLong(path: path, line: line) }
        guard failedLine == 0 else { throw .notASetting(path: path, line: Int(failedLine)) }
        var seen: [String: Int] = [:]
        for entry in reading.entries {
            if let first = seen.updateValue(entry.line, forKey: entry.key) {
                throw .twice(path: path, key: entry.key, first: first, second: entry.line)
            }
        }
        return reading.entries
    }
}

/// What the two C callbacks share during one parse.
private final class Reading {
    let file: UnsafeMutablePointer<FILE>
    var line = 0
    var tooLong: Int?
    /// The system's reason for the read that failed.
    var failure = ""
    var entries: [SettingsEntry] = []

    init(file: UnsafeMutablePointer<FILE>) { self.file = file }
}

/// libinih asks for a line, then hands out what stands in it: so the count is right in `takeEntry`.
private func nextLine(
    _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int32, _ stream: UnsafeMutableRawPointer?
) -> UnsafeMutablePointer<CChar>? {
    guard let buffer, let stream else { return nil }
    let reading = Unmanaged<Reading>.fromOpaque(stream).takeUnretainedValue()
    guard fgets(buffer, size, reading.file) != nil else {
        if ferror(reading.file) != 0 { reading.failure = String(cString: strerror(errno)) }
        return nil
    }
    reading.line += 1
    if strlen(buffer) == Int(size) - 1, reading.tooLong == nil { reading.tooLong = reading.line }
    return buffer
}

private func takeEntry(
    _ user: UnsafeMutableRawPointer?, _ section: UnsafePointer<CChar>?, _ name: UnsafePointer<CChar>?,
    _ value: UnsafePointer<CChar>?
) -> Int32 {
    guard let user, let section, let name, let value else { return 0 }
    let reading = Unmanaged<Reading>.fromOpaque(user).takeUnretainedValue()
    var text = String(cString: value)
    if text.hasPrefix("#") { text = "" }  // the blank before it is gone already
    for comment in [" #", "\t#"] {
        if let at = text.range(ofFirst: comment) { text = String(text[..<at]) }
    }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    reading.entries.append(
        SettingsEntry(
            section: String(cString: section), key: String(cString: name), value: text, line: reading.line))
    return 1
}

extension String {
    fileprivate func range(ofFirst part: String) -> Index? {
        indices.first { self[$0...].hasPrefix(part) }
    }
}
