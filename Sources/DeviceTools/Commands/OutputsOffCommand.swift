import GPIOPanel
import Terminal

/// `lapel outputs-off`: lamp and motor inactive, for the service's `ExecStopPost`. Some kernels keep a line
/// driven after the process that drove it has died.
///
/// A line that cannot be had does not spare the other. Returns 1 when one could not be turned off.
func outputsOffCommand(_ rest: [String]) throws -> Int32 {
    let arguments = try Arguments(settings: rest, values: ["config"])
    try arguments.nothingElse()
    let settings = try settingsInForce(arguments).settings
    var status: Int32 = 0
    for line in [settings.motor, settings.lamp].compactMap({ $0 }) {
        do { try GPIOOutput.turnOff(LineAddress(line)) } catch {
            writeError("lapel: \(error)")
            status = 1
        }
    }
    return status
}
