import Glibc
import Hardware
import Synchronization
import Threads

/// The keyboard as a button: the space bar is a tap, `h` holds the thumb down until the next `h`, `q` or Ctrl-D
/// quits. A terminal reports no key's release, so a tap lasts 80 ms by its own stamps.
package final class KeyboardButton: ButtonSource {
    private let quit: @Sendable () -> Void
    private let down = Mutex(false)
    private let terminal: Terminal?

    /// Makes the terminal on standard input deliver single keys, until the program ends.
    package init(quit: @escaping @Sendable () -> Void) {
        self.quit = quit
        terminal = Terminal()
    }

    package func start(report: @escaping @Sendable (ButtonEvent) -> Void) {
        _ = NamedThread("keyboard") { [self] in
            var key: UInt8 = 0
            while read(STDIN_FILENO, &key, 1) == 1 {
                let now = MonotonicClock.now
                switch key {
                case UInt8(ascii: " "):
                    report(.edge(Edge(down: true, at: now)))
                    report(.edge(Edge(down: false, at: now + .milliseconds(80))))
                case UInt8(ascii: "h"):
                    let isDown = down.withLock { down in
                        down.toggle()
                        return down
                    }
                    report(.edge(Edge(down: isDown, at: now)))
                case UInt8(ascii: "q"), 4:
                    quit()
                    return
                default: continue  // any other key is not a button
                }
            }
            quit()
        }
    }

    package func isDown() -> Bool? { down.withLock { $0 } }

    /// Gives the terminal back as it was. Called before the program ends.
    package func restore() { terminal?.restore() }
}

/// The terminal on standard input, without line editing and echo.
private struct Terminal: Sendable {
    private let saved: termios

    /// Nil when standard input is no terminal.
    init?() {
        var state = termios()
        guard tcgetattr(STDIN_FILENO, &state) == 0 else { return nil }
        saved = state
        state.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(STDIN_FILENO, TCSANOW, &state)
    }

    func restore() {
        var state = saved
        tcsetattr(STDIN_FILENO, TCSANOW, &state)
    }
}
