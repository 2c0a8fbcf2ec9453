import Glibc
import SystemFiles

/// A line that exists, on its open chip.
struct FoundLine: ~Copyable {
    let chip: Chip
    let offset: Int

    /// Looks through all chips in the order of their numbers; the first that has the line has it.
    init(_ address: LineAddress, folder: String) throws(GPIOError) {
        let paths = Chip.paths(in: folder)
        guard !paths.isEmpty else { throw .noChip }
        var labels: [String] = []
        var names: [NamedLine] = []
        var closed: String?
        for path in paths {
            guard let chip = Chip(path: path) else {
                if errno == EACCES || errno == EPERM { closed = closed ?? path }
                continue
            }
            let label = chip.label
            labels.append(label)
            switch address {
            case .offset(label, let offset):
                guard offset < chip.lineCount else {
                    throw .missingOffset(chip: label, offset: offset, lines: chip.lineCount)
                }
                self.chip = chip
                self.offset = offset
                return
            case .offset: continue
            case .name(let wanted):
                var found: Int?
                for offset in 0..<chip.lineCount where found == nil {
                    guard let line = chip.line(offset), !line.name.isEmpty else { continue }
                    if line.name == wanted { found = offset }
                    names.append(NamedLine(chip: label, name: line.name))
                }
                guard let found else { continue }
                self.chip = chip
                offset = found
                return
            }
        }
        if let closed {
            throw .denied(
                path: closed, remedy: DeviceFile(path: closed, subsystem: "gpio", group: "gpio").remedy)
        }
        switch address {
        case .name(let name): throw .missingLine(name, existing: names)
        case .offset(let chip, _): throw .missingChip(chip, existing: labels)
        }
    }

    /// Why the kernel does not hand the line out.
    func refusal(_ address: LineAddress, _ code: Int32) -> GPIOError {
        if code == EBUSY {
            return .busy(line: "\(address)", consumer: chip.line(offset)?.consumer ?? "another program")
        }
        return .failed(
            line: "\(address)", operation: "be requested", reason: String(cString: strerror(code)))
    }
}
