import Glibc
import Terminal

extension HostProgram {
    /// Starts the program again with glibc's caches for each thread switched off, when it is about to serve.
    ///
    /// Each of a server's threads would keep freed pieces for itself: with a thread for each connection 15 MB for 500
    /// devices (`board/bench ring`). glibc reads this from the environment of a starting program and nowhere else
    /// ("Memory Allocation Tunables" in its manual). Returns when nothing is to be done, or the program cannot be
    /// started again: then it serves with what it has.
    package static func dropThreadCaches(_ arguments: [String]) {
        let (variable, tunable) = ("GLIBC_TUNABLES", "glibc.malloc.tcache_count")
        let given = getenv(variable).map { String(cString: $0) } ?? ""
        guard arguments.first == Command.serve.name, !given.contains(tunable) else { return }
        // The path itself: started by way of the link, the program would be called "exe".
        guard let program = realpath("/proc/self/exe", nil) else { return }
        defer { free(program) }
        // Whoever has it run by a loader or an emulator gets that one's name here.
        guard String(cString: program).hasSuffix("/lapel-host") else { return }
        setenv(variable, given.isEmpty ? "\(tunable)=0" : "\(given):\(tunable)=0", 1)
        execv(program, CommandLine.unsafeArgv)
    }
}
