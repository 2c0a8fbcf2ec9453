import Terminal

/// The program `lapel-host`.
package enum HostProgram {
    private static let program = CommandProgram(
        name: "lapel-host", summary: "the host that keeps what Lapel devices record.", version: hostVersion,
        commands: [.serve, .pair, .devices, .key, .list, .show, .play, .files, .forget, .check])

    /// `arguments` without the program's name. Returns the exit code: 0 done, 1 not done, 2 not understood.
    package static func run(_ arguments: [String], console: Console = .standard) -> Int32 {
        guard arguments.first != "compare" else {
            console.log(
                "lapel-host: `lapel-lab compare` is that command; it comes with the package lapel-lab.")
            return 2
        }
        return program.run(arguments, console: console)
    }
}
