import Foundation
import TestSupport

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

    /// zlib's format, by the one program that everybody has for it.
    static func inflate(_ bytes: [UInt8]) throws -> [UInt8] {
        let folder = TemporaryFolder()
        let packed = try folder.write("packed", bytes)
        let plain = folder.file("plain")
        let script =
            "import sys, zlib; open(sys.argv[2], 'wb').write(zlib.decompress(open(sys.argv[1], 'rb').read()))"
        let (status, _) = try run("python3", "-c", script, packed, plain)
        guard status == 0 else { throw CocoaError(.fileReadCorruptFile) }
        return Array(try Data(contentsOf: URL(fileURLWithPath: plain)))
    }

    private static func path(_ name: String) -> String? {
        ["/usr/bin/", "/usr/local/bin/", "/bin/"].map { $0 + name }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }
}
