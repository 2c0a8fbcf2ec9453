import DeviceSettings
import Glibc

/// One line on standard error.
func writeError(_ line: String) {
    let text = line + "\n"
    _ = text.utf8.withContiguousStorageIfAvailable { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// What the options and the settings file say, for a command that works on one device's folder.
func settingsInForce(_ arguments: Arguments) throws -> SettingsInForce {
    try SettingsInForce(file: settingsFile(arguments), options: arguments.settings)
}

/// The settings' file that is named, else the machine's; nil where there is none.
func settingsFile(_ arguments: Arguments) -> String? {
    arguments.values["config"]
        ?? (access(DeviceSettings.defaultFile, F_OK) == 0 ? DeviceSettings.defaultFile : nil)
}
