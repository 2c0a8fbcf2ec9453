import Glibc
import Host

exit(HostProgram.run(Array(CommandLine.arguments.dropFirst())))
