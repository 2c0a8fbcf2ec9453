import Glibc
import Wire

/// Where a command's words go. A test gives its own.
package struct Console: Sendable {
    /// What the command was asked for: text or JSON, without its last newline.
    package let out: @Sendable (String) -> Void
    /// What a person should know beside it: errors, log lines.
    package let log: @Sendable (String) -> Void
    /// Characters a line.
    package let columns: Int
    /// Colours may be set.
    package let isTerminal: Bool

    package init(
        out: @escaping @Sendable (String) -> Void, log: @escaping @Sendable (String) -> Void,
        columns: Int = 80, isTerminal: Bool = false
    ) {
        self.out = out
        self.log = log
        self.columns = columns
        self.isTerminal = isTerminal
    }

    /// Standard output and standard error. Each line is one write, so that lines of two threads never mix.
    package static let standard = Console(
        out: { write(Array(($0 + "\n").utf8), to: STDOUT_FILENO) },
        log: { write(Array(($0 + "\n").utf8), to: STDERR_FILENO) },
        columns: width(), isTerminal: isatty(STDOUT_FILENO) == 1)

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            // Nobody reads any more.
            guard count > 0 else { return }
            done += count
        }
    }

    private static func width() -> Int {
        if let text = getenv("COLUMNS"), let columns = Int(String(cString: text)), columns > 0 {
            return columns
        }
        var size = winsize()
        let known = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return known ? Int(size.ws_col) : 80
    }

    /// One JSON value on one line.
    package func out(_ json: JSON) { out(json.text) }
}
