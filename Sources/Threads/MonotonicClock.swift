import CLinux
import Glibc

/// The kernel's clocks as `Duration`s.
package enum MonotonicClock {
    /// Time since the zero of `CLOCK_MONOTONIC`.
    package static var now: Duration { read(CLOCK_MONOTONIC) }

    /// Time since boot, suspend included.
    package static var boot: Duration { read(CLOCK_BOOTTIME) }

    /// Time since 1970 by the machine's clock, which may be wrong.
    package static var wall: Duration { read(CLOCK_REALTIME) }

    /// Whether a time server disciplines the wall clock; nil when the kernel does not say.
    package static var wallIsSynchronised: Bool? {
        switch lapel_wall_clock_is_synchronised() {
        case 0: false
        case 1: true
        default: nil  // the call is refused in some sandboxes
        }
    }

    /// Which boot of the machine this is, in which its monotonic times hold: `/proc/sys/kernel/random/boot_id`; empty
    /// where there is none.
    package static let bootID: String = {
        guard let file = fopen("/proc/sys/kernel/random/boot_id", "re") else { return "" }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 64)
        guard fgets(&line, 64, file) != nil else { return "" }
        return String(decoding: line.map { UInt8(bitPattern: $0) }.prefix { $0 > 32 }, as: UTF8.self)
    }()

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
