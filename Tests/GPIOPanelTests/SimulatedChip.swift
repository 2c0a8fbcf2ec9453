import Foundation
import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
    /// Only where the kernel makes chips and input devices to order.
    static var onTheVirtualBoard: Self {
        .enabled(
            if: ProcessInfo.processInfo.environment["LAPEL_VIRTUAL_BOARD"] != nil
                && access("/sys/bus/platform/drivers/gpio-sim", F_OK) == 0,
            "wants the kernel's simulated chips and input devices: board/sim test swift")
    }
}

/// A chip of the kernel's own (gpio-sim, `Documentation/admin-guide/gpio/gpio-sim.rst`), gone with its last reference.
/// Its name and its label are no other test's, so that tests may run side by side.
final class SimulatedChip: Sendable {
    struct Broken: Error { let what: String }

    /// Its label.
    let label: String
    private let folder: String

    /// - Parameter lines: the names of its lines, from offset 0; empty for none. Eight lines in all.
    init(_ lines: [String]) throws {
        label = "chip-\(UUID().uuidString.prefix(8))"
        folder = "/sys/kernel/config/gpio-sim/\(label)"
        try make(folder)
        try make("\(folder)/bank0")
        try write("8", "\(folder)/bank0/num_lines")
        try write(label, "\(folder)/bank0/label")
        for (offset, name) in lines.enumerated() where !name.isEmpty {
            try make("\(folder)/bank0/line\(offset)")
            try write(name, "\(folder)/bank0/line\(offset)/name")
        }
        try plug()
    }

    deinit {
        try? unplug()
        for offset in 0..<8 { rmdir("\(folder)/bank0/line\(offset)") }
        rmdir("\(folder)/bank0")
        rmdir(folder)
    }

    func plug() throws { try write("1", "\(folder)/live") }
    func unplug() throws { try write("0", "\(folder)/live") }

    /// What drives a line from outside: `up` is the high level.
    func pull(_ offset: Int, up: Bool) throws {
        try write(up ? "pull-up" : "pull-down", "\(line(offset))/pull")
    }

    /// The level that the program drives the line to.
    func isHigh(_ offset: Int) throws -> Bool { try read("\(line(offset))/value") == "1" }

    /// Looks at the level that the program drives the line to, as often as it is asked, while the chip stays plugged.
    func level(_ offset: Int) throws -> () throws -> Bool {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "\(line(offset))/value"))
        return {
            var level: UInt8 = 0
            guard pread(file.fileDescriptor, &level, 1, 0) == 1 else { throw Broken(what: "pread: \(errno)") }
            return level == UInt8(ascii: "1")
        }
    }

    private func line(_ offset: Int) throws -> String {
        let (device, chip) = (try read("\(folder)/dev_name"), try read("\(folder)/bank0/chip_name"))
        return "/sys/devices/platform/\(device)/\(chip)/sim_gpio\(offset)"
    }

    private func make(_ path: String) throws {
        guard mkdir(path, 0o755) == 0 else { throw Broken(what: "mkdir \(path): \(errno)") }
    }

    private func read(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func write(_ text: String, _ path: String) throws {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { throw Broken(what: "open \(path): \(errno)") }
        defer { close(file) }
        guard Glibc.write(file, text, text.utf8.count) == text.utf8.count else {
            throw Broken(what: "write \(path): \(errno)")
        }
    }
}
