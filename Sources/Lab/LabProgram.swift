import Host
import Terminal

/// The program `lapel-lab`: what a developer or researcher asks, and no device or host needs.
package enum LabProgram {
    private static let program = CommandProgram(
        name: "lapel-lab",
        summary: "for developers and researchers: how the end of speech is heard, and what a host holds.",
        version: hostVersion, commands: [.endpoint, .compare])

    /// `arguments` without the program's name. Returns the exit code: 0 done, 1 not done, 2 not understood.
    package static func run(_ arguments: [String], console: Console = .standard) -> Int32 {
        program.run(arguments, console: console)
    }
}
