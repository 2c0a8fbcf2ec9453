import Glibc

/// The kernel's clocks as `Duration`s.
package enum MonotonicClock {
    /// Time since the zero of `CLOCK_MONOTONIC`.
    package static var now: Duration { read(CLOCK_MONOTONIC) }

    /// Time since boot, suspend included.
    package static var boot: Duration { read(CLOCK_BOOTTIME) }

    /// Time since 1970 by the machine's clock, which may be wrong.
    package static var wall: Duration { read(CLOCK_REALTIME) }

    private static func read(_ clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

extension Duration {
    /// Whole nanoseconds, clamped to 64 bits (292 years).
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? (seconds < 0 ? .min : .max) : product &+ attoseconds / 1_000_000_000
    }

    package var wholeMicroseconds: Int64 { wholeNanoseconds / 1000 }

    package var inSeconds: Double { Double(wholeNanoseconds) / 1e9 }
}
