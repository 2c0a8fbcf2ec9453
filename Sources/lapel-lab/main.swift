import Glibc
import Lab

exit(
    LabProgram.run(
        Array(CommandLine.arguments.dropFirst()), output: { print($0) },
        error: { line in _ = (line + "\n").withCString { write(STDERR_FILENO, $0, strlen($0)) } }))
