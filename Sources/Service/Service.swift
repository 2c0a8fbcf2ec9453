import CSystemd
import Glibc

/// The program as a service: what systemd is told. Without systemd every call does nothing.
package enum Service {
    /// Start-up is over: units that wait for this one may start.
    package static func notifyReady() { _ = lapel_notify("READY=1") }

    package static func notifyStopping() { _ = lapel_notify("STOPPING=1") }

    /// A sign of life. A hung program is restarted when these stop.
    package static func pingWatchdog() { _ = lapel_notify("WATCHDOG=1") }

    /// How often systemd must see a sign of life, halved as `sd_watchdog_enabled(3)` advises; nil when it does
    /// not watch.
    package static var watchdogInterval: Duration? {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0, microseconds > 0 else { return nil }
        return .microseconds(Int64(clamping: microseconds / 2))
    }

    /// Whether standard error goes to the journal, which then reads the `<N>` priority prefixes of
    /// `sd-daemon(3)`.
    package static let logsToJournal = getenv("JOURNAL_STREAM") != nil
}
