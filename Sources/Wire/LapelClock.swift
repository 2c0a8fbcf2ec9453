/// The device's clocks at a request, from which the host learns what a time of that boot means:
/// `Lapel-Clock: <boot id>, <boottime ns>, <monotonic ns>`. The wall clock is not asked; it may be wrong.
package struct LapelClock: Equatable, Sendable {
    /// `/proc/sys/kernel/random/boot_id`.
    package let bootID: String
    /// Nanoseconds since the zero of `CLOCK_BOOTTIME`.
    package let boot: Int64
    /// Nanoseconds since the zero of `CLOCK_MONOTONIC`.
    package let monotonic: Int64

    package init(bootID: String, boot: Int64, monotonic: Int64) {
        self.bootID = bootID
        self.boot = boot
        self.monotonic = monotonic
    }

    /// The header's value.
    package var header: String { "\(bootID), \(boot), \(monotonic)" }

    /// The boot id is 1 to 64 letters, digits and hyphens; the times are not negative.
    package init(parsing header: String) throws(WireError) {
        let parts = header.split(separator: ",", omittingEmptySubsequences: false).map { part in
            String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        guard parts.count == 3, (1...64).contains(parts[0].utf8.count),
            parts[0].utf8.allSatisfy(Self.belongsInAnID), let boot = Int64(parts[1]), boot >= 0,
            let monotonic = Int64(parts[2]), monotonic >= 0
        else { throw .header(name: TusHeader.lapelClock, reason: "it is not a boot id and two times") }
        self.init(bootID: parts[0], boot: boot, monotonic: monotonic)
    }

    private static func belongsInAnID(_ c: UInt8) -> Bool {
        (48...57).contains(c) || (97...122).contains(c) || (65...90).contains(c) || c == 45
    }
}
