/// Why settings are refused: a sentence that names where, which key, and the way out.
package enum SettingsError: Error, Equatable, CustomStringConvertible {
    case unknownKey(key: String, origin: SettingOrigin, nearest: String)
    /// The key belongs to a part that this version does not have.
    case idle(key: String, origin: SettingOrigin, why: String)
    case impossibleValue(key: String, value: String, origin: SettingOrigin, values: String)
    case conflict(String)
    case unreadable(String)

    package var description: String {
        switch self {
        case .unknownKey(let key, let origin, let nearest):
            "\(origin): there is no setting `\(key)`; did you mean `\(nearest)`?"
        case .idle(let key, let origin, let why):
            "\(origin): `\(key)` does nothing in this version, because \(why); take it out."
        case .impossibleValue(let key, let value, let origin, let values):
            "\(origin): `\(key)` cannot be `\(value)`; it can be \(values)."
        case .conflict(let sentence), .unreadable(let sentence): sentence
        }
    }
}

/// Where a value comes from.
package enum SettingOrigin: Equatable, Sendable, CustomStringConvertible {
    case builtIn
    case file(path: String, line: Int)
    case option

    package var description: String {
        switch self {
        case .builtIn: "default"
        case .file(let path, let line): "\(path), line \(line)"
        case .option: "command line"
        }
    }
}
