/// The program `lapel-lab`: what a developer or researcher asks, and no device or host needs.
package enum LabProgram {
    private static let usage = "usage: lapel-lab endpoint …, or --help"

    /// `arguments` without the program's name. Returns the exit code: 0 done, 1 not done, 2 not understood.
    package static func run(
        _ arguments: [String], output: (String) -> Void, error: (String) -> Void
    ) -> Int32 {
        guard arguments.first == "endpoint" else {
            error(usage)
            return 2
        }
        return endpointCommand(arguments: Array(arguments.dropFirst()), output: output, error: error)
    }
}
