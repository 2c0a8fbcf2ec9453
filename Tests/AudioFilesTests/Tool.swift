import Foundation

/// A program of the system that checks what was written here; tests that need one are skipped without it.
enum Tool {
    static func exists(_ name: String) -> Bool { path(name) != nil }

    static func run(_ name: String, _ arguments: String...) throws -> (status: Int32, output: String) {
        guard let path = path(name) else { throw CocoaError(.fileNoSuchFile) }
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    private static func path(_ name: String) -> String? {
        ["/usr/bin/", "/usr/local/bin/", "/bin/"].map { $0 + name }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }
}
