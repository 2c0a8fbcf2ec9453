import Inbox
import Wire

/// When an utterance began, as well as the host can tell.
struct UtteranceTime: Equatable, Sendable {
    enum Source: String, Sendable {
        /// The device's boot clock against this host's clock.
        case contact
        /// The device's boots before and after, which were in contact.
        case neighbours
        /// The device's wall clock, which was synchronised.
        case device
        /// The device's wall clock, which may be wrong.
        case unsure
        /// Nothing is known but that it was not later than this.
        case arrival
    }

    /// Milliseconds since 1970.
    let milliseconds: Int64
    let source: Source
    /// By how much it may be off; nil when nobody knows.
    let uncertaintyMilliseconds: Int64?

    /// No Lapel recorded before 2025: a clock that says so was never set.
    private static let earliest: Int64 = 1_735_689_600_000_000_000

    init(of utterance: StoredUtterance, in times: inout UtteranceTimes) throws(InboxError) {
        let start = try times.start(of: utterance)
        var latest = utterance.firstAt
        switch start?.source {
        case .contact: self.init(start, .contact)
        case .neighbours: self.init(start, .neighbours)
        case .synchronised: self.init(start, .device)
        case .before, nil:
            if let start { latest = start.utc / 1_000_000 }
            guard let wall = utterance.manifest?.start.wall, wall >= Self.earliest, wall / 1_000_000 <= latest
            else {
                self.init(milliseconds: latest, source: .arrival, uncertaintyMilliseconds: nil)
                return
            }
            self.init(milliseconds: wall / 1_000_000, source: .unsure, uncertaintyMilliseconds: nil)
        }
    }

    private init(_ time: MappedTime?, _ source: Source) {
        self.init(
            milliseconds: (time?.utc ?? 0) / 1_000_000, source: source,
            uncertaintyMilliseconds: time?.uncertainty.map { $0 / 1_000_000 })
    }

    private init(milliseconds: Int64, source: Source, uncertaintyMilliseconds: Int64?) {
        self.milliseconds = milliseconds
        self.source = source
        self.uncertaintyMilliseconds = uncertaintyMilliseconds
    }
}
