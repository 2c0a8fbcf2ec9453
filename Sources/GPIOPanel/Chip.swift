import CGPIOD
import Glibc
import SystemFiles

/// An open GPIO chip. Closed with the value, or by the line that was requested of it.
struct Chip: ~Copyable {
    private let handle: UnsafeMutablePointer<lapel_gpio_chip>
    let path: String

    /// Nil with `errno` set.
    init?(path: String) {
        guard let handle = lapel_gpio_open(path) else { return nil }
        self.handle = handle
        self.path = path
    }

    deinit { lapel_gpio_close(handle) }

    var label: String {
        var text = [CChar](repeating: 0, count: 32)
        lapel_gpio_label(handle, &text)
        return string(of: text)
    }

    var lineCount: Int { max(0, Int(lapel_gpio_count(handle))) }

    /// What the kernel says of a line; nil when it says nothing.
    func line(_ offset: Int) -> (name: String, consumer: String?)? {
        var info = lapel_gpio_info()
        guard lapel_gpio_look(handle, Int32(offset), &info) == 0 else { return nil }
        let name = withUnsafeBytes(of: info.name) { string(of: $0.bindMemory(to: CChar.self)) }
        let consumer = withUnsafeBytes(of: info.consumer) { string(of: $0.bindMemory(to: CChar.self)) }
        guard info.used != 0 else { return (name, nil) }
        return (name, consumer.isEmpty ? "the kernel" : consumer)
    }

    func request(_ direction: LineDirection, offset: Int) -> UnsafeMutablePointer<lapel_gpio_line>? {
        switch direction {
        case .output: lapel_gpio_request_output(handle, Int32(offset), lineConsumer)
        case .input(let bias, let activeLow):
            lapel_gpio_request_input(handle, Int32(offset), lineConsumer, bias.code, activeLow ? 1 : 0)
        }
    }

    /// The device files of the chips, in the order of their numbers. A second name of a chip (some systems link
    /// `gpiochip4` to `gpiochip0`) is left out.
    static func paths(in folder: String) -> [String] {
        let numbers = folderEntries(folder).compactMap { name in
            name.hasPrefix("gpiochip") ? Int(name.dropFirst(8)) : nil
        }
        return numbers.sorted().map { "\(folder)/gpiochip\($0)" }.filter { path in
            var status = stat()
            return lstat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFLNK
        }
    }
}

/// What the kernel shows as the holder of our lines.
let lineConsumer = "lapel"

private func string(of text: some Sequence<CChar>) -> String {
    String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
