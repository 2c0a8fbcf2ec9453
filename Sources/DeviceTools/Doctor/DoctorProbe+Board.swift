import ALSAAudio
import Device
import GPIOPanel
import Hardware
import InputButton
import Threads

extension DoctorProbe {
    /// How long lamp and motor are on to be noticed.
    private static let noticed = Duration.milliseconds(200)

    func buttonFacts() -> LineFacts {
        if let facts = factsOfARunningDevice { return facts }
        do {
            let down = try hardware.button(settings).isDown()
            if down == nil, case .input(let path, _) = settings.button {
                return .absent(Obstacle(.missing(path: path)))
            }
            return .here(isDown: down)
        } catch {
            return .refused(Obstacle(any: error))
        }
    }

    /// Takes the line over and switches it on for a moment.
    func outputFacts(_ name: String?) -> LineFacts {
        if name == nil, running.device?.isSimulated != true { return .none }
        if let facts = factsOfARunningDevice { return facts }
        guard let name else { return .none }
        do {
            let output = try hardware.output(name)
            interruption.putOut(output)
            output.set(true)
            let bell = WakeUp()
            let end = MonotonicClock.now + Self.noticed
            while MonotonicClock.now < end { bell.wait(until: end) }
            output.set(false)
            interruption.forget(output)
            return .here(isDown: nil)
        } catch {
            return .refused(Obstacle(any: error))
        }
    }

    private var factsOfARunningDevice: LineFacts? {
        guard running.holdsHardware else { return nil }
        return running.device?.isSimulated == true ? .simulated : .held
    }

    func microphoneFacts(_ permissions: PermissionFacts) -> MicrophoneFacts {
        if let device = running.device, device.isSimulated { return .simulated }
        switch hardware.permission(settings.microphone) {
        case .denied(let remedy):
            return .refused(Obstacle(.denied(device: settings.microphone, remedy: remedy)))
        case .undetermined(let reason):
            let missing = MicrophoneFault.missing(device: settings.microphone)
            let isMissing = reason == missing.description || reason.hasPrefix("the card")
            return .refused(
                isMissing
                    ? Obstacle(missing)
                    : Obstacle(
                        reason, mend: "`arecord -L` lists what there is; set `microphone` to one of it."))
        case .granted: break
        }
        if running.holdsHardware { return .held(isOpen: running.device?.isMicrophoneOpen ?? false) }
        guard permissions.mayWrite else {
            return .unopened(
                Obstacle(
                    "It was not opened: its journal belongs to \(permissions.owner ?? "somebody else").",
                    mend: "Run the command as that user."))
        }
        return listen()
    }

    /// The second with the microphone open.
    private func listen() -> MicrophoneFacts {
        let ledger: Ledger
        do { ledger = try Ledger(folder: folder.ledger) } catch {
            return .unopened(
                Obstacle(
                    "It was not opened: its journal cannot be written.", mend: Obstacle(error).mend))
        }
        announce(
            "The microphone \(settings.microphone) is opened for 1 s now; the opening stands in the journal, and nothing is recorded."
        )
        let lamp = (settings.lamp.flatMap { try? hardware.output($0) }) ?? NoOutput()
        interruption.putOut(lamp)
        lamp.set(true)
        defer {
            lamp.set(false)
            interruption.forget(lamp)
        }
        let listening = Listening(ledger: ledger, interruption: interruption)
        let capture = settings.capture(device: settings.microphone)
        do {
            return .heard(try listening.run { hardware.microphone(capture, NoRecording(), $0) })
        } catch {
            return .refused(error)
        }
    }
}

extension Obstacle {
    /// Of an error that a driver of the board threw.
    init(any error: any Error) {
        switch error {
        case let error as Obstacle: self = error
        case let error as GPIOError: self.init(error)
        case let error as InputError: self.init(error)
        default: self.init("\(error)", mend: "Set another line, or look at `dmesg | tail`.")
        }
    }
}
