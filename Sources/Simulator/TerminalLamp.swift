import Glibc
import Hardware

/// The lamp as one character at the beginning of the terminal's line: a filled circle while it is lit.
package final class TerminalLamp: Output {
    package init() {}

    package func set(_ on: Bool) {
        let text = on ? "\r\u{1B}[91m●\u{1B}[0m " : "\r○ "
        _ = text.utf8.withContiguousStorageIfAvailable { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

/// Two lines driven as one: the panel's lamp and the terminal's.
package final class BothOutputs: Output {
    private let first: any Output
    private let second: any Output

    package init(_ first: any Output, _ second: any Output) {
        self.first = first
        self.second = second
    }

    package func set(_ on: Bool) {
        first.set(on)
        second.set(on)
    }
}
