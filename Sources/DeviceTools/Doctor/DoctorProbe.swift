import Device
import DeviceSettings
import DurableFiles
import Glibc
import Hardware
import Outbox
import SystemFiles
import Threads
import Wire

// Invariants
// 1. Beside a running device nothing of the hardware that it holds is touched, and its microphone is not opened.
// 2. The microphone is opened once, for a second, with the lamp lit, and not without its record in the journal.
// 3. Every line that was taken over is let go, inactive, before the next check.
// 4. Nothing that is left in the outbox's folder belongs to another user than the outbox.

/// Looks at everything that a device needs, one thing after the other. What it finds is judged elsewhere.
final class DoctorProbe {
    let settings: DeviceSettings
    let folder: DeviceFolder
    let hardware: DoctorHardware
    let running: RunningFacts
    /// Of the settings: where they came from.
    private let origin: String
    /// Puts the lamp and the motor out when somebody breaks the command off.
    let interruption: Interruption
    /// Said before the microphone is opened.
    let announce: (String) -> Void

    /// Asks the device that runs with the outbox; its settings are the ones that count then.
    ///
    /// - Parameter origin: the settings' file; nil: there is none.
    init(
        settings: DeviceSettings, origin: String?, hardware: DoctorHardware = .real,
        interruption: Interruption = Interruption(), announce: @escaping (String) -> Void = { _ in }
    ) {
        folder = DeviceFolder(path: settings.outboxDirectory)
        running = Self.ask(folder)
        self.hardware = hardware
        self.interruption = interruption
        self.announce = announce
        if running.device != nil, let config = try? ControlClient.ask(.config, at: folder.control) {
            self.settings = settings.overruled(by: config)
            self.origin = "As the running device has them."
        } else {
            self.settings = settings
            self.origin =
                origin.map { "Read from \($0)." }
                ?? "There is no file: built-in values, and the options given."
        }
    }

    /// Each check in its turn, as soon as it is done.
    func examine(_ tell: (Finding) -> Void) {
        tell(.good("settings", origin))
        tell(running.finding)
        let permissions = permissionFacts()
        tell(permissions.finding)
        // What else this user would see is not what the device sees.
        if !permissions.mayRead { return }
        tell(BoardFacts.button("\(settings.button)", buttonFacts()))
        tell(BoardFacts.lamp(settings.lamp, outputFacts(settings.lamp)))
        tell(BoardFacts.motor(settings.motor, outputFacts(settings.motor)))
        tell(microphoneFacts(permissions).finding(settings.microphone))
        tell(.good("speaker", "None: this version plays no sound."))
        tell(cardFacts(permissions).finding)
        let host = pairedHost()
        tell(outboxFacts(host).finding)
        for finding in keyFacts(host).findings { tell(finding) }
        tell(hostFacts(host).finding)
        tell(clockFacts().finding)
        tell(BatteryFacts(level: hardware.battery.read()).finding)
    }

    private static func ask(_ folder: DeviceFolder) -> RunningFacts {
        do {
            return .running(RunningDevice(status: try ControlClient.ask(.status, at: folder.control)))
        } catch {
            switch error {
            case .noDevice, .pathTooLong: return .none
            case .failed(_, _, let reason):
                var status = stat()
                // Nobody can listen where nothing is.
                if lstat(folder.control, &status) != 0, errno != EACCES { return .none }
                return .silent(
                    reason: "\(reason.lowercased()).",
                    owner: owner(of: folder.control) ?? owner(of: folder.path))
            }
        }
    }

    static func owner(of path: String) -> String? {
        var status = stat()
        return lstat(path, &status) == 0 ? userName(status.st_uid) ?? "\(status.st_uid)" : nil
    }

    private func permissionFacts() -> PermissionFacts {
        let user = userName(geteuid()) ?? "\(geteuid())"
        let owner = Self.owner(of: folder.path)
        return PermissionFacts(
            user: user, isRoot: geteuid() == 0, owner: owner == user ? nil : owner,
            closed: running.holdsHardware ? [] : hardware.closed(settings))
    }

    private func clockFacts() -> ClockFacts {
        let wall = MonotonicClock.wall
        var seconds = time_t(wall.components.seconds)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + "\(number)" }
        let day = "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        return ClockFacts(
            isSynchronised: MonotonicClock.wallIsSynchronised, wall: wall,
            words: "\(day) \(two(parts.tm_hour)):\(two(parts.tm_min)) UTC")
    }
}

extension DeviceSettings {
    /// The values that a running device tells; what it does not tell stays.
    func overruled(by config: JSON) -> DeviceSettings {
        var settings = self
        for (name, entry) in config.members ?? [] {
            if let key = SettingKey.named(name), let value = entry["value"]?.string {
                _ = key.apply(&settings, value)
            }
        }
        return settings
    }
}
