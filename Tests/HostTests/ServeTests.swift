import Foundation
import TestSupport
import Testing
import Wire

/// `lapel-host serve` as a program of its own.
@Suite struct ServeTests {
    let folder = TemporaryFolder()

    private func start(_ arguments: String..., environment: [String: String] = [:]) throws -> (
        Process, Pipe, Pipe
    ) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: buildFolder + "/lapel-host")
        process.arguments = ["serve"] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let out = Pipe()
        let errors = Pipe()
        process.standardOutput = out
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return (process, out, errors)
    }

    private func firstLine(_ pipe: Pipe) -> String {
        var line: [UInt8] = []
        while let byte = try? pipe.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 {
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self)
    }

    private func rest(_ pipe: Pipe) -> String {
        String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func aSignalEndsItWell(signal: Int32) throws {
        let (process, out, errors) = try start("--dir", folder.file("h"), "--listen", "127.0.0.1:0")
        let line = firstLine(out)
        #expect(line.hasPrefix("listening on 127.0.0.1:"))
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(rest(errors).contains("stopping"))
        let listening = try String(contentsOfFile: folder.file("h/listening"), encoding: .utf8)
        #expect(line == "listening on \(listening)")
    }

    @Test func itsFirstLineOfJSONTellsAddressAndPin() throws {
        let (process, out, _) = try start("--dir", folder.file("h"), "--listen", "127.0.0.1:0", "--json")
        let json = try JSON(parsing: Array(firstLine(out).utf8))
        process.terminate()
        process.waitUntilExit()
        #expect(json["event"]?.string == "listening")
        #expect(json["pin"]?.string.map { Hex.isLowercase($0, digits: 64) } == true)
    }

    @Test func theJournalGetsPriorities() throws {
        let (process, out, errors) = try start(
            "--dir", folder.file("h"), "--listen", "127.0.0.1:0", environment: ["JOURNAL_STREAM": "8:1"])
        #expect(firstLine(out).hasPrefix("<5>listening"))
        process.terminate()
        process.waitUntilExit()
        let lines = rest(errors).split(separator: "\n")
        #expect(lines.last?.hasPrefix("<6>stopping") == true)
        #expect(lines.allSatisfy { $0.hasPrefix("<6>") })
    }

    @Test func itsKeyStaysTheSame() throws {
        var pins: [String?] = []
        for _ in 0..<2 {
            let (process, out, _) = try start("--dir", folder.file("h"), "--listen", "127.0.0.1:0", "--json")
            pins.append(try JSON(parsing: Array(firstLine(out).utf8))["pin"]?.string)
            process.terminate()
            process.waitUntilExit()
        }
        #expect(pins[0] == pins[1])
    }

    @Test func aPortInUseIsSaid() throws {
        let (process, out, _) = try start("--dir", folder.file("a"), "--listen", "127.0.0.1:0")
        let address = firstLine(out).replacingOccurrences(of: "listening on ", with: "")
        let (second, _, errors) = try start("--dir", folder.file("b"), "--listen", address)
        second.waitUntilExit()
        #expect(second.terminationStatus == 1)
        #expect(
            rest(errors)
                == "lapel-host: Another program listens on \(address) already: stop it, or choose another port with --listen.\n"
        )
        process.terminate()
        process.waitUntilExit()
    }

    @Test func theFolderComesFromSystemd() throws {
        let (process, out, _) = try start(
            "--listen", "127.0.0.1:0", environment: ["STATE_DIRECTORY": folder.file("state")])
        _ = firstLine(out)
        process.terminate()
        process.waitUntilExit()
        #expect(FileManager.default.fileExists(atPath: folder.file("state/lapel.db")))
    }
}
