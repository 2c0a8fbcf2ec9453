/// Bounds how many lines of one kind a log takes: so many in each window, and the number of those left out.
struct LineLimit: Equatable, Sendable {
    private let lines: Int
    private let window: Duration
    /// When the running window began; nil before the first line.
    private var began: Duration?
    private var admitted = 0
    private var dropped = 0

    init(lines: Int, window: Duration) {
        self.lines = lines
        self.window = window
    }

    struct Verdict: Equatable, Sendable {
        /// The line may be written now.
        let admitted: Bool
        /// Lines of the window before that were left out, told once.
        let dropped: Int
    }

    mutating func admit(at now: Duration) -> Verdict {
        var left = 0
        if began.map({ now - $0 >= window }) ?? true {
            left = dropped
            began = now
            admitted = 0
            dropped = 0
        }
        guard admitted < lines else {
            dropped += 1
            return Verdict(admitted: false, dropped: left)
        }
        admitted += 1
        return Verdict(admitted: true, dropped: left)
    }
}
