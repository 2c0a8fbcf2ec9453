import DurableFiles
import Glibc
import Identity
import Inbox
import LocalInbox
import Service
import Terminal

/// The folder a command works on: where it is, and what is opened in it.
package enum HostFolder {
    static let explanation = "$STATE_DIRECTORY, /var/lib/lapel-host for root, else ~/.local/state/lapel-host"

    /// `--dir`, else the default place.
    static func path(_ arguments: Arguments) throws(CommandError) -> String {
        if let given = arguments["dir"] { return whole(given) }
        return try standard()
    }

    /// A path that means the same in another folder: the answers of `--json` carry paths.
    static func whole(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        guard let current = getcwd(nil, 0) else { return path }
        defer { free(current) }
        return String(cString: current) + "/" + path
    }

    static func standard() throws(CommandError) -> String {
        // systemd gives several directories separated by colons; the first one is the state.
        if let state = environment("STATE_DIRECTORY")?.split(separator: ":").first { return String(state) }
        let system = "/var/lib/lapel-host"
        if geteuid() == 0 || Service.owns(system) { return system }
        guard let home = environment("HOME") else {
            throw .usage("Neither $STATE_DIRECTORY nor $HOME is set: name the host's folder with --dir.")
        }
        return home + "/.local/state/lapel-host"
    }

    /// The inbox of a folder that a server has made; a command that only looks creates nothing.
    ///
    /// With `writes`, root works as the user that the folder belongs to: the service must be able to read what is left
    /// there. What a command writes elsewhere, and what it plays, is root's own business.
    static func inbox(_ arguments: Arguments, writes: Bool = false) throws(CommandError) -> Inbox {
        let path = try path(arguments)
        if writes { Service.actAsOwner(of: path) }
        guard access(Folder(path).database, F_OK) == 0 else {
            throw .failed(
                "No host has ever served \(path): run `lapel-host serve` first, or name its folder with --dir."
            )
        }
        return try explained { try Inbox(folder: path) }
    }

    static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// What the machine calls itself.
    package static func machineName() -> String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "lapel-host" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
