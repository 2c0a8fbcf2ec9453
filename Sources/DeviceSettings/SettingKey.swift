import Hardware

/// One key of `lapel.conf`: its name is also the option `--name`.
package struct SettingKey: Sendable {
    package let name: String
    /// Heading in the shipped file, by what a person looks for.
    package let section: String
    /// What may be written, for refusals and the manual.
    package let values: String
    package let summary: String
    /// Takes a value over; false when it is none of `values`.
    package let apply: @Sendable (inout DeviceSettings, String) -> Bool
    /// The value in force, as it would be written.
    package let show: @Sendable (DeviceSettings) -> String

    /// The key of that name; with `nearest`, the spelling that is closest.
    package static func named(_ name: String) -> SettingKey? { all.first { $0.name == name } }

    /// The key that somebody may have meant: one that was cut short, else the one with the fewest changed letters.
    package static func nearest(to name: String) -> String {
        if name.utf8.count > 2, let whole = all.first(where: { $0.name.hasPrefix(name) }) {
            return whole.name
        }
        return Spelling.nearest(to: name, among: all.map(\.name), count: 1).first ?? ""
    }
}

// How the kinds of values are read and shown.
extension SettingKey {
    typealias Path<Value> = WritableKeyPath<DeviceSettings, Value> & Sendable

    static func text(
        _ name: String, _ section: String, _ path: any Path<String>, _ values: String, _ summary: String,
        _ legal: @escaping @Sendable (String) -> Bool = { _ in true }
    ) -> SettingKey {
        SettingKey(name: name, section: section, values: values, summary: summary) { settings, value in
            guard legal(value) else { return false }
            settings[keyPath: path] = value
            return true
        } show: {
            $0[keyPath: path]
        }
    }

    /// A text that may be `none`.
    static func optional(
        _ name: String, _ section: String, _ path: any Path<String?>, _ values: String, _ summary: String,
        _ legal: @escaping @Sendable (String) -> Bool = { _ in true }
    ) -> SettingKey {
        SettingKey(name: name, section: section, values: values, summary: summary) { settings, value in
            guard !value.isEmpty, legal(value) else { return false }
            settings[keyPath: path] = value == "none" ? nil : value
            return true
        } show: {
            $0[keyPath: path] ?? "none"
        }
    }

    static func flag(_ name: String, _ section: String, _ path: any Path<Bool>, _ summary: String)
        -> SettingKey
    {
        choice(name, section, path, [("on", true), ("off", false)], summary)
    }

    static func choice<Value: Equatable & Sendable>(
        _ name: String, _ section: String, _ path: any Path<Value>, _ choices: [(String, Value)],
        _ summary: String
    ) -> SettingKey {
        SettingKey(
            name: name, section: section, values: choices.map(\.0).joined(separator: ", "), summary: summary
        ) { settings, value in
            guard let chosen = choices.first(where: { $0.0 == value }) else { return false }
            settings[keyPath: path] = chosen.1
            return true
        } show: { settings in
            choices.first { $0.1 == settings[keyPath: path] }?.0 ?? ""
        }
    }

    static func whole(
        _ name: String, _ section: String, _ path: any Path<Int>, _ range: ClosedRange<Int>, _ unit: String,
        _ summary: String
    ) -> SettingKey {
        SettingKey(
            name: name, section: section,
            values: "a whole number from \(range.lowerBound) to \(range.upperBound) (\(unit))",
            summary: summary
        ) { settings, value in
            guard let number = Int(value), range.contains(number) else { return false }
            settings[keyPath: path] = number
            return true
        } show: {
            String($0[keyPath: path])
        }
    }

    static func number(
        _ name: String, _ section: String, _ path: any Path<Double>, _ range: ClosedRange<Double>,
        _ unit: String,
        _ summary: String
    ) -> SettingKey {
        SettingKey(
            name: name, section: section,
            values: "a number from \(plain(range.lowerBound)) to \(plain(range.upperBound)) (\(unit))",
            summary: summary
        ) { settings, value in
            guard let number = Double(value), range.contains(number) else { return false }
            settings[keyPath: path] = number
            return true
        } show: {
            plain($0[keyPath: path])
        }
    }

    /// `3` rather than `3.0`.
    static func plain(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? String(number)
    }
}
