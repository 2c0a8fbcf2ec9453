import Foundation

/// What a process holds open, by /proc.
struct Descriptors {
    /// Where each descriptor leads: a path, `socket:[inode]`, `anon_inode:…`.
    let all: [String]
    /// The lines of /proc/PID/net about TCP and UDP sockets of this process: (protocol, state).
    let network: [(table: String, state: String)]
    /// Paths of the local sockets that have one.
    let localSockets: [String]

    var paths: [String] { all.filter { $0.hasPrefix("/") } }
    /// The files among them, save what standard input, output and error lead to.
    func files(but logs: String) -> [String] {
        paths.filter { !$0.hasPrefix(logs) && $0 != "/dev/null" }.sorted()
    }

    /// State 0A of proc(5) is LISTEN; an unconnected UDP socket, 07, hears, too.
    var listening: [(table: String, state: String)] { network.filter { ["0A", "07"].contains($0.state) } }

    init(of process: pid_t) throws {
        let folder = "/proc/\(process)/fd"
        all = folderEntries(folder).compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + $0)
        }
        guard !all.isEmpty else { throw Broken("process \(process) is gone") }
        let inodes = Set(all.filter { $0.hasPrefix("socket:[") }.map { String($0.dropFirst(8).dropLast()) })
        network = ["tcp", "tcp6", "udp", "udp6"].flatMap { table in
            Self.rows("/proc/\(process)/net/\(table)").filter { $0.count > 9 && inodes.contains($0[9]) }
                .map { (table, $0[3]) }
        }
        localSockets = Self.rows("/proc/\(process)/net/unix").filter {
            $0.count > 7 && inodes.contains($0[6])
        }
        .map { $0[7] }
    }

    /// A table of the kernel without its head, each line as its words.
    private static func rows(_ path: String) -> [[String]] {
        contents(path).split(separator: "\n").dropFirst().map { $0.split(separator: " ").map(String.init) }
    }
}
