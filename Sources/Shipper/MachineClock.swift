import Glibc
import Threads
import Wire

/// The `Lapel-Clock` header of this instant.
func machineClockHeader() -> (name: String, value: String) {
    let clock = LapelClock(
        bootID: bootID, boot: MonotonicClock.boot.wholeNanoseconds,
        monotonic: MonotonicClock.now.wholeNanoseconds)
    return (TusHeader.lapelClock, clock.header)
}

/// Fixed as long as the process lives. "unknown" where `/proc` is not mounted.
private let bootID: String = {
    guard let file = fopen("/proc/sys/kernel/random/boot_id", "re") else { return "unknown" }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 64)
    guard fgets(&line, Int32(line.count), file) != nil else { return "unknown" }
    let letters = line.map { UInt8(bitPattern: $0) }.prefix { $0 > 32 }
    return String(decoding: letters, as: UTF8.self)
}()
