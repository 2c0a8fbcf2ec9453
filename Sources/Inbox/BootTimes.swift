// A device has no clock that can be trusted, but its boots follow each other: whatever it recorded in one boot was
// before everything of the next. The host knows of each boot
//   - when it was in contact: then host's clock minus boot clock is the boot's zero;
//   - which utterances it recorded, and their `seq`, which gives the boots their order;
//   - how long it lasted at least: the largest boot time that came from it.
// A boot without contact lies between the last sign of the one before it and the begin of the one after it. Nothing
// is decided by the device's wall clock: it only narrows that, and only when it was synchronised.

/// One boot of a device. UTC and boot times are nanoseconds.
struct Boot: Equatable, Sendable {
    let id: String
    /// The smallest `seq` recorded in it.
    let firstSeq: Int64
    /// It lasted at least until this boot time.
    var lasted: Int64
    /// When its first manifest was here, by the host's clock.
    let rangAt: Int64?
    /// UTC of its boot time 0, by contact: the best, and the worst that was seen.
    var contact: ClosedRange<Int64>?
    /// UTC of its boot time 0 by the device's synchronised clock: least and most that its utterances say.
    let synchronised: ClosedRange<Int64>?
}

/// What is known of a boot's zero.
struct BootZero: Equatable, Sendable {
    /// As `MappedTime.Source`.
    let source: MappedTime.Source
    /// UTC, nanoseconds.
    let utc: Int64
    /// Nanoseconds; nil when there is a bound on one side only.
    let uncertainty: Int64?
}

/// The boots of one device in their order, and what their times mean.
struct BootTimes: Equatable, Sendable {
    /// Linux calls a clock synchronised while its error is under 16 s (`NTP_PHASE_LIMIT`, kernel/time/ntp.c).
    static let synchronisedError: Int64 = 16_000_000_000

    private var zeros: [String: BootZero] = [:]

    subscript(bootID: String) -> BootZero? { zeros[bootID] }

    init(_ boots: [Boot], shippers: [ClosedRange<Int64>] = []) {
        let boots = boots.sorted { $0.firstSeq < $1.firstSeq }
        // Forwards: no boot begins before the last sign of the one before it.
        var floors: [Int64?] = []
        var floor: Int64?
        for boot in boots {
            floors.append(floor)
            if let zero = boot.contact?.lowerBound {
                floor = max(floor ?? .min, zero.plus(boot.lasted))
            } else {
                floor = floor?.plus(boot.lasted)
            }
        }
        // Backwards: every boot has lasted when the next one begins, and when its first manifest is here.
        var ceiling: Int64?
        for (boot, floor) in zip(boots, floors).reversed() {
            if let contact = boot.contact {
                zeros[boot.id] = BootZero(
                    source: .contact, utc: contact.lowerBound,
                    uncertainty: contact.upperBound.minus(contact.lowerBound))
                ceiling = min(ceiling ?? .max, contact.lowerBound)
                continue
            }
            if let rangAt = boot.rangAt {
                ceiling = min(ceiling ?? .max, Self.endOfBoot(rangAt: rangAt, shippers))
            }
            let most = ceiling?.minus(boot.lasted)
            zeros[boot.id] = Self.zero(floor, most, boot.synchronised)
            ceiling = most
        }
    }

    /// What shipped a manifest at `rangAt` was a later boot than the one that recorded it, if that had no contact:
    /// so the recording one ended before the shipping one began. `shippers` are begin and last contact of boots.
    private static func endOfBoot(rangAt: Int64, _ shippers: [ClosedRange<Int64>]) -> Int64 {
        // The manifest arrived a moment after its request had told the time; a minute is generous.
        let moment: Int64 = 60_000_000_000
        let shipping = shippers.filter { $0.lowerBound <= rangAt && rangAt.minus($0.upperBound) <= moment }
        return shipping.map(\.lowerBound).max() ?? rangAt
    }

    private static func zero(
        _ least: Int64?, _ most: Int64?, _ synchronised: ClosedRange<Int64>?
    ) -> BootZero? {
        // Contacts that contradict each other bound nothing: the host's own clock was changed between them.
        let bounds: ClosedRange<Int64>? =
            if let least, let most, least <= most { least...most } else { nil }
        if let synchronised {
            let clock =
                synchronised.lowerBound
                .minus(synchronisedError)...synchronised.upperBound.plus(synchronisedError)
            let middle = synchronised.middle
            if let bounds, bounds.overlaps(clock) {
                return BootZero(within: bounds.clamped(to: clock), near: middle, source: .synchronised)
            }
            if bounds == nil, middle <= most ?? .max {
                return BootZero(within: clock, near: middle, source: .synchronised)
            }
        }
        if let bounds {
            return BootZero(within: bounds, near: bounds.middle, source: .neighbours)
        }
        return most.map { BootZero(source: .before, utc: $0, uncertainty: nil) }
    }
}

extension BootZero {
    fileprivate init(within range: ClosedRange<Int64>, near wanted: Int64, source: MappedTime.Source) {
        let utc = min(max(wanted, range.lowerBound), range.upperBound)
        self.init(
            source: source, utc: utc,
            uncertainty: max(utc.minus(range.lowerBound), range.upperBound.minus(utc)))
    }
}

// Times come from devices: whatever they say, nothing may overflow.

extension Int64 {
    func plus(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    func minus(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other > 0 ? .min : .max) : difference
    }
}

extension ClosedRange<Int64> {
    fileprivate var middle: Int64 { lowerBound.plus(upperBound.minus(lowerBound) / 2) }
}
