import DeviceSettings

/// A command line, taken apart: flags, settings and what is left.
struct Arguments: Equatable {
    /// Why a command line is refused.
    struct Refusal: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    private(set) var flags: Set<String> = []
    private(set) var values: [String: String] = [:]
    /// Settings given as options, in their order.
    private(set) var settings: [(key: String, value: String)] = []
    private(set) var rest: [String] = []

    static func == (a: Arguments, b: Arguments) -> Bool {
        a.flags == b.flags && a.values == b.values && a.rest == b.rest
            && a.settings.elementsEqual(b.settings) { $0.key == $1.key && $0.value == $1.value }
    }

    /// - Parameters:
    ///   - flags: options without a value, as `--json`.
    ///   - values: options of the command's own with a value, as `--mic`.
    ///   - takesSettings: every key of `lapel.conf` is an option, too; `-` stands for `_`.
    init(
        _ arguments: [String], flags: Set<String> = [], values: Set<String> = [], takesSettings: Bool = true
    ) throws(Refusal) {
        var remaining = arguments[...]
        while let argument = remaining.popFirst() {
            guard argument.hasPrefix("--"), argument.utf8.count > 2 else {
                rest.append(argument)
                continue
            }
            var name = String(argument.dropFirst(2))
            var given: String?
            if let equals = name.firstIndex(of: "=") {
                given = String(name[name.index(after: equals)...])
                name = String(name[..<equals])
            }
            if flags.contains(name), given == nil {
                self.flags.insert(name)
                continue
            }
            let key = String(name.map { $0 == "-" ? "_" : $0 })
            let isSetting = takesSettings && SettingKey.named(key) != nil
            guard values.contains(name) || isSetting else {
                throw Refusal(description: "There is no option --\(name) here; `--help` lists what there is.")
            }
            guard let value = given ?? remaining.popFirst() else {
                throw Refusal(description: "--\(name) needs a value.")
            }
            if values.contains(name) { self.values[name] = value } else { settings.append((key, value)) }
        }
    }

    /// Refuses what stands behind the options.
    func nothingElse() throws(Refusal) {
        if let first = rest.first { throw Refusal(description: "\"\(first)\" is not expected here.") }
    }
}
