/// The shipped `lapel.conf`: every key with its meaning, its values and its default, each default commented out.
///
/// It is written from the table of keys, so it never says what the program does not do.
package enum SettingsTemplate {
    /// What a board's own file says where the built-in value comes from the machine that asks.
    private static let places = ["outbox_dir": "/var/lib/lapel", "device_name": "the machine's own name"]

    package static var text: String {
        let defaults = DeviceSettings()
        var lines = [
            "# The settings of lapel(1); lapel.conf(5) has the same list. What is commented out is the default.",
            "# Every key is also an option: lapel run --mode memo. `lapel config` tells what is in force, and why.",
        ]
        var section = ""
        for key in SettingKey.all {
            if key.section != section {
                section = key.section
                lines += ["", "[\(section)]"]
            }
            lines.append("")
            lines += wrapped(key.summary)
            lines += wrapped("Values: \(key.values)")
            lines.append("#\(key.name) = \(places[key.name] ?? key.show(defaults))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Comment lines of at most 100 characters; libinih's own limit is 197 bytes.
    private static func wrapped(_ text: String) -> [String] {
        var lines: [String] = []
        var line = "#"
        for word in text.split(separator: " ") {
            if line.count + word.count >= 100 {
                lines.append(line)
                line = "#"
            }
            line += " " + word
        }
        return lines + [line]
    }
}
