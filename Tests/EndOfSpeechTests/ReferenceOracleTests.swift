import EndOfSpeech
import TestSupport
import Testing

/// The rule a second time, as a list of all readings judged from the beginning at every step: slow, and
/// written from the wording alone.
private struct Oracle {
    private var readings: [(level: Double, time: Double)] = []

    mutating func add(_ level: Double, _ time: Double) {
        if level.isFinite && time.isFinite { readings.append((level, time)) }
    }

    /// Speech in seconds, the floor, and whether the last reading is the first that ends a pause.
    var judged: (speech: Double, floor: Double?, end: Bool) {
        guard readings.count >= 5 else { return (0, nil, false) }
        var floor = readings[..<5].map(\.level).sorted()[2]
        var speech = 0.0
        var lastSpeech: Double?
        var end = false
        var told = false
        for index in readings.indices.dropFirst(5) {
            let (level, time) = readings[index]
            end = false
            if level > max(floor + 10, -45) {
                speech += max(0, time - readings[index - 1].time)
                lastSpeech = time
                told = false
            } else {
                floor = 0.95 * floor + 0.05 * level
                if let lastSpeech, time - lastSpeech >= 3 - 0.001, !told {
                    end = true
                    told = true
                }
            }
        }
        return (speech, floor, end)
    }
}

@Suite struct ReferenceOracleTests {
    /// Rooms, talk and pauses of random lengths; readings late, twice, out of order and not finite.
    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func anyHistoryIsJudgedAsTheWordingSays(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var rule = EndOfSpeech()
        var oracle = Oracle()
        var time = Double.random(in: -5...100_000, using: &random)
        var level = -60.0
        var ends = 0
        for step in 0..<400 {
            if Int.random(in: 0..<12, using: &random) == 0 { level = .random(in: -90...0, using: &random) }
            var reading = level + .random(in: -6...6, using: &random)
            time += 0.1
            switch Int.random(in: 0..<60, using: &random) {
            case 0: time += .random(in: 0...4, using: &random)
            case 1: time -= .random(in: 0...4, using: &random)
            case 2: time -= 0.1
            case 3: reading = .nan
            case 4: reading = -.infinity
            default: break
            }
            let end = rule.feed(reading, at: time)
            oracle.add(reading, time)
            let expected = oracle.judged
            // A reading that is ignored ends nothing, whatever the one before it did.
            #expect(end == (expected.end && reading.isFinite), "seed \(seed), step \(step)")
            #expect(rule.speechSeconds == expected.speech && rule.floor == expected.floor)
            if end { ends += 1 }
        }
        #expect(rule.speechSeconds > 0 || ends == 0)
    }
}
