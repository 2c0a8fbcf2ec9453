import DeviceMachine
import Glibc
import Service
import Turn

/// The program's log: one line a fact, on standard error. The journal reads the priority of each line from its
/// `<N>` prefix (`sd-daemon(3)`); a person sees none.
package struct Log: Sendable {
    let level: LogLevel

    /// Says the line, unless it matters less than what is logged.
    package func write(_ level: LogLevel, _ line: String) {
        guard level.rank <= self.level.rank else { return }
        let text = (Service.logsToJournal ? level.prefix : "") + line + "\n"
        _ = text.utf8.withContiguousStorageIfAvailable {
            Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count)
        }
    }
}

extension LogLevel {
    fileprivate var rank: Int {
        switch self {
        case .error: 0
        case .notice: 1
        case .debug: 2
        }
    }

    fileprivate var prefix: String {
        switch self {
        case .error: "<3>"
        case .notice: "<5>"
        case .debug: "<7>"
        }
    }
}
