import DurableFiles
import Terminal

/// The memory card or disk that holds the outbox, as it was found.
struct CardFacts: Equatable, Sendable {
    enum Write: Equatable, Sendable {
        case refused(Obstacle)
        /// Somebody else's folder: nothing of ours is left in it.
        case notTried
        /// How long 64 KiB took to be on the card for good, each time.
        case took([Duration])
    }

    /// The outbox's folder.
    var path: String
    /// Bytes that an ordinary user may still write, and the whole size; nil where the card does not tell.
    var space: (free: Int, total: Int)?
    /// Of the whole, kept free.
    var reserve: Double
    /// What a second of a recording takes, in bytes.
    var bytesPerSecond: Int
    var write: Write
    /// Errors that the file system has counted since it was checked; nil where it does not count.
    var errors: Int?
    /// Per cent of its writes that a soldered card has used up, as far as it tells.
    var used: Int?

    static func == (a: CardFacts, b: CardFacts) -> Bool {
        a.path == b.path && a.space?.free == b.space?.free && a.space?.total == b.space?.total
            && a.reserve == b.reserve && a.bytesPerSecond == b.bytesPerSecond && a.write == b.write
            && a.errors == b.errors && a.used == b.used
    }
}

extension CardFacts {
    /// A running recording is synced once a second.
    static let slowSync = Duration.seconds(1)

    var finding: Finding {
        if case .refused(let refusal) = write { return .faulty("card", refusal) }
        if let errors, errors > 0 {
            return .doubtful(
                "card", "The file system of \(path) has counted \(errors) errors.",
                mend:
                    "Copy what is on it with `lapel outbox export DIR`, check it with `fsck`, and replace it."
            )
        }
        if let used, used >= 90 {
            return .doubtful(
                "card", "The card of \(path) has used up \(used) % of its writes.",
                mend: "Copy what is on it with `lapel outbox export DIR`, and replace it.")
        }
        guard let space else {
            return .doubtful(
                "card", "The card of \(path) does not tell how much is free.", mend: "`df` may say why.")
        }
        let kept = Int(Double(space.total) * reserve)
        let room = max(space.free - kept, 0)
        let figures = "\(size(space.free)) free of \(size(space.total)), \(size(kept)) of them kept free"
        if room < 1 << 20 {
            return .faulty(
                "card", "The card is full (\(figures)): presses are refused.",
                mend: "Remove files, bring the device near its host, or lower `reserve`.")
        }
        switch write {
        case .refused(let refusal): return .faulty("card", refusal)
        case .notTried:
            return .good("card", "\(figures), room for \(time(room / max(bytesPerSecond, 1))) of speech.")
        case .took(let times):
            let slowest = times.max() ?? .zero
            if slowest > Self.slowSync {
                return .doubtful(
                    "card",
                    "A write of 64 KiB was on the card after \(milliseconds(slowest)): a power cut may cost more than 2 s.",
                    mend: "Use a faster card (A1 or better), or look for what else writes to it (`iotop`).")
            }
            return .good(
                "card",
                "\(figures), room for \(time(room / max(bytesPerSecond, 1))) of speech; 64 KiB are on the card after \(milliseconds(slowest))."
            )
        }
    }

    private func size(_ bytes: Int) -> String {
        bytes >= 10_000_000_000
            ? "\(bytes / 1_000_000_000) GB"
            : bytes >= 1_000_000_000
                ? Figures.fixed(Double(bytes) / 1e9, places: 1) + " GB" : "\(bytes / 1_000_000) MB"
    }

    private func time(_ seconds: Int) -> String {
        seconds >= 2 * 86_400
            ? "\(seconds / 86_400) days" : seconds >= 7200 ? "\(seconds / 3600) h" : "\(seconds / 60) min"
    }

    private func milliseconds(_ time: Duration) -> String {
        Figures.fixed(time / .milliseconds(1), places: 1) + " ms"
    }
}
