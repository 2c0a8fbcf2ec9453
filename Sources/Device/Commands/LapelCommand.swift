import Glibc
import Wire

/// The program `lapel`: a command, its options, an exit code.
///
/// 0: done. 1: it could not be done, a sentence on standard error says why. 2: the command line is wrong.
package func lapelMain(_ arguments: [String]) -> Int32 {
    var rest = Array(arguments.dropFirst())
    guard !rest.isEmpty else {
        writeError(Usage.all)
        return 2
    }
    let command = rest.removeFirst()
    if rest.contains("--help"), let usage = Usage.of(command) {
        print(usage)
        return 0
    }
    do {
        switch command {
        case "--version", "version": print("lapel \(lapelVersion)")
        case "--help", "help", "-h": print(rest.first.flatMap(Usage.of) ?? Usage.all)
        case "run": return try RunCommand(rest).run()
        case "pair": try pairCommand(rest)
        case "unpair": try unpairCommand(rest)
        case "key": try keyCommand(rest)
        case "status": try statusCommand(rest)
        case "outbox": try outboxCommand(rest)
        case "ledger": try ledgerCommand(rest)
        case "config": try configCommand(rest)
        case "end": try endCommand(rest)
        case "outputs-off": return try outputsOffCommand(rest)
        case "first-start": return try firstStartCommand(rest)
        case "doctor": return try doctorCommand(rest)
        case "meter": return try MeterCommand(rest).run()
        case "endpoint":
            return endpointCommand(arguments: rest, output: { print($0) }, error: { writeError($0) })
        default:
            throw Arguments.Refusal(
                description: "There is no command \"\(command)\"; `lapel help` lists them.")
        }
        return 0
    } catch let refusal as Arguments.Refusal {
        writeError("lapel: \(refusal)")
        return 2
    } catch {
        writeError("lapel: \(error)")
        return 1
    }
}

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
