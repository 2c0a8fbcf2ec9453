import DeviceSettings
import SettingsFile

extension FuzzTarget {
    /// A settings file is taken or refused with a sentence; what is in force, written as a file, is the same settings.
    static let settings = FuzzTarget(name: "settings", longest: 1_024) {
        let all = SettingsInForceText.defaults
        let some =
            "# a study\n[panel]\nbutton = gpio:GPIO17 ; red\nlamp=GPIO27\nlanguage = de-CH # Bern\nreserve = 7.5 %\n"
        return [
            Array(all.utf8), Array(some.utf8),
            Array("outbox_max = 4G\nno_speech_s = 3\nhighpass = off\n".utf8),
        ]
    } check: { input, folder in
        let path = folder + "/lapel.conf"
        put(input, at: path)
        let first: SettingsInForce
        do throws(SettingsError) { first = try SettingsInForce(file: path) } catch {
            return try must(error.description.count > 20, "a refusal is a sentence")
        }
        let text = SettingsInForceText.text(first)
        // A line may grow by its blanks beyond what the file's reader takes.
        guard text.split(separator: "\n").allSatisfy({ $0.utf8.count <= SettingsFile.longestLine }) else {
            return
        }
        put(Array(text.utf8), at: path)
        let second: SettingsInForce
        do { second = try SettingsInForce(file: path) } catch {
            throw Broken(description: "settings in force can be written and read: \(error)")
        }
        try must(
            second.lines.map(\.value) == first.lines.map(\.value), "settings read back as they were written")
    }
}

private enum SettingsInForceText {
    static var defaults: String { (try? SettingsInForce(file: nil)).map(text) ?? "" }

    static func text(_ settings: SettingsInForce) -> String {
        settings.lines.map { "\($0.key) = \($0.value)\n" }.joined()
    }
}
