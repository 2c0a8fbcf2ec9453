import Glibc
import Host

let arguments = Array(CommandLine.arguments.dropFirst())
HostProgram.dropThreadCaches(arguments)
exit(HostProgram.run(arguments))
