/// A boot of a device.
package struct ContactKey: Hashable, Sendable {
    /// The pin.
    package let device: String
    /// Empty for a request that did not tell its clocks.
    package let bootID: String

    package init(device: String, bootID: String) {
        self.device = device
        self.bootID = bootID
    }
}

/// What the host learnt of one boot's clock. Nanoseconds.
///
/// A request takes time, so the host's wall clock minus the device's boot time is too large by the way's length
/// and never too small: the smallest offset seen is the best, and the spread to the largest says how sure it is.
package struct Contact: Equatable, Sendable {
    package var firstBoot: Int64
    package var lastBoot: Int64
    package var leastOffset: Int64
    package var mostOffset: Int64
    /// Milliseconds since 1970 by the host's clock.
    package var seenAt: Int64

    package init(boot: Int64, offset: Int64, seenAt: Int64) {
        firstBoot = boot
        lastBoot = boot
        leastOffset = offset
        mostOffset = offset
        self.seenAt = seenAt
    }

    /// What both say together.
    package func merged(with other: Contact) -> Contact {
        var both = self
        both.firstBoot = min(firstBoot, other.firstBoot)
        both.lastBoot = max(lastBoot, other.lastBoot)
        both.leastOffset = min(leastOffset, other.leastOffset)
        both.mostOffset = max(mostOffset, other.mostOffset)
        both.seenAt = max(seenAt, other.seenAt)
        return both
    }
}

/// A boot in which the recorder, or whoever sent its recordings, was in contact. Nanoseconds.
package struct ContactedBoot: Equatable, Sendable {
    package let id: String
    /// UTC of its boot time 0: the best that was seen, and the worst.
    package let zero: ClosedRange<Int64>
    /// Its boot time at the last contact, 0 at least.
    package let lasted: Int64

    package init(id: String, zero: ClosedRange<Int64>, lasted: Int64) {
        self.id = id
        self.zero = zero
        self.lasted = lasted
    }
}

/// What the utterances of one boot say of it.
package struct RecordedBoot: Equatable, Sendable {
    package let id: String
    /// The smallest of them.
    package let firstSeq: Int64
    /// The boot time of the last press, nanoseconds.
    package let lastStart: Int64
    /// When the first manifest was here, milliseconds since 1970.
    package let rangAt: Int64?
    /// The device's wall clock minus its boot time at presses whose clock was synchronised: least and most, ns.
    package let synchronised: ClosedRange<Int64>?

    package init(
        id: String, firstSeq: Int64, lastStart: Int64, rangAt: Int64?, synchronised: ClosedRange<Int64>?
    ) {
        self.id = id
        self.firstSeq = firstSeq
        self.lastStart = lastStart
        self.rangAt = rangAt
        self.synchronised = synchronised
    }
}
