import DeviceSettings
import Glibc
import Terminal

/// One line on standard error.
func writeError(_ line: String) {
    let text = line + "\n"
    _ = text.utf8.withContiguousStorageIfAvailable { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

extension Arguments {
    /// A command line on which every key of `lapel.conf` is an option, too.
    init(settings rest: [String], flags: Set<String> = [], values: Set<String> = []) throws(CommandError) {
        try self.init(rest, flags: flags, values: values, isSetting: SettingKey.isKnown)
    }
}

/// What the options and the settings file say, for a command that works on one device's folder.
func settingsInForce(_ arguments: Arguments) throws -> SettingsInForce {
    try SettingsInForce(file: settingsFile(arguments), options: arguments.settings)
}

/// The settings' file that is named, else the machine's; nil where there is none.
func settingsFile(_ arguments: Arguments) -> String? {
    arguments["config"]
        ?? (access(DeviceSettings.defaultFile, F_OK) == 0 ? DeviceSettings.defaultFile : nil)
}
