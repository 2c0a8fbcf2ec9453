import Glibc

/// Small files, whole.
enum EndpointFile {
    /// - Throws: `EndpointError.unreadable`.
    static func read(_ path: String) throws -> [UInt8] {
        func failure() -> EndpointError { .unreadable(path: path, reason: String(cString: strerror(errno))) }
        guard let file = fopen(path, "re") else { throw failure() }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            bytes += buffer[..<count]
            if count < buffer.count { break }
        }
        guard ferror(file) == 0 else { throw failure() }
        return bytes
    }
}
