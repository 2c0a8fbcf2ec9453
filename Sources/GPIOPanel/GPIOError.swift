import Hardware

/// Why a GPIO line cannot be had, as a sentence for whoever holds the device.
package enum GPIOError: Error, Equatable, CustomStringConvertible {
    /// The machine has no GPIO chip at all.
    case noChip
    case missingLine(String, existing: [NamedLine])
    case missingChip(String, existing: [String])
    case missingOffset(chip: String, offset: Int, lines: Int)
    /// `consumer` as the kernel names it.
    case busy(line: String, consumer: String)
    case denied(path: String, remedy: String)
    case failed(line: String, operation: String, reason: String)

    package var description: String {
        switch self {
        case .noChip:
            "This machine has no GPIO chip (/dev/gpiochip*); set `button = input:PATH:KEY_…` for a button of another kind, or try `lapel run --simulate`."
        case .missingLine(let name, let existing): Self.missing(name, existing)
        case .missingChip(let label, let existing):
            "There is no GPIO chip labelled \(label); there are \(existing.joined(separator: ", "))."
        case .missingOffset(let chip, let offset, let lines):
            "The GPIO chip \(chip) has no line \(offset): its lines are 0 to \(lines - 1)."
        case .busy(let line, let consumer):
            "The GPIO line \(line) is held by \(consumer): stop that program, remove the device tree overlay that claims it, or use another line."
        case .denied(let path, let remedy): "The GPIO chip \(path) may not be opened: \(remedy)"
        case .failed(let line, let operation, let reason):
            "The GPIO line \(line) could not \(operation): \(reason)."
        }
    }

    /// How many names a sentence lists at most.
    private static let listed = 64

    private static func missing(_ name: String, _ existing: [NamedLine]) -> String {
        guard !existing.isEmpty else {
            return
                "There is no GPIO line named \(name): no line of this machine has a name. Write it as LABEL:OFFSET, as `gpioinfo` shows them."
        }
        let nearest = Spelling.nearest(to: name, among: existing.map(\.name))
        var chips: [String] = []
        for line in existing where !chips.contains(line.chip) { chips.append(line.chip) }
        let lists = chips.map { chip in
            let names = existing.filter { $0.chip == chip }.map(\.name)
            let more = names.count > listed ? " and \(names.count - listed) more" : ""
            return "\(chip) has \(names.prefix(listed).joined(separator: ", "))\(more)"
        }
        return
            "There is no GPIO line named \(name). Nearest: \(nearest.joined(separator: ", ")). \(lists.joined(separator: "; "))."
    }
}
