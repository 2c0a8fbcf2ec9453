import Device
import Terminal

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
            throw CommandError.usage(
                "`lapel-lab endpoint` is that command; it comes with the package lapel-lab.")
        default:
            throw CommandError.usage("There is no command \"\(command)\"; `lapel help` lists them.")
        }
        return 0
    } catch {
        writeError("lapel: \(error)")
        if case CommandError.usage = error { return 2 }
        return 1
    }
}
