/// The motor's pulses in time, their cap, and the noise they leave in a recording.
///
/// 1. The motor never runs longer than 5 s at a stretch, whatever is asked; after such a stretch it rests for a second.
/// 2. Only what was put out counts as noise.
struct MotorLine: Equatable, Sendable {
    /// Longest stretch: an output that hangs must not burn the motor. Source: SPECIFICATION.md, "Lines".
    static let cap = Duration.seconds(5)
    /// After a stretch that the cap ended nothing moves it for so long, or it would begin anew in the same instant.
    static let rest = Duration.seconds(1)
    /// The motor runs down and rings this long after a pulse.
    static let runDown = Duration.milliseconds(60)
    /// Pulses that ended longer ago than this are forgotten: their readings were judged long since.
    static let memory = Duration.seconds(10)

    private struct Run: Equatable {
        let pulses: [Flash]
        let began: Duration
    }

    private var run: Run?
    private var movingSince: Duration?
    private var restsUntil = Duration.zero
    private var past: [Range<Duration>] = []
    private var shownUntil = Duration.zero

    /// When the motor next starts or stops; nil when it is still and stays so.
    var deadline: Duration? {
        guard let run, let state = run.pulses.state(after: shownUntil - run.began) else { return nil }
        let change = run.began + state.until
        return movingSince.map { min(change, $0 + Self.cap) } ?? change
    }

    mutating func begin(_ pattern: HapticPattern, at now: Duration) {
        run = pattern.pulses.isEmpty || now < restsUntil ? nil : Run(pulses: pattern.pulses, began: now)
    }

    /// Puts out the level at `now`. Returns it if it differs from the one before.
    mutating func advance(to now: Duration) -> Bool? {
        shownUntil = max(shownUntil, now)
        if let movingSince, now - movingSince >= Self.cap {
            run = nil
            restsUntil = now + Self.rest
        }
        let state = run.flatMap { $0.pulses.state(after: now - $0.began) }
        if state == nil { run = nil }
        switch (movingSince, state?.lit ?? false) {
        case (nil, true):
            movingSince = now
            return true
        case (let since?, false):
            movingSince = nil
            past.removeAll { now - $0.upperBound > Self.memory }
            if since < now { past.append(since..<now) }
            return false
        case (nil, false), (_?, true):
            return nil
        }
    }

    /// True when the motor, or its running down, falls into this time.
    func noise(overlaps time: Range<Duration>) -> Bool {
        if let movingSince, movingSince < time.upperBound { return true }
        return past.contains {
            $0.lowerBound < time.upperBound && time.lowerBound < $0.upperBound + Self.runDown
        }
    }
}
