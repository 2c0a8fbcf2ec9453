import Glibc
import Inbox
import Receiver
import Service
import Terminal
import Wire

extension Command {
    static let serve = Command(
        name: "serve",
        synopsis:
            "[--listen A:P] [--dir DIR] [--config FILE] [--quota-per-device N] [--keep-half-uploads T] [--json]",
        summary: "Receive what paired devices record, until SIGTERM or SIGINT.",
        options: [
            .init(
                name: "listen", value: "A:P",
                help: "address and port; default 0.0.0.0:8443, port 0 for a free one"),
            folderOption,
            .init(name: "config", value: "FILE", help: "settings file (host.conf); options win over it"),
            .init(
                name: "json", value: nil,
                help: "print what happens as JSON, one object a line, on standard output"),
        ],
        run: { arguments, console throws(CommandError) in
            var settings = HostSettings()
            if let file = arguments["config"] { settings = try HostSettings(file: file) }
            for option in ["listen", "quota-per-device", "keep-half-uploads"] {
                guard let value = arguments[option] else { continue }
                let key = String(option.map { $0 == "-" ? "_" : $0 })
                do throws(CommandError) { try settings.set(key, value) } catch {
                    throw .usage("--\(option): \(error)")
                }
            }
            if let given = arguments["dir"] { settings.folder = HostFolder.whole(given) }
            let folder = if let chosen = settings.folder { chosen } else { try HostFolder.standard() }
            return try serve(settings, folder, HostLog(console: console, json: arguments.has("json")))
        })

    private static func serve(_ settings: HostSettings, _ folder: String, _ log: HostLog) throws(CommandError)
        -> Int32
    {
        // Before any thread is made, so that every thread has the signals blocked and this one alone waits for them.
        var ending = sigset_t()
        sigemptyset(&ending)
        sigaddset(&ending, SIGTERM)
        sigaddset(&ending, SIGINT)
        pthread_sigmask(SIG_BLOCK, &ending, nil)
        signal(SIGPIPE, SIG_IGN)

        let host = try explained {
            try RunningHost(folder: folder, listen: settings.listen, settings: settings.inbox) {
                log.event($0)
            }
        }
        for note in host.notes { log.note(note) }
        log.listening(
            host.address, pin: host.identity.pinHex, recipient: host.recipient, folder: folder)
        let announcement = announce(host, log)
        Service.notifyReady()
        let signal = waitForEnd(ending, host, log)
        Service.notifyStopping()
        announcement?.shutDown()
        log.note(signal == SIGINT ? "stopping: interrupted" : "stopping: asked to end")
        try explained { try host.stop() }
        return 0
    }

    /// Where devices look for a host that has moved: nil for one that only this machine can reach.
    private static func announce(_ host: RunningHost, _ log: HostLog) -> Announcement? {
        let (address, pin) = (host.address, host.identity.pinHex)
        if address.address.hasPrefix("127.") || address.address == "::1" { return nil }
        // The pin's beginning keeps two hosts of one network, and a cloned machine, apart.
        return Announcement(
            name: "Lapel host \(pin.prefix(8))", type: HostSearch.service, port: address.port,
            field: "\(HostSearch.pinField)=\(pin.prefix(HostSearch.pinDigits))", told: { log.note($0) })
    }

    /// Wakes for a signal, for the watchdog's ping, and once an hour to forget old half uploads.
    private static func waitForEnd(_ ending: sigset_t, _ host: RunningHost, _ log: HostLog) -> Int32 {
        let hour: Duration = .seconds(3600)
        let pause = min(Service.watchdogInterval ?? hour, hour)
        var sinceExpiry = hour
        var ending = ending
        while true {
            if sinceExpiry >= hour {
                sinceExpiry = .zero
                do throws(InboxError) {
                    let count = try host.inbox.expire()
                    if count > 0 { log.note("forgot \(count) half uploads that nobody went on with") }
                } catch {
                    log.warning("old half uploads stay: \(error)")
                }
            }
            let (seconds, attoseconds) = pause.components
            var limit = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
            let signal = sigtimedwait(&ending, nil, &limit)
            if signal > 0 { return signal }
            sinceExpiry += pause
            Service.pingWatchdog()
        }
    }
}
