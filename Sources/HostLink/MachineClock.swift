import Threads
import Wire

/// The `Lapel-Clock` header of this instant. The boot is "unknown" where `/proc` is not mounted.
package func machineClockHeader() -> (name: String, value: String) {
    let bootID = MonotonicClock.bootID
    let clock = LapelClock(
        bootID: bootID.isEmpty ? "unknown" : bootID, boot: MonotonicClock.boot.wholeNanoseconds,
        monotonic: MonotonicClock.now.wholeNanoseconds)
    return (TusHeader.lapelClock, clock.header)
}
