import Foundation

/// A program of the system that checks what was sealed here; tests that need one are skipped without it.
enum Tool {
    static func exists(_ name: String) -> Bool { path(name) != nil }

    static func run(_ name: String, _ arguments: String...) throws -> (status: Int32, output: String) {
        try run(name, arguments)
    }

    static func run(_ name: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        guard let path = path(name) else { throw CocoaError(.fileNoSuchFile) }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }

    private static func path(_ name: String) -> String? {
        ["/usr/bin/", "/usr/local/bin/", "/bin/"].map { $0 + name }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }
}
