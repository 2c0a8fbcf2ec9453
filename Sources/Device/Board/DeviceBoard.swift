import ALSAAudio
import DeviceMachine
import DeviceSettings
import GPIOPanel
import Hardware
import InputButton
import SystemFiles
import Turn

/// The hardware that one run of the program drives.
package struct DeviceBoard {
    let buttons: [any ButtonSource]
    let lamp: any Output
    let motor: any Output
    /// How the microphone is opened.
    package let capture: CaptureSettings
    var hasLamp = true
    var hasMotor = false
    /// Nil in a simulation: the battery of the machine that it runs on is none of its own.
    var battery: (any Battery)?

    /// A board without lines of its own, as a simulation has.
    package init(
        buttons: [any ButtonSource], lamp: any Output, motor: any Output, capture: CaptureSettings
    ) {
        self.buttons = buttons
        self.lamp = lamp
        self.motor = motor
        self.capture = capture
    }
}

extension DeviceBoard {
    /// The board that the settings describe. Its lines are requested here, lamp and motor inactive; the microphone
    /// stays closed.
    package init(_ settings: DeviceSettings) throws {
        buttons = [try Self.button(settings)]
        lamp = try Self.output(settings.lamp)
        motor = try Self.output(settings.motor)
        capture = settings.capture(device: settings.microphone)
        hasLamp = settings.lamp != nil
        hasMotor = settings.motor != nil
        battery = KernelBattery()
    }

    /// The button that the settings name, watched by nobody yet.
    package static func button(_ settings: DeviceSettings) throws -> any ButtonSource {
        let address: LineAddress
        switch settings.button {
        case .line(let name): address = .name(name)
        case .offset(let chip, let offset): address = .offset(chip: chip, offset: offset)
        case .input(let path, let key): return try InputButton(path: path, key: key)
        }
        return try GPIOButton(
            address, bias: settings.buttonBias, activeLow: settings.buttonActive == .low)
    }

    private static func output(_ name: String?) throws -> any Output {
        guard let name else { return NoOutput() }
        return try GPIOOutput(LineAddress(name))
    }
}

extension DeviceSettings {
    /// How a capture device of that name is opened.
    ///
    /// - Parameter configuration: of libasound, in place of the machine's own; nil for a card.
    package func capture(device: String, configuration: String? = nil) -> CaptureSettings {
        CaptureSettings(
            device: device, configuration: configuration, rate: rate, channels: channels, gain: gain,
            highpass: highpass, settle: .milliseconds(settle))
    }
}

extension MicrophonePermission {
    /// What the log says at the start, and how much it matters.
    package func startLine(_ microphone: String) -> (level: LogLevel, line: String) {
        switch self {
        case .granted: (.notice, "The microphone \(microphone) is there and may be used.")
        case .denied(let remedy): (.error, "The microphone \(microphone) may not be opened: \(remedy)")
        case .undetermined(let reason):
            (
                .notice,
                "The microphone \(microphone) is not there yet; a press works as soon as it is. \(reason)"
            )
        }
    }
}
