import Glibc
import Service
import SettingsFile
import Wire

/// The settings in force and where each value came from.
package struct SettingsInForce: Equatable, Sendable {
    package private(set) var settings = DeviceSettings()
    package private(set) var origins: [String: SettingOrigin] = [:]

    /// Reads the file (none when nil), then lets the options overrule it, then checks what belongs together.
    ///
    /// - Parameter options: `key` and `value`, in the order of the command line.
    package init(file: String?, options: [(key: String, value: String)] = []) throws(SettingsError) {
        if let file {
            let entries: [SettingsEntry]
            do { entries = try SettingsFile.read(file) } catch { throw .unreadable(error.description) }
            for entry in entries {
                try set(entry.key, entry.value, .file(path: file, line: entry.line))
            }
        }
        for option in options { try set(option.key, option.value, .option) }
        try check()
    }

    private mutating func set(_ key: String, _ value: String, _ origin: SettingOrigin) throws(SettingsError) {
        guard let known = SettingKey.named(key) else {
            if let why = SettingKey.idle[key] { throw .idle(key: key, origin: origin, why: why) }
            throw .unknownKey(key: key, origin: origin, nearest: SettingKey.nearest(to: key))
        }
        guard known.apply(&settings, value) else {
            // A refusal may end in a journal: a secret key that is given by mistake is not repeated.
            let secret = "AGE-SECRET-KEY-1"
            let shown = value.uppercased().hasPrefix(secret) ? secret + "…" : value
            throw .impossibleValue(key: key, value: shown, origin: origin, values: known.values)
        }
        origins[key] = origin
    }

    /// Combinations that no board can do.
    private func check() throws(SettingsError) {
        if let lamp = settings.lamp, lamp == settings.motor {
            throw .conflict(
                "\(place("lamp")) and \(place("motor")) both name the line \(lamp); give one of them another line."
            )
        }
        if case .line(let line) = settings.button {
            for (key, output) in [("lamp", settings.lamp), ("motor", settings.motor)] where output == line {
                throw .conflict(
                    "\(place("button")) and \(place(key)) both name the line \(line); give one of them another line."
                )
            }
        }
        if settings.rule == .reference, settings.patience == .quick {
            throw .conflict(
                "\(place("patience")) cannot be `quick` while \(place("rule")) is `reference`: that rule is always calm. Set `rule = lapel` or `patience = calm`."
            )
        }
        if settings.foreign != nil, !settings.seals {
            throw .conflict(
                "\(place("seal")) cannot be `off` while \(place("foreign")) names a server: a foreign server gets sealed recordings only. Set `seal = on`, or `foreign = none`."
            )
        }
        if settings.foreign != nil, settings.host != nil {
            throw .conflict(
                "\(place("host")) and \(place("foreign")) cannot both be set: the one is where a paired host is, the other is for a device without one. Take one out."
            )
        }
        if settings.noSpeech >= settings.longest {
            throw .conflict(
                "\(place("no_speech_s")) must be shorter than \(place("longest_s")): a turn without speech ends first. Lower the one or raise the other."
            )
        }
    }

    /// A key and where its value was set.
    private func place(_ key: String) -> String { "`\(key)` (\(origins[key] ?? .builtIn))" }

    /// `key = value` of every setting with its origin: for `lapel config`.
    package var lines: [(key: String, value: String, origin: String)] {
        SettingKey.all.map { ($0.name, $0.show(settings), "\(origins[$0.name] ?? .builtIn)") }
    }

    package var json: JSON {
        .object(
            lines.map { line in
                (key: line.key, value: ["value": .string(line.value), "origin": .string(line.origin)])
            })
    }
}

extension DeviceSettings {
    /// systemd's state folder, else the system's for root and for the service's own user, else the user's own.
    package static var defaultOutboxDirectory: String {
        if let folder = getenv("STATE_DIRECTORY") { return String(cString: folder) }
        if getuid() == 0 || Service.owns("/var/lib/lapel") { return "/var/lib/lapel" }
        if let folder = getenv("XDG_STATE_HOME") { return String(cString: folder) + "/lapel" }
        return (getenv("HOME").map { String(cString: $0) } ?? "/tmp") + "/.local/state/lapel"
    }

    /// What the machine calls itself.
    static let machineName: String = {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, 255) == 0 else { return "lapel" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    /// Where the settings are read when no file is named.
    package static let defaultFile = "/etc/lapel/lapel.conf"
}
