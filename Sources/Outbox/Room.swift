/// How much the outbox may hold, and what it does when that is reached.
package struct Limits: Equatable, Sendable {
    /// What a full outbox does with a press.
    package enum WhenFull: Equatable, Sendable {
        /// The press is refused; nothing is dropped.
        case refuse
        /// The oldest goes: first what a foreign server has acknowledged, then what nobody has, each of these
        /// leaving a gap record that the host is told of.
        case dropOldest
    }

    /// Bytes of everything in the outbox, running recordings included.
    package var maxBytes: Int
    /// Of the card's size, left free for the system.
    package var reserveFraction: Double
    package var full: WhenFull
    /// What a new recording must find room for, in bytes.
    package var headroomPerRecording: Int

    package init(
        maxBytes: Int = 4 << 30, reserveFraction: Double = 0.05, full: WhenFull = .refuse,
        headroomPerRecording: Int = 1 << 20
    ) {
        self.maxBytes = maxBytes
        self.reserveFraction = reserveFraction
        self.full = full
        self.headroomPerRecording = headroomPerRecording
    }
}

/// Whether one more recording may begin.
package enum Room: Equatable, Sendable {
    /// So many bytes may still be recorded, all recordings together.
    case available(bytes: Int)
    case refused(Refusal)
}

/// Which bound a recording would break.
package enum Refusal: Equatable, Sendable, CustomStringConvertible {
    /// The outbox's own bound.
    case full(bytes: Int, limit: Int)
    /// The card's free space, against what is left free for the system.
    case cardFull(free: Int, reserve: Int)

    package var description: String {
        switch self {
        case .full(let bytes, let limit):
            "The outbox is full (\(bytes >> 20) of \(limit >> 20) MiB): bring the device near its host, or raise `outbox_max`."
        case .cardFull(let free, let reserve):
            "The card is full (\(free >> 20) MiB free, \(reserve >> 20) MiB of them kept for the system): remove files, or bring the device near its host."
        }
    }
}

extension Limits {
    /// Room beside `used` bytes on a card with so much `free` of `total`; `needed` must fit.
    func room(for needed: Int, used: Int, free: Int, total: Int) -> Room {
        let reserve = Int(Double(total) * reserveFraction)
        if used + needed > maxBytes { return .refused(.full(bytes: used, limit: maxBytes)) }
        if free - needed < reserve { return .refused(.cardFull(free: free, reserve: reserve)) }
        return .available(bytes: min(maxBytes - used, free - reserve))
    }
}
