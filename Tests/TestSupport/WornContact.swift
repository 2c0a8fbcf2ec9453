import Hardware

/// A thumb on a worn contact, from a seed: each move of it is a train of 1 to 8 edges within 15 ms.
///
/// The truth about each move is known here without a debouncer: a press is meant when the contact is down at the end of
/// a train, or was down for 5 ms of its first 10 (SPECIFICATION.md, "Gestures").
package struct WornContact {
    /// What the line does until `end`; `down` is its level then.
    package struct Stretch: Equatable, Sendable {
        package let edges: [Edge]
        package let down: Bool
        package let end: Duration
    }

    private var random: SeededGenerator
    private var now = Duration.seconds(1)
    /// Presses that were meant so far.
    package private(set) var presses = 0
    /// Releases of them whose edges never arrived.
    package private(set) var lostReleases = 0
    /// Trains that ended where they began and meant nothing.
    package private(set) var glitches = 0

    package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// The next move: a press with its release, one whose release is lost, or a brush that is a press or none.
    package mutating func next() -> [Stretch] {
        switch below(10) {
        case 0: [brush(), pause(.milliseconds(150))]
        case 1: [train(down: true), hold(), lostRelease(), pause(.milliseconds(1200))]
        case 2, 3:
            [train(down: true), hold(), rattle(), hold(), train(down: false), pause(.milliseconds(150))]
        default: [train(down: true), hold(), train(down: false), pause(.milliseconds(150))]
        }
    }

    private mutating func below(_ n: Int) -> Int { Int.random(in: 0..<n, using: &random) }

    /// Instants within 15 ms, the first at zero, in microseconds.
    private mutating func instants(_ count: Int) -> [Int] {
        var found: Set = [0]
        while found.count < count { found.insert(1 + below(14_999)) }
        return found.sorted()
    }

    private mutating func stretch(_ instants: [Int], first: Bool, end: Duration) -> Stretch {
        let began = now
        now = end
        let edges = instants.enumerated().map { index, at in
            Edge(down: (index % 2 == 0) == first, at: began + .microseconds(at))
        }
        return Stretch(edges: edges, down: edges.last?.down ?? !first, end: end)
    }

    private mutating func train(down: Bool) -> Stretch {
        if down { presses += 1 }
        let instants = instants([1, 3, 5, 7][below(4)])
        return stretch(instants, first: down, end: now + .milliseconds(15))
    }

    /// Up and down again under the thumb, never up for 10 ms.
    private mutating func rattle() -> Stretch {
        var found = instants([2, 4, 6, 8][below(4)])
        for index in found.indices.dropFirst() where index % 2 == 1 && found[index] - found[index - 1] > 9_900
        {
            found[index] = found[index - 1] + 9_900
        }
        return stretch(found, first: false, end: now + .milliseconds(15))
    }

    private mutating func brush() -> Stretch {
        let instants = instants([2, 4, 6, 8][below(4)])
        let down = stride(from: 0, to: instants.count, by: 2).reduce(0) { sum, index in
            sum + max(0, min(10_000, instants[index + 1]) - instants[index])
        }
        if down >= 5_000 { presses += 1 } else { glitches += 1 }
        return stretch(instants, first: true, end: now + .milliseconds(15))
    }

    /// The thumb rests: mostly for a moment, sometimes for seconds.
    private mutating func hold() -> Stretch {
        let longest = [60, 400, 400, 2500][below(4)]
        let length = Duration.milliseconds(12 + below(longest))
        return Stretch(edges: [], down: true, end: advance(length))
    }

    private mutating func lostRelease() -> Stretch {
        lostReleases += 1
        return Stretch(edges: [], down: false, end: advance(.milliseconds(1)))
    }

    private mutating func pause(_ shortest: Duration) -> Stretch {
        Stretch(edges: [], down: false, end: advance(shortest + .milliseconds(below(400))))
    }

    private mutating func advance(_ length: Duration) -> Duration {
        now += length
        return now
    }
}
