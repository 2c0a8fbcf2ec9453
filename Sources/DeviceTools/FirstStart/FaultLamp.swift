import Cues
import DeviceSettings
import GPIOPanel
import Glibc
import Hardware
import Turn

/// A lamp for a fault that is found before the device runs: the settings' own, else the board's.
struct FaultLamp {
    private let lamp: any Output

    /// Nil when there is no lamp to be had.
    init?(settingsFile: String) {
        let inForce = (try? SettingsInForce(file: settingsFile)) ?? (try? SettingsInForce(file: nil))
        if let line = inForce?.settings.lamp, let output = try? GPIOOutput(LineAddress(line)) {
            lamp = output
        } else if let output = BoardLamp() {
            lamp = output
        } else {
            return nil
        }
    }

    /// The fault's code, three times, dark in between. Blocks for as long.
    func blink(_ fault: Fault) {
        guard case .once(let flashes) = LampPattern.of(.stopped(fault)) else { return }
        for _ in 0..<3 {
            for flash in flashes {
                lamp.set(false)
                pause(flash.dark)
                lamp.set(true)
                pause(flash.lit)
            }
            lamp.set(false)
            pause(.milliseconds(1500))
        }
    }

    private func pause(_ length: Duration) {
        var left = timespec(
            tv_sec: Int(length.components.seconds),
            tv_nsec: Int(length.components.attoseconds / 1_000_000_000))
        // A signal only interrupts it: what is left is waited for.
        var rest = timespec()
        while clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &rest) == EINTR { left = rest }
    }
}

/// The board's own activity light, as the kernel's LED class shows it. What it showed before, it shows again afterwards.
///
/// Source: Linux, Documentation/ABI/testing/sysfs-class-led.
private final class BoardLamp: Output {
    private let folder: String
    private let trigger: String?

    init?() {
        guard
            let folder = ["ACT", "led0"].map({ "/sys/class/leds/" + $0 }).first(where: {
                access($0 + "/brightness", W_OK) == 0
            })
        else { return nil }
        self.folder = folder
        var buffer = [UInt8](repeating: 0, count: 4096)
        let descriptor = open(folder + "/trigger", O_RDONLY | O_CLOEXEC)
        let count = descriptor < 0 ? 0 : read(descriptor, &buffer, buffer.count)
        close(descriptor)
        // The one in force stands in brackets.
        let words = String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self).split(separator: " ")
        trigger = words.first { $0.hasPrefix("[") }.map { String($0.dropFirst().prefix { $0 != "]" }) }
        put("none", "trigger")
    }

    deinit {
        if let trigger { put(trigger, "trigger") }
    }

    func set(_ on: Bool) { put(on ? "255" : "0", "brightness") }

    private func put(_ text: String, _ file: String) {
        let descriptor = open(folder + "/" + file, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = text.withCString { write(descriptor, $0, strlen($0)) }
        close(descriptor)
    }
}
