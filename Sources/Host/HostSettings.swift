import HTTPServer
import Inbox
import SettingsFile
import Terminal

/// What `host.conf` and the options of `lapel-host serve` set.
package struct HostSettings: Equatable, Sendable {
    /// Where devices find it.
    package var listen = ListenAddress(address: "0.0.0.0", port: 8443)
    /// The host's folder; nil for the default place.
    package var folder: String?
    /// Bounds of what is kept.
    package var inbox = Inbox.Settings()

    package init() {}

    /// Keys that belong to parts this program does not have yet: only their defaults can be meant.
    private static let defaults = [
        "page": "127.0.0.1:8080", "store": "sqlite", "objects": "files", "transcriber": "none",
        "responder": "none",
        "synthesiser": "none", "ears": "auto", "mqtt": "none", "metrics": "none",
    ]

    /// Reads a settings file. Throws `failed` with a sentence that names line, key and way out.
    package init(file path: String) throws(CommandError) {
        let entries: [SettingsEntry]
        do { entries = try SettingsFile.read(path) } catch { throw .failed(error.description) }
        for entry in entries {
            do throws(CommandError) { try set(entry.key, entry.value) } catch {
                throw .failed("\(path), line \(entry.line): \(error)")
            }
        }
    }

    mutating func set(_ key: String, _ value: String) throws(CommandError) {
        switch key {
        case "listen":
            guard let address = ListenAddress(value) else {
                throw .failed(
                    "`listen` wants an address and a port, such as 0.0.0.0:8443 or [::]:8443, not \"\(value)\"."
                )
            }
            listen = address
        case "dir":
            guard value.hasPrefix("/") else {
                throw .failed("`dir` wants a whole path that begins with /, not \"\(value)\".")
            }
            folder = value
        case "quota_per_device":
            guard let bytes = Self.bytes(value) else {
                throw .failed(
                    "`quota_per_device` wants bytes, such as 500M or 20G, or none, not \"\(value)\".")
            }
            inbox.quotaPerDevice = bytes
        case "keep_half_uploads":
            guard let time = Self.duration(value) else {
                throw .failed("`keep_half_uploads` wants a time, such as 3 d or 12 h, not \"\(value)\".")
            }
            inbox.keepHalfUploads = time
        default:
            guard let only = Self.defaults[key] else {
                throw .failed("`\(key)` is no setting of lapel-host; remove it or correct its name.")
            }
            guard value == only else {
                throw .failed("`\(key)` can only be \(only) in this version of lapel-host, not \"\(value)\".")
            }
        }
    }

    /// `none` is nil; the outer nil is a mistake. Suffixes are binary: K, M, G, T.
    private static func bytes(_ text: String) -> Int?? {
        if text == "none" { return .some(nil) }
        let powers: [Character: Int] = ["K": 10, "M": 20, "G": 30, "T": 40]
        let shift = text.last.flatMap { powers[$0] } ?? 0
        guard let number = Int(shift > 0 ? text.dropLast() : text[...]), number > 0,
            number < Int.max >> (shift + 1)
        else { return nil }
        return .some(number << shift)
    }

    /// A whole number of `d`, `h`, `min` or `s`, from one second to ten years.
    private static func duration(_ text: String) -> Duration? {
        let digits = text.prefix { $0.isNumber }
        let units = ["d": 86_400, "h": 3_600, "min": 60, "s": 1]
        guard let number = Int(digits), let unit = units[String(text[digits.endIndex...].drop { $0 == " " })],
            number > 0, number <= 315_360_000 / unit
        else { return nil }
        return .seconds(number * unit)
    }
}
