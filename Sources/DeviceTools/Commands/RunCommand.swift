import ALSAAudio
import AudioFiles
import Device
import DeviceSettings
import Glibc
import Hardware
import Simulator
import Terminal
import Threads

/// `lapel run`: the device itself, or its simulation.
struct RunCommand {
    private let arguments: Arguments
    private let settings: SettingsInForce

    init(_ rest: [String]) throws {
        arguments = try Arguments(
            settings: rest, flags: ["simulate", "json", "mic-plays"],
            values: ["config", "mic", "mic-lead", "press", "panel"])
        try arguments.nothingElse()
        settings = try settingsInForce(arguments)
    }

    func run() throws -> Int32 {
        guard arguments.has("simulate") else {
            for option in ["mic", "mic-lead", "press", "panel"] where arguments[option] != nil {
                throw CommandError.usage("--\(option) exists only with --simulate.")
            }
            for flag in ["json", "mic-plays"] where arguments.has(flag) {
                throw CommandError.usage("--\(flag) exists only with --simulate.")
            }
            return try runBoard()
        }
        return try Simulation(plan: plan(), settings: settings).run()
    }

    /// On real hardware, until a signal. A microphone that is not there yet is no reason to end: a card may appear
    /// 20 s after the boot.
    private func runBoard() throws -> Int32 {
        let board = try DeviceBoard(settings.settings)
        let device = try DeviceProgram(settings: settings, board: board, events: EventQueue())
        let permission = ALSAMicrophone.permission(device: board.capture.device)
        let told = permission.startLine(board.capture.device)
        device.log.write(told.level, told.line)
        device.awaitsMicrophone = permission != .granted
        _ = try device.run()
        return 0
    }

    private func plan() throws -> SimulationPlan {
        if settings.origins["microphone"] != nil {
            throw CommandError.usage(
                "--simulate hears only a file: leave `microphone` out and give --mic FILE.wav.")
        }
        guard let file = arguments["mic"] else {
            throw CommandError.usage("--simulate needs --mic FILE.wav: what the microphone hears.")
        }
        let presses = try arguments["press"].map(Self.presses)
        let panel = arguments["panel"]
        let lead = Double(arguments["mic-lead"] ?? "0") ?? -1
        guard (0...60).contains(lead), lead == 0 || !arguments.has("mic-plays") else {
            throw CommandError.usage(
                "--mic-lead takes seconds from 0 to 60, and not together with --mic-plays.")
        }
        if presses == nil, panel == nil, isatty(STDIN_FILENO) == 0 {
            throw CommandError.usage("Nothing can press: give --press or --panel, or run it in a terminal.")
        }
        return SimulationPlan(
            microphone: file, lead: .seconds(lead), playsOn: arguments.has("mic-plays"),
            presses: presses, panel: panel,
            json: arguments.has("json"))
    }

    /// `0.5,6.0` or, held for a second and a half, `2+1.5`; `none` only sends what waits.
    static func presses(_ text: String) throws(CommandError) -> [ScriptedPress] {
        if text == "none" { return [] }
        var presses: [ScriptedPress] = []
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = item.split(separator: "+", omittingEmptySubsequences: false).map { Double($0) }
            guard (1...2).contains(parts.count), let at = parts[0], (0...86_400).contains(at),
                let held = parts.count == 2 ? parts[1] : 0.08, (0.001...3600).contains(held)
            else {
                throw CommandError.usage(
                    "--press \(text): \"\(item)\" is not a time in seconds, as 0.5 or 2+1.5.")
            }
            presses.append(ScriptedPress(at: .seconds(at), held: .seconds(held)))
        }
        presses.sort { $0.at < $1.at }
        for (press, next) in zip(presses, presses.dropFirst()) where press.at + press.held >= next.at {
            throw CommandError.usage(
                "--press \(text): the press at \(next.at.inSeconds) s begins before the one at \(press.at.inSeconds) s is over."
            )
        }
        return presses
    }
}

/// What a simulation is to do.
struct SimulationPlan: Equatable {
    let microphone: String
    /// Quiet before the file begins, at each opening.
    let lead: Duration
    /// The file plays on from the start of the program; else each opening hears it from its start.
    let playsOn: Bool
    /// Nil: no script.
    let presses: [ScriptedPress]?
    let panel: String?
    let json: Bool

    /// The keyboard is the button where nothing else is.
    var usesKeyboard: Bool { presses == nil && panel == nil }
}
