import DeviceSettings
import Glibc
import Terminal
import Wire

/// `lapel doctor`: looks at everything that the device needs and says in one line each how it stands.
///
/// Returns 1 when something does not work.
func doctorCommand(_ rest: [String]) throws -> Int32 {
    let arguments = try Arguments(settings: rest, flags: ["json", "live"], values: ["config"])
    try arguments.nothingElse()
    let asJSON = arguments.has("json")
    let settings: SettingsInForce
    do { settings = try settingsInForce(arguments) } catch let error as SettingsError {
        let finding = Finding.faulty(
            "settings", "\(error)",
            mend: "Until then `lapel run` does not start, and nothing else was looked at.")
        print(asJSON ? JSON.array([finding.json]).text : finding.line(isColoured: isatty(STDOUT_FILENO) == 1))
        return 1
    }
    if arguments.has("live") {
        guard !asJSON else { throw CommandError.usage("--live is for eyes: leave out --json.") }
        return try LiveCommand(settings.settings).run()
    }
    let interruption = Interruption()
    interruption.watch()
    let probe = DoctorProbe(
        settings: settings.settings, origin: settingsFile(arguments), interruption: interruption,
        announce: { writeError($0) })
    var findings: [Finding] = []
    let isColoured = isatty(STDOUT_FILENO) == 1
    probe.examine { finding in
        findings.append(finding)
        if !asJSON { print(finding.line(isColoured: isColoured)) }
        fflush(nil)
    }
    if asJSON { print(JSON.array(findings.map(\.json)).text) }
    return interruption.isInterrupted ? 130 : findings.exitCode
}
