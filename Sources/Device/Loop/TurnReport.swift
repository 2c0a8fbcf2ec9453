import Hardware
import Threads
import Turn
import Wire

/// One press and what became of it, with the time of every station by the monotonic clock.
package struct TurnReport: Equatable, Sendable {
    package let id: UtteranceID
    package let press: Duration
    /// When the lamp's line had been set.
    package var light: Duration?
    package var firstSample: Duration?
    package var speech: Duration?
    package var ended: Duration?
    package var kept: Duration?
    package var rung: Duration?
    package var received: Duration?
    package var letGo: Duration?
    package var endReason: String?
    /// Seconds.
    package var captured = 0.0
    package var speechSeconds = 0.0
    package var discarded = false

    package init(id: UtteranceID, press: Duration) {
        self.id = id
        self.press = press
    }

    package var json: JSON {
        func after(_ station: Duration?, _ start: Duration?) -> Int64? {
            guard let station, let start else { return nil }
            return (station - start).wholeMicroseconds
        }
        func milliseconds(_ microseconds: Int64?) -> JSON {
            .optional(microseconds.map { Double($0) / 1000 })
        }
        func seconds(_ station: Duration?) -> JSON {
            .optional(after(station, press).map { Double($0) / 1e6 })
        }
        return [
            "utterance": .string(id.rawValue), "press_ns": .int(press.wholeNanoseconds),
            "captured_s": .double(captured), "speech_s": .double(speechSeconds.milli),
            "end_reason": .optional(endReason), "discarded": .bool(discarded),
            "press_to_light_us": .optional(after(light, press)),
            "press_to_first_sample_ms": milliseconds(after(firstSample, press)),
            "kept_to_receipt_ms": milliseconds(after(received, kept)),
            "after_press_s": [
                "light": seconds(light), "first_sample": seconds(firstSample), "speech": seconds(speech),
                "end": seconds(ended), "kept": seconds(kept), "rung": seconds(rung),
                "received": seconds(received), "let_go": seconds(letGo),
            ],
        ]
    }
}

/// The latest presses, for `lapel status` and for the summary of a simulation.
package struct TurnReports: Equatable, Sendable {
    /// So many are still told apart when word of them comes: those that a device may be busy with at once.
    package static let usual = 32
    private let most: Int
    package private(set) var all: [TurnReport] = []

    var last: TurnReport? { all.last }

    /// Keeps the latest `most`.
    init(keeping most: Int) { self.most = most }

    mutating func begin(_ report: TurnReport) {
        all.append(report)
        if all.count > most { all.removeFirst() }
    }

    mutating func change(_ id: UtteranceID, _ body: (inout TurnReport) -> Void) {
        guard let index = all.lastIndex(where: { $0.id == id }) else { return }
        body(&all[index])
    }
}
