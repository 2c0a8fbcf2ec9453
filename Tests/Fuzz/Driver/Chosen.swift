import Glibc

/// The target of this process.
enum Chosen {
    static let target: FuzzTarget = {
        let name = getenv("LAPEL_FUZZ_TARGET").map { String(cString: $0) } ?? ""
        guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
            preconditionFailure("LAPEL_FUZZ_TARGET names a target, not '\(name)'")
        }
        return target
    }()
    static let folder: String = {
        guard let folder = getenv("LAPEL_FUZZ_FOLDER") else {
            preconditionFailure("LAPEL_FUZZ_FOLDER is a folder")
        }
        return String(cString: folder)
    }()
}

/// Called by libFuzzer; a property that does not hold ends the process, which is how libFuzzer hears of it.
func checkOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    do {
        try Chosen.target.check(Array(UnsafeBufferPointer(start: bytes, count: count)), Chosen.folder)
    } catch {
        fatalError("\(error)")
    }
    return 0
}
