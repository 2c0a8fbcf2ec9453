/// The wall clock, as it was found.
struct ClockFacts: Equatable, Sendable {
    /// A time server disciplines it; nil where the kernel does not say.
    var isSynchronised: Bool?
    /// Since 1970.
    var wall: Duration
    /// As people write it: "2026-11-30 14:05 UTC".
    var words: String

    /// 2024: a clock that stands before it was never set.
    private static let unset = Duration.seconds(1_704_067_200)

    /// A wrong clock harms no recording: the host relates the device's steady clock to its own.
    var finding: Finding {
        if wall < Self.unset {
            return .doubtful(
                "clock", "It was never set: it says \(words). Recordings get their times from the host.",
                mend: "`sudo timedatectl set-ntp true` sets it when there is a network.")
        }
        switch isSynchronised {
        case true?: return .good("clock", "\(words), synchronised.")
        case nil: return .good("clock", "\(words).")
        case false?:
            return .doubtful(
                "clock",
                "\(words), not synchronised. Recordings get their times from the host when they reach it.",
                mend: "`sudo timedatectl set-ntp true` keeps it right.")
        }
    }
}
