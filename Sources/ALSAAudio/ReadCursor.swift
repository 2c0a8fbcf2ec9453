/// How far a device was read, and what the clock said: from both follows what an overrun lost.
///
/// The loss is counted from the last look at the device, not from the start: over an hour the device's clock and
/// the machine's differ by more than an overrun is long.
struct ReadCursor {
    /// Frames of the device since the start: read, or replaced by silence.
    private(set) var taken = 0
    /// Overruns since frames last came.
    var recoveries = 0
    /// The last look: at this time the device had delivered this many frames.
    private var look: (at: Duration, delivered: Int)

    init(startedAt: Duration) {
        look = (startedAt, 0)
    }

    /// `frames` were read of the `available` that there were at `now`. True for the first of an opening.
    mutating func took(_ frames: Int, of available: Int, at now: Duration) -> Bool {
        let isFirst = taken == 0
        look = (now, taken + available)
        taken += frames
        recoveries = 0
        return isFirst
    }

    /// The device began anew at `now`: the frames lost until then, which count as taken.
    mutating func lose(until now: Duration, rate: Int) -> Int {
        let delivered = look.delivered + (now - look.at).frames(at: rate)
        let lost = max(delivered - taken, 0)
        taken += lost
        look = (now, taken)
        return lost
    }
}
