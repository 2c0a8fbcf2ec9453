import ALSAAudio
import DeviceMachine
import DeviceSettings
import DurableFiles
import Glibc
import Hardware
import Identity
import Outbox
import Sealing
import Service
import Shipper
import Synchronization
import Threads
import Turn
import Wire

/// The whole device, put together: outbox, keys, recorder, microphone, transfer, control socket, loop.
package final class DeviceProgram {
    private let inForce: SettingsInForce
    let settings: DeviceSettings
    private let board: DeviceBoard
    let folder: DeviceFolder
    let events: EventQueue
    let outbox: Outbox
    let keys: DeviceKeys.Prepared
    private let sealing: SealingKeys
    private let ledger: Ledger
    package let log: Log
    private let status = StatusBoard()
    /// The microphone was not there at the start: it is waited for from then on.
    package var awaitsMicrophone = false

    /// Opens everything that can be refused, so that a wrong folder or a damaged key is one sentence at the start.
    package init(settings inForce: SettingsInForce, board: DeviceBoard, events: EventQueue) throws {
        self.inForce = inForce
        settings = inForce.settings
        self.board = board
        self.events = events
        folder = DeviceFolder(path: settings.outboxDirectory)
        log = Log(level: settings.log)
        outbox = try Outbox(
            directory: folder.path,
            limits: Limits(
                maxBytes: settings.outboxMax, reserveFraction: settings.reserve,
                full: settings.dropsOldest ? .dropOldest : .refuse),
            salvage: SalvagedAudio.init(repairing:format:))
        // Once made, the TLS key is not touched here: libcurl reads it, and GnuTLS stays out of memory.
        let keyFiles = DeviceKeys(folder: folder)
        keys = try keyFiles.prepare(serial: DeviceKeys.boardSerial())
        sealing = SealingKeys(
            keyFiles, isOn: settings.seals,
            backup: settings.backupRecipient.flatMap { AgeRecipient($0) })
        ledger = try Ledger(folder: folder.ledger)
        tellStartup()
        try tellKeys(keyFiles)
        if settings.seals { outbox.prepareForSealing() }
    }

    private func tellStartup() {
        let found = outbox.startup
        if !found.recovered.isEmpty {
            log.write(
                .notice, "recovered \(found.recovered.count) recordings that a crash had left unfinished")
        }
        for file in found.parked { log.write(.error, "\(file) could not be understood; it is in parked/") }
        for problem in found.problems { log.write(.error, problem) }
    }

    /// Finishes what a pairing left, and says what the wearer must know of the keys.
    private func tellKeys(_ keyFiles: DeviceKeys) throws {
        if keys.isMoved {
            log.write(.error, DeviceKeys.movedSentence)
        }
        // A damaged file is told by the transfer.
        let host = try? PairedHostFile.load(folder.host)
        let isHeldAlone = try keyFiles.settle(with: host)
        if !settings.seals {
            log.write(
                .error,
                "RECORDINGS ARE STORED IN THE CLEAR (seal = off): whoever holds this device can hear them. This is for bench work; set seal = on."
            )
        }
        if let host, host.recipients.isEmpty {
            log.write(
                .error,
                "the pairing with \(host.name) is older than sealing and names no key: recordings are sealed to this device's own key and wait. Pair again."
            )
        } else if isHeldAlone {
            log.write(
                .error,
                "\(folder.unpairedKey) holds a key that the host does not have, and recordings may be sealed to it. Pair again: that hands it over."
            )
        }
    }

    /// Utterances that the host has not acknowledged.
    package var waiting: Int { outbox.counts().waiting }
    /// The host refused some for good.
    package var hasParked: Bool { outbox.counts().parked > 0 }
    /// A host is remembered.
    package var isPaired: Bool { (try? PairedHostFile.load(folder.host)) != nil }
    /// Recordings go somewhere.
    package var ships: Bool { isPaired || settings.foreign != nil }
    /// Sealed to keys that the paired host does not hold.
    package var heldBack: Int { status.current.heldBack }
    /// Why the host is not reached, in its own words.
    package var hostSays: String? { heldBackSentence(heldBack) ?? status.current.hostSays }

    /// Runs until a signal, or until `isDone`. Everything recorded is in `out/` when it returns.
    ///
    /// - Returns: the latest presses of this run, as many as `reporting` says, and how many utterances wait for where
    ///   they go; nil when none do.
    package func run(
        reporting presses: Int = TurnReports.usual,
        isDone: @escaping (DeviceLoop, Duration) -> DeviceLoop.Verdict = { _, _ in .goesOn }
    ) throws -> (reports: [TurnReport], waiting: Int?) {
        Signals.deliver(to: events)
        let events = events
        let queue = AudioQueue(rate: settings.rate, channels: settings.channels, wakeUp: WakeUp())
        let microphone = makeMicrophone(queue)
        let recorder = Recorder(
            outbox: outbox, ledger: ledger, queue: queue, form: form, recipients: sealing.recipients
        ) { events.post(.recorder($0)) }
        let shipper = makeShipper()
        let gauge = board.battery.map { battery in
            Errand("battery") { _ in events.post(.battery(battery.read(), at: MonotonicClock.now)) }
        }
        let watch = makeWatch()
        // A simulation holds nobody's machine awake.
        let sleep =
            board.capture.configuration == nil
            ? SleepDelay { events.post(.endAsked(.sleep, at: MonotonicClock.now)) } : nil
        let control = try ControlServer(path: folder.control, answer: answer(shipper))
        let loop = DeviceLoop(
            parts: DeviceLoop.Parts(
                button: board.buttons, lamp: board.lamp, motor: board.motor, microphone: microphone,
                recorder: recorder, wakeTransfer: { shipper.wake(reset: true) }, ledger: ledger,
                log: log, rate: settings.rate,
                holdSleep: { sleep?.want($0) }, readBattery: { gauge?.ask() },
                awaitMicrophone: { watch?.ask() }),
            settings: machineSettings, events: events, board: status, reporting: presses, isDone: isDone)
        recorder.order(.checkRoom)
        shipper.wake(reset: true)
        if awaitsMicrophone { watch?.ask() }
        loop.run()
        Service.notifyStopping()
        control.shutDown()
        gauge?.shutDown()
        watch?.shutDown()
        microphone.shutDown()
        recorder.shutDown()
        try? ledger.write()  // what was said last
        sleep?.shutDown()
        shipper.shutDown()
        board.lamp.set(false)
        board.motor.set(false)
        let waiting = waiting
        return (loop.reports.all, ships && waiting > 0 ? waiting : nil)
    }

    /// The microphone on its way to the queue, through the front end that the rule asks for.
    private func makeMicrophone(_ queue: AudioQueue) -> ALSAMicrophone {
        let (events, ledger, log) = (events, ledger, log)
        let opening: @Sendable () -> Void = {
            do { try ledger.write() } catch { log.write(.error, "\(error)") }
        }
        switch settings.rule {
        case .reference:
            return ALSAMicrophone(settings: board.capture, sink: queue, beforeOpening: opening) {
                events.post(.microphone($0))
            }
        case .lapel:
            let analyser = SpeechAnalyser(rate: settings.rate, channels: settings.channels, next: queue)
            return ALSAMicrophone(settings: board.capture, sink: analyser, beforeOpening: opening) {
                events.post(analyser.heard($0))
            }
        }
    }

    /// Tells when a microphone that was missed is there; nil in a simulation, whose microphone is a file.
    private func makeWatch() -> Errand? {
        guard board.capture.configuration == nil else { return nil }
        let (events, device) = (events, board.capture.device)
        return MicrophoneWatch.errand(
            look: { ALSAMicrophone.permission(device: device) },
            report: {
                let (_, line) = MicrophonePermission.granted.startLine(device)
                events.post(.microphoneReady(line, at: MonotonicClock.now))
            })
    }

    private var machineSettings: DeviceMachine.Settings {
        var machine = DeviceMachine.Settings()
        machine.mode = settings.mode
        machine.limits.noSpeech = .seconds(settings.noSpeech)
        machine.limits.longest = .seconds(settings.longest)
        machine.limits.memoLongest = .seconds(settings.memoLongest)
        machine.rule = settings.rule
        machine.patience = settings.patience
        machine.lamp = board.hasLamp
        machine.motor = board.hasMotor
        machine.haptics = settings.haptics
        machine.battery = board.battery != nil
        return machine
    }

    private var form: RecordingForm {
        var form = RecordingForm()
        form.format = settings.format
        form.rate = settings.rate
        form.channels = settings.channels
        form.bitrate = settings.bitrate
        form.device = keys.pin
        form.deviceName = settings.deviceName
        form.language = settings.language
        form.participant = settings.participant
        form.session = settings.session
        return form
    }

    private func answer(_ shipper: Shipper) -> @Sendable (ControlWord) -> JSON {
        let (status, outbox, events, folder, inForce) = (status, outbox, events, folder, inForce)
        let (isSealed, foreign) = (settings.seals, settings.foreign)
        let (battery, isSimulated) = (board.battery, board.capture.configuration != nil)
        return { word in
            switch word {
            case .status:
                return status.current.json(
                    outbox: outbox.counts(), pairedHost: pairedName(folder), foreign: foreign,
                    isSealed: isSealed, battery: battery?.read(), isSimulated: isSimulated)
            case .outbox: return (try? outboxListing(folder)) ?? .array([])
            case .ledger: return .array((try? Ledger.records(in: folder.ledger)) ?? [])
            case .config: return inForce.json
            case .end:
                events.post(.endAsked(.request, at: MonotonicClock.now))
                return ["asked": "end"]
            case .paired:
                shipper.wake(reset: true)
                return ["asked": "paired"]
            case .pairingRefused:
                let sentence = "the pairing file of the boot partition led to no pairing"
                events.post(.host(.mistrusted(sentence, at: MonotonicClock.now)))
                return ["asked": "pairing-refused"]
            }
        }
    }
}

/// The paired host's name; nil when the device is not paired.
private func pairedName(_ folder: DeviceFolder) -> String? { (try? PairedHostFile.load(folder.host))?.name }
