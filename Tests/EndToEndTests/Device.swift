import Foundation
import TestSupport
import Wire

/// A device: its folder, and the program when it runs.
struct Device: Sendable {
    let study: Study
    let path: String

    func pair(_ url: String) async throws -> Finished {
        try await study.run("lapel", ["pair", url, "--outbox-dir", path, "--json"])
    }

    /// A command about this device.
    func lapel(_ arguments: String...) async throws -> Finished {
        try await study.run("lapel", arguments + ["--outbox-dir", path])
    }

    /// Runs until its presses are over and everything is sent.
    func simulate(_ microphone: String, press: String, _ options: String...) async throws -> Finished {
        try await simulate(microphone, press: press, options)
    }

    func simulate(_ microphone: String, press: String, _ options: [String]) async throws -> Finished {
        try await study.run("lapel", ["run", "--press", press] + common(microphone) + options)
    }

    /// Starts it with a panel; returns when the button is watched.
    func start(
        _ microphone: String, _ options: String..., environment: [String] = []
    ) async throws -> RunningDevice {
        try await start(microphone, options, environment: environment)
    }

    func start(
        _ microphone: String, _ options: [String], environment: [String] = []
    ) async throws -> RunningDevice {
        let panel = try Panel(in: study.folder)
        let arguments = ["run", "--panel", panel.devicePath] + common(microphone) + options
        let program = try study.start("lapel", arguments, environment: environment)
        let running = RunningDevice(device: self, program: program, panel: panel)
        let control = path + "/control"
        try await running.until("the device runs") { FileManager.default.fileExists(atPath: control) }
        return running
    }

    private func common(_ microphone: String) -> [String] {
        // A settings file that this machine may have is not the test's.
        let settings = study.folder.file("lapel.conf")
        _ = FileManager.default.createFile(atPath: settings, contents: nil)
        return ["--simulate", "--mic", microphone, "--config", settings, "--outbox-dir", path, "--json"]
    }

    /// The names of the files in one of the outbox's folders, save the spare tail journal, which holds nothing.
    func files(_ place: String) -> [String] {
        folderEntries(path + "/" + place).filter { $0 != "spare.tail" }
    }

    /// The recordings in one of the outbox's folders: `<name>.opus`, `<name>.wav.age`, …
    func recordings(_ place: String) -> [String] {
        files(place).filter { file in
            let words = file.split(separator: ".").dropFirst()
            return ["opus", "flac", "wav"].contains(words.first)
                && words.dropFirst().allSatisfy { $0 == "age" }
        }
    }

    /// How much of a running recording has come to the card's files, in bytes of sound. Of a sealed one a chunk of 64 KiB
    /// is written when it is full; the seconds since are in the tail journal, a record of 4 KiB blocks each, whose clear
    /// frame says: `LTJ1`, the utterance's id, the place in the recording (8 bytes), length (3).
    func recorded(_ file: String) -> Int {
        let path = self.path + "/rec/"
        let attributes = try? FileManager.default.attributesOfItem(atPath: path + file)
        let size = attributes?[.size] as? Int ?? 0
        guard file.hasSuffix(".age"), let name = file.split(separator: ".").first else { return size }
        let id = name.suffix(32)
        guard let journal = FileManager.default.contents(atPath: path + name + ".tail") else { return 0 }
        return stride(from: 0, to: journal.count - 40, by: 4096).reduce(0) { most, at in
            let frame = Array(journal[at..<at + 40])
            func number(_ place: Int, _ bytes: Int) -> Int {
                (0..<bytes).reduce(0) { $0 | Int(frame[place + $1]) << (8 * $1) }
            }
            guard frame.starts(with: Array("LTJ1".utf8)), Hex.encode(Array(frame[4..<20])) == id else {
                return most
            }
            return max(most, number(20, 8) + number(28, 3))
        }
    }

    /// The journal's records, read from its files: also while the device runs or when it was killed.
    func ledger() -> [JSON] {
        files("ledger").flatMap { contents(path + "/ledger/" + $0).split(separator: "\n") }
            .compactMap { try? JSON(parsing: Array($0.utf8)) }
    }

    /// What happened to the microphone, one word a record.
    func ledgerWords() -> [String] { ledger().compactMap { $0["record"]?.string } }
}

/// A device that runs with a panel for its button and lamp.
struct RunningDevice: Sendable {
    let device: Device
    let program: RunningProgram
    let panel: Panel

    /// Waits until something is true of the device's files; throws when the program ends before.
    func until(_ what: String, _ look: @escaping @Sendable () throws -> Bool) async throws {
        let program = program
        try await device.study.watch.until(what) {
            if try look() { return true }
            if let end = program.end {
                throw Broken("\(what): the device has ended (\(end)): \(program.errors)")
            }
            return nil
        }
    }

    /// Waits until the journal holds so many records of this kind.
    func until(_ record: String, count: Int = 1) async throws {
        let device = device
        try await until("\(record) \(count)") { device.ledgerWords().filter { $0 == record }.count >= count }
    }

    /// Waits until it has said this on standard error.
    func untilItSays(_ words: String) async throws {
        let program = program
        try await until("\"\(words)\"") { program.errors.contains(words) }
    }

    /// Waits until the recording of the newest press has grown to so many bytes of sound.
    func untilRecorded(bytes: Int) async throws {
        let device = device
        try await until("\(bytes) bytes in rec/") {
            guard let press = device.ledger().last?["press"]?.string,
                let name = device.recordings("rec").first(where: { $0.contains(press) })
            else { return false }
            return device.recorded(name) >= bytes
        }
    }

    /// Presses, and waits for the light.
    func press() async throws -> Panel.Lamp {
        try panel.send("press")
        return try await panel.lamp { $0.isOn }
    }

    func status() async throws -> JSON {
        let asked = try await device.lapel("status", "--json")
        guard let status = try asked.json().first else { throw Broken("status: \(asked.errors)") }
        return status
    }

    /// Asks again and again until the answer is what is waited for: each question goes through the device's loop of
    /// system calls, so that it gets its turn. The last answer, if it never is.
    func status(_ expected: @Sendable (JSON) -> Bool) async throws -> JSON {
        var last = try await status()
        for _ in 0..<200 where !expected(last) { last = try await status() }
        return last
    }

    /// Asks it to end, and waits for the end.
    @discardableResult
    func end(_ signal: Int32 = SIGTERM) async throws -> Finished {
        program.send(signal)
        return try await program.finished()
    }
}
