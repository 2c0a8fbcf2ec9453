import Foundation

extension Study {
    /// Opens a sealed file as anybody can, with Debian's age; returns the path of what is in it.
    func age(_ key: String, _ sealed: String) async throws -> String {
        let opened = folder.file("age-\(UUID().uuidString.prefix(8))")
        let ran = try await tool("age", "-d", "-i", key, "-o", opened, sealed)
        guard ran.status == 0 else { throw Broken("age: \(ran.errors)") }
        return opened
    }

    /// Runs a program of the system to its end.
    func tool(_ name: String, _ arguments: String...) async throws -> (status: Int32, errors: String) {
        let errors = folder.file("tool-\(UUID().uuidString.prefix(8))")
        return try await onOwnThread {
            _ = FileManager.default.createFile(atPath: errors, contents: nil)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = [name] + arguments
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle(forWritingAtPath: errors)
            try process.run()
            process.waitUntilExit()
            return (process.terminationStatus, contents(errors))
        }
    }
}
