import AudioFiles
import EndOfSpeech
import Glibc
import Terminal

/// How a rule does on a made set.
struct EndpointScore {
    /// An end this much before the truth is no cut: the truth is known to a reading.
    private static let tolerance = 0.1

    private struct Judged {
        let turn: EndpointSet.Turn
        /// In seconds.
        let end: Double?
        let send: Bool

        var isCut: Bool {
            guard let end, let truth = turn.end else { return false }
            return end < truth - tolerance
        }

        var isMissed: Bool { turn.end != nil && end == nil && send }
        var isUnheard: Bool { turn.end != nil && !isCut && !send }
        var isRight: Bool { turn.end != nil && end != nil && !isCut && send }
        var isFalse: Bool { turn.end == nil && end != nil && send }
        var isOpen: Bool { turn.end == nil && end == nil && send }
    }

    private let name: String
    private var judged: [Judged] = []
    /// Of the front end and the rule, in seconds of one processor.
    private var processor = 0.0
    private var sound = 0.0

    init(of path: String, asked: EndpointAsked) throws {
        let fresh = asked.forSound
        name = fresh.rule.rawValue + (asked.patience == .quick ? " quick" : "")
        for turn in try EndpointSet(path: path).turns {
            var reader = try WAVReader(path: turn.wav)
            let header = reader.header
            let frames = Int(header.seconds * Double(header.rate)) + 1
            let samples = WAVFile.mono(try reader.read(frames: frames), channels: header.channels)
            var frontEnd = fresh.rule.frontEnd(rate: header.rate)
            var rule = fresh
            let start = Self.processorTime
            samples.withUnsafeBufferPointer { samples in
                // The whole turn is heard, so that the price is that of listening.
                frontEnd.take(samples) { if rule.end == nil { _ = rule.feed($0) } }
            }
            processor += Self.processorTime - start
            sound += header.seconds
            judged.append(Judged(turn: turn, end: rule.end?.seconds, send: rule.enoughToSend))
        }
    }

    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    private static let head = [
        "| rule | missed end % | never heard % | premature cut % | ok % | delay p50 s | p95 s |"
            + " false send (noise only) % | noise turn never closes % |",
        "|---|---|---|---|---|---|---|---|---|",
    ]

    /// The table, then what it cost.
    func lines(byScenario: Bool) -> [String] {
        var lines = Self.head
        lines.append(line(name, judged))
        lines.append(
            line("\(name), no background talkers", judged.filter { !$0.turn.hasOtherTalkers }))
        if byScenario {
            var scenarios: [String] = []
            for one in judged where !scenarios.contains(one.turn.scenario) {
                scenarios.append(one.turn.scenario)
            }
            lines += scenarios.map { name in line(name, judged.filter { $0.turn.scenario == name }) }
        }
        let cost = Figures.fixed(sound > 0 ? processor * 1000 / sound : 0, places: 3)
        lines.append("")
        lines.append(
            "\(name): \(cost) ms of processor time for each second of sound, front end and rule; \(judged.count) turns, \(Figures.fixed(sound / 3600, places: 2)) h."
        )
        return lines
    }

    private func line(_ name: String, _ judged: [Judged]) -> String {
        let speech = judged.filter { $0.turn.end != nil }
        let noise = judged.filter { $0.turn.end == nil }
        func share(_ of: [Judged], _ is: (Judged) -> Bool) -> String {
            of.isEmpty
                ? "–"
                : Figures.fixed(100 * Double(of.count(where: `is`)) / Double(of.count), places: 1)
        }
        let delays = speech.filter(\.isRight).compactMap { one in
            one.end.flatMap { end in one.turn.end.map { end - $0 } }
        }.sorted()
        let columns = [
            name, share(speech) { $0.isMissed }, share(speech) { $0.isUnheard }, share(speech) { $0.isCut },
            share(speech) { $0.isRight }, Self.percentile(delays, 0.5), Self.percentile(delays, 0.95),
            share(noise) { $0.isFalse }, share(noise) { $0.isOpen },
        ]
        return "| " + columns.joined(separator: " | ") + " |"
    }

    /// Between its neighbours in proportion, as numpy has it.
    private static func percentile(_ sorted: [Double], _ share: Double) -> String {
        guard let last = sorted.indices.last else { return "–" }
        let place = Double(last) * share
        let low = Int(place)
        let high = min(low + 1, last)
        return Figures.fixed(
            sorted[low] + (sorted[high] - sorted[low]) * (place - Double(low)), places: 2)
    }
}
