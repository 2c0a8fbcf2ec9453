import ALSAAudio
import Device
import DeviceSettings
import GPIOPanel
import Glibc
import Hardware
import InputButton
import SystemFiles

/// How the doctor gets at the hardware; a test has another.
struct DoctorHardware: Sendable {
    /// The settings' button, taken over: throws a `Obstacle`, or what the drivers throw.
    var button: @Sendable (DeviceSettings) throws -> any ButtonSource
    /// An output line, taken over and inactive.
    var output: @Sendable (String) throws -> any Output
    var permission: @Sendable (_ microphone: String) -> MicrophonePermission
    /// A microphone that opens nothing yet.
    var microphone:
        @Sendable (CaptureSettings, any AudioSink, @escaping @Sendable (MicrophoneEvent) -> Void) ->
            any Microphone
    var battery: any Battery
    /// Device files that the settings need and this user may not open.
    var closed: @Sendable (DeviceSettings) -> [PermissionFacts.Closed]

    static let real = DoctorHardware(
        button: { try DeviceBoard.button($0) },
        output: { try GPIOOutput(LineAddress($0)) },
        permission: { ALSAMicrophone.permission(device: $0) },
        microphone: { ALSAMicrophone(settings: $0, sink: $1, report: $2) },
        battery: KernelBattery(),
        closed: closedFiles)
}

private func closedFiles(_ settings: DeviceSettings) -> [PermissionFacts.Closed] {
    var files: [DeviceFile] = []
    var usesLines = settings.lamp != nil || settings.motor != nil
    switch settings.button {
    case .line, .offset: usesLines = true
    case .input(let path, _): files.append(DeviceFile(path: path, subsystem: "input", group: "input"))
    }
    if usesLines {
        files += folderEntries("/dev").filter { $0.hasPrefix("gpiochip") }.sorted().map {
            DeviceFile(path: "/dev/\($0)", subsystem: "gpio", group: "gpio")
        }
    }
    var closed = files.filter { access($0.path, F_OK) == 0 && !$0.isOpen }.map {
        PermissionFacts.Closed(path: $0.path, remedy: $0.remedy)
    }
    if case .denied(let remedy) = ALSAMicrophone.permission(device: settings.microphone) {
        closed.append(PermissionFacts.Closed(path: settings.microphone, remedy: remedy))
    }
    return closed
}
