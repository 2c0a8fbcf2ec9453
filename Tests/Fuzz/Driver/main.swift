// The program that libFuzzer drives. Which target, LAPEL_FUZZ_TARGET says, because libFuzzer starts the program again
// by itself; LAPEL_FUZZ_FOLDER is an empty folder in memory.
//
//   fuzz --list           the targets and the longest input of each
//   fuzz --seeds FOLDER   writes the target's seeds into the folder
//   fuzz …                whatever libFuzzer takes

import Glibc

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ check: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

switch CommandLine.arguments.dropFirst().first {
case "--list":
    for target in FuzzTarget.all { print(target.name, target.longest) }
case "--seeds":
    for (index, seed) in try Chosen.target.seeds().enumerated() {
        put(seed, at: CommandLine.arguments[2] + "/seed-\(index)")
    }
default:
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    exit(runDriver(&count, &arguments, checkOneInput))
}
