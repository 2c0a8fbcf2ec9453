import Catalogue
import Glibc

/// One instant of the host's clocks.
package struct HostInstant: Equatable, Sendable {
    /// Nanoseconds since the zero of `CLOCK_BOOTTIME`: decides how long a token is valid.
    package var boot: Int64
    /// `/proc/sys/kernel/random/boot_id`.
    package var bootID: String
    /// Nanoseconds since 1970: for people to read, and for what a device's clock means.
    package var wall: Int64

    package init(boot: Int64, bootID: String, wall: Int64) {
        self.boot = boot
        self.bootID = bootID
        self.wall = wall
    }

    /// As the life of a token is counted.
    var ofBoot: BootInstant { BootInstant(bootID: bootID, boot: boot) }

    /// Milliseconds since 1970.
    var milliseconds: Int64 { wall / 1_000_000 }
}

/// The host's clocks as an argument.
package struct HostClock: Sendable {
    /// All clocks at one instant.
    package let now: @Sendable () -> HostInstant

    package init(now: @escaping @Sendable () -> HostInstant) { self.now = now }

    /// The machine's own clocks.
    package static let system: HostClock = {
        let bootID = readBootID()
        return HostClock {
            HostInstant(
                boot: nanoseconds(CLOCK_BOOTTIME), bootID: bootID, wall: nanoseconds(CLOCK_REALTIME))
        }
    }()

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Empty where the kernel does not tell.
    private static func readBootID() -> String {
        guard let file = fopen("/proc/sys/kernel/random/boot_id", "re") else { return "" }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 64)
        guard fgets(&line, 64, file) != nil else { return "" }
        return String(decoding: line.prefix(36).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
