import ALSAAudio
import AudioFiles
import Device
import DeviceSettings
import Glibc
import Hardware
import Simulator
import Threads
import Wire

/// The device without hardware: the microphone is a file behind real libasound, the button a script, a socket or the
/// keyboard, the lamp a character in the terminal.
struct Simulation {
    private let plan: SimulationPlan
    private let settings: SettingsInForce

    /// Why a simulation cannot begin.
    enum Failure: Error, Equatable, CustomStringConvertible {
        case encoding(file: String, found: String)
        case pluginMissing(path: String)
        case awkwardName(file: String)
        case undelivered(count: Int, hostSays: String?)

        var description: String {
            switch self {
            case .encoding(let file, let found):
                "\(file) holds \(found): the microphone plays 16, 24 and 32 bit PCM; `sox \(file) -e signed -b 16 out.wav` makes it."
            case .pluginMissing(let path):
                "The microphone plugin is missing (\(path)): build it with `swift build --product asound_module_pcm_card`."
            case .awkwardName(let file): "\(file): a quote or a backslash in the name cannot be used here."
            case .undelivered(let count, let hostSays):
                "\(count) utterance\(count == 1 ? " waits" : "s wait") in the outbox\(hostSays.map { ": \($0)" } ?? ".")"
            }
        }
    }

    init(plan: SimulationPlan, settings: SettingsInForce) {
        self.plan = plan
        self.settings = settings
    }

    /// With a script: until all presses are over and all is sent, or the host has not answered for this long.
    private static let patience = Duration.seconds(20)

    func run() throws -> Int32 {
        let capture = try captureSettings()
        let panel = try plan.panel.map { path in try Panel(path: path) }
        let events = EventQueue()
        let script = Script()
        let pace = ScriptPace { events.ring() }
        let scripted = plan.presses.map { presses in
            ScriptedButton(presses, pace: pace) { script.finish(events) }
        }
        let keyboard =
            plan.usesKeyboard
            ? KeyboardButton { events.post(.endAsked(.shutdown, at: MonotonicClock.now)) } : nil
        defer { keyboard?.restore() }
        if keyboard != nil { writeError("space: a press · h: hold, h again: let go · q: quit") }
        let terminal: any Output = isatty(STDERR_FILENO) == 1 && !plan.json ? TerminalLamp() : NoOutput()
        let lamp: any Output = panel.map { BothOutputs($0, terminal) } ?? terminal
        let buttons = [scripted as (any ButtonSource)?, panel, keyboard].compactMap { $0 }
        let board = DeviceBoard(buttons: buttons, lamp: lamp, motor: NoOutput(), capture: capture)
        let device = try DeviceProgram(settings: settings, board: board, events: events)
        let scriptedPresses = plan.presses?.count ?? TurnReports.usual
        let (reports, waiting) = try device.run(reporting: scriptedPresses) { loop, now in
            if loop.isSettled { pace.caughtUp(at: now) }
            return verdict(loop, now, script, device)
        }
        if plan.json { for report in reports { print(report.json.text) } }
        if let waiting, plan.presses != nil {
            throw Failure.undelivered(count: waiting, hostSays: device.hostSays)
        }
        return 0
    }

    private func verdict(_ loop: DeviceLoop, _ now: Duration, _ script: Script, _ device: DeviceProgram)
        -> DeviceLoop.Verdict
    {
        guard let finished = script.finishedAt, plan.panel == nil else { return .goesOn }
        guard loop.isIdle else { return .goesOn }
        let quietSince = max(finished, loop.reports.all.compactMap { $0.kept ?? $0.ended }.max() ?? finished)
        // The release of the last press is reported, and its light is out, when this has passed.
        let settled = quietSince + .milliseconds(50)
        if now < settled { return .askAgain(at: settled) }
        // The outbox is empty a moment before the loop hears that the last utterance was let go.
        let allHeard = device.hasParked || loop.reports.all.allSatisfy { $0.kept == nil || $0.letGo != nil }
        // A foreign server gives no receipt to hear of.
        let isOver = device.waiting == device.heldBack && (allHeard || !device.isPaired)
        if !device.ships || isOver { return .done }
        return now < quietSince + Self.patience ? .askAgain(at: quietSince + Self.patience) : .done
    }

    /// The plan's file as a capture device.
    func captureSettings() throws -> CaptureSettings {
        let header = try WAVFile.header(plan.microphone)
        switch (header.encoding, header.bitsPerSample) {
        case (.integer, 16), (.integer, 24), (.integer, 32): break
        case (let encoding, let bits):
            throw Failure.encoding(file: plan.microphone, found: "\(bits) bit \(encoding) samples")
        }
        let plugin = try Self.pluginPath()
        guard !plan.microphone.contains(where: { $0 == "\"" || $0 == "\\" || $0 == "\n" }) else {
            throw Failure.awkwardName(file: plan.microphone)
        }
        let time =
            plan.playsOn
            ? "origin \"\(MonotonicClock.now.wholeNanoseconds)\""
            : "lead \(plan.lead.wholeMicroseconds / 1000)"
        let configuration =
            "pcm_type.card { lib \"\(plugin)\" } pcm.mic { type card wav \"\(plan.microphone)\" \(time) }"
        return settings.settings.capture(device: "mic", configuration: configuration)
    }

    /// Beside the program, as built, or where a package puts it.
    private static func pluginPath() throws(Failure) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let program = String(
            decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let folder = program.lastIndex(of: "/").map { String(program[..<$0]) } ?? "."
        let name = "libasound_module_pcm_card.so"
        for path in ["\(folder)/\(name)", "/usr/lib/lapel/\(name)"] where access(path, R_OK) == 0 {
            return path
        }
        throw .pluginMissing(path: "\(folder)/\(name)")
    }
}
