import Catalogue
import Glibc
import HTTPServer
import Receiver
import Service
import Synchronization
import Terminal
import Wire

/// What a serving host says: one line an event on standard error, fit for journald, and with `--json` one object
/// a line on standard output.
final class HostLog: Sendable {
    private let console: Console
    private let json: Bool
    private let refusals = Mutex(LineLimit(lines: 20, window: .seconds(60)))

    init(console: Console, json: Bool) {
        self.console = console
        self.json = json
    }

    /// Priorities of sd-daemon(3).
    private enum Priority: Int {
        case warning = 4
        case notice = 5
        case info = 6
    }

    /// The first line on standard output: whoever started the program may wait for it.
    func listening(_ address: ListenAddress, pin: String, recipient: String, folder: String) {
        let text = "listening on \(address)"
        if json {
            line(.notice, text)
            console.out([
                "event": "listening", "address": .string(address.description), "pin": .string(pin),
                "recipient": .string(recipient), "dir": .string(folder),
            ])
        } else {
            console.out(prefix(.notice) + text)
        }
        note("devices that pair now seal to \(recipient)")
    }

    func note(_ text: String) { line(.info, text) }

    func warning(_ text: String) { line(.warning, text) }

    func event(_ event: HostEvent) {
        switch event {
        case .paired(let pin, let name): happened(.paired(device: pin, name: name), .notice)
        case .rang(let utterance, let seq, let pin):
            happened(.rung(utterance: utterance, seq: seq, device: pin), .info)
        case .stored(let utterance, let kind, let bytes, let sha256, let pin, let whole):
            happened(
                .stored(
                    utterance: utterance, kind: StoredKind(rawValue: kind) ?? .file, bytes: bytes,
                    sha256: sha256, device: pin, whole: whole), .info)
        case .refused(let method, let path, let status, let reason, let pin):
            // A stranger may knock as often as it likes; the log has a bound.
            let verdict = refusals.withLock {
                $0.admit(at: .nanoseconds(Self.monotonicNanoseconds()))
            }
            if verdict.dropped > 0 { line(.warning, "\(verdict.dropped) more refusals were not logged") }
            guard verdict.admitted else { return }
            let who = pin.map { "device \($0.prefix(8))" } ?? "a stranger"
            line(.warning, "refused \(method) \(printable(path)) from \(who) with \(status): \(reason)")
            object([
                ("event", "refused"), ("method", .string(method)), ("path", .string(path)),
                ("status", .integer(status)), ("reason", .string(reason)), ("device", .optional(pin)),
            ])
        }
    }

    private func happened(_ event: FeedEntry.Event, _ priority: Priority) {
        line(priority, event.text)
        object(event.fields)
    }

    /// With the moment behind the event's name.
    private func object(_ fields: [(String, JSON)]) {
        guard json else { return }
        var stamped = fields
        stamped.insert(("monotonic_ns", .integer(Self.monotonicNanoseconds())), at: min(1, fields.count))
        console.out(.object(stamped))
    }

    private static func monotonicNanoseconds() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }

    private func line(_ priority: Priority, _ text: String) {
        console.log(prefix(priority) + text)
    }

    private func prefix(_ priority: Priority) -> String {
        Service.logsToJournal ? "<\(priority.rawValue)>" : ""
    }

    /// A path comes from anybody: no controls and no long lines in the log.
    private func printable(_ path: String) -> String {
        String(
            String.UnicodeScalarView(
                path.unicodeScalars.prefix(100).map {
                    $0.isASCII && $0.value >= 32 && $0.value < 127 ? $0 : "?"
                }))
    }
}
