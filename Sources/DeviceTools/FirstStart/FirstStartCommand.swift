import Device
import DeviceSettings
import DurableFiles
import Glibc
import HostLink
import Terminal
import Turn
import Wire

// Invariants
// 1. A file on the boot partition is removed only after what it says is in its place durably.
// 2. What is read there is bounded, and a link is not followed: the program is root while it looks.
// 3. A pairing that the host has refused is not tried again: its token is spent.

/// `lapel first-start FOLDER | --pair | --report FOLDER`: settings and pairing of a board without a keyboard.
///
/// The first form is root's, before the device starts; the second is the device's own user's, as soon as there is a
/// network; the third tells on the card how the second ended. Returns 3 when trying again would change nothing.
func firstStartCommand(_ rest: [String]) throws -> Int32 {
    let arguments = try Arguments(settings: rest, flags: ["pair"], values: ["config", "report"])
    let folder = DeviceFolder(path: try settingsInForce(arguments).settings.outboxDirectory)
    if let place = arguments["report"] {
        try arguments.nothingElse()
        try reportPairing(folder, on: place)
        return 0
    }
    if arguments.has("pair") {
        try arguments.nothingElse()
        return try pairByFile(arguments, folder)
    }
    guard arguments.words.count == 1, let place = arguments.words.first else {
        throw CommandError.usage("`lapel first-start` takes the boot partition's folder.")
    }
    try takeOver(place, arguments["config"] ?? DeviceSettings.defaultFile, folder)
    return 0
}

private func takeOver(_ place: String, _ settingsFile: String, _ folder: DeviceFolder) throws {
    let steps = FirstStart.steps(
        settings: settingsFound(in: place), pairing: pairingFound(in: place),
        problemIsThere: access(place + "/" + FirstStart.problem, F_OK) == 0)
    let calls = FileCalls.system
    for step in steps {
        switch step {
        case .takeSettings(let bytes):
            try calls.makeFolders(DurableFiles.folder(of: settingsFile), mode: 0o755)
            try replace(settingsFile, bytes, mode: 0o644)
            // The mask of the service is stricter than a file that every user may read.
            _ = chmod(settingsFile, 0o644)
            print("The settings of \(place)/\(FirstStart.settings) are in \(settingsFile) now.")
        case .takePairing(let bytes):
            try calls.makeFolders(folder.path)
            try replace(folder.pairing, bytes)
            var owner = stat()
            if stat(folder.path, &owner) == 0 { _ = lchown(folder.pairing, owner.st_uid, owner.st_gid) }
            print("The pairing of \(place)/\(FirstStart.pairing) is begun as soon as the network is there.")
        case .remove(let name):
            try calls.unlink(place + "/" + name)
            try calls.syncFolder(place)
        case .writeProblem(let text):
            try replace(place + "/" + FirstStart.problem, Array(text.utf8), mode: 0o644)
            writeError("lapel: \(place)/\(FirstStart.problem) says what is wrong.")
        case .blink(let fault):
            // After the settings, so that the lamp is the one that they name.
            FaultLamp(settingsFile: settingsFile)?.blink(fault)
        }
    }
}

private func settingsFound(in place: String) -> FirstStart.Found {
    let path = place + "/" + FirstStart.settings
    do {
        guard let bytes = try boundedContents(path) else { return .absent }
        _ = try SettingsInForce(file: path)
        return .usable(FirstStart.settingsText(bytes))
    } catch { return .refused("\(error)") }
}

private func pairingFound(in place: String) -> FirstStart.Found {
    do {
        guard let bytes = try boundedContents(place + "/" + FirstStart.pairing) else { return .absent }
        return .usable(Array((try PairingFile.url(in: bytes).description + "\n").utf8))
    } catch { return .refused("\(error)") }
}

/// The pairing that waits in the device's folder, once.
private func pairByFile(_ arguments: Arguments, _ folder: DeviceFolder) throws -> Int32 {
    guard let bytes = try boundedContents(folder.pairing) else { return 0 }
    // The running device makes the keys that the host is handed: two makers at a time could leave one key behind.
    guard (try? ControlClient.ask(.status, at: folder.control)) != nil else { throw NotRunningYet() }
    do {
        let paired = try pairDevice(
            try PairingFile.url(in: bytes), in: folder,
            deviceName: settingsInForce(arguments).settings.deviceName)
        try FileCalls.system.unlink(folder.pairing)
        try FileCalls.system.syncFolder(folder.path)
        print("Paired with \(paired.host.name).")
        for warning in paired.warnings { writeError("lapel: \(warning)") }
        return 0
    } catch  where isFinal(error) {
        writeError("lapel: \(error)")
        let text = FirstStart.problemText(["\(error)"])
        try replace(folder.pairingProblem, Array(text.utf8))
        try FileCalls.system.unlink(folder.pairing)
        try FileCalls.system.syncFolder(folder.path)
        // The running device has the lamp.
        _ = try? ControlClient.ask(.pairingRefused, at: folder.control)
        return 3
    }
}

private struct NotRunningYet: Error, CustomStringConvertible {
    var description: String { "the device does not run yet; the pairing waits for it." }
}

/// Whether the same file can lead to nothing else at another time.
private func isFinal(_ error: any Error) -> Bool {
    if error is PairingFile.Refusal { return true }
    guard let error = error as? HostLinkError else { return false }
    switch error {
    case .tokenRefused, .notAHost, .noAnswer(.mistrusted, _, _): return true
    case .noAnswer, .setup, .stopped, .unreadable, .unwritable, .hostNotReachable, .hostBusy: return false
    }
}

/// Copies the sentence of a refused pairing onto the card; a pairing that went well takes an older one away.
private func reportPairing(_ folder: DeviceFolder, on place: String) throws {
    let path = place + "/" + FirstStart.problem
    if let bytes = try boundedContents(folder.pairingProblem) {
        guard access(place, F_OK) == 0 else { return }
        try replace(path, bytes, mode: 0o644)
        try FileCalls.system.unlink(folder.pairingProblem)
    }
}

/// The bytes of a plain file; nil when there is none. What is no plain file, or longer than a settings file can be, is
/// refused.
private func boundedContents(_ path: String) throws -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
        if errno == ENOENT { return nil }
        throw PairingFile.Refusal(description: "\(path) cannot be read: \(String(cString: strerror(errno))).")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        status.st_size <= FirstStart.mostBytes
    else {
        throw PairingFile.Refusal(
            description: "\(path) is no plain file of at most \(FirstStart.mostBytes / 1024) KiB.")
    }
    var bytes = [UInt8](repeating: 0, count: FirstStart.mostBytes)
    var length = 0
    while length < bytes.count {
        let count = bytes.withUnsafeMutableBytes {
            let rest = UnsafeMutableRawBufferPointer(rebasing: $0[length...])
            return read(descriptor, rest.baseAddress, rest.count)
        }
        guard count >= 0 else {
            if errno == EINTR { continue }
            throw PairingFile.Refusal(
                description: "\(path) cannot be read: \(String(cString: strerror(errno))).")
        }
        if count == 0 { break }
        length += count
    }
    return Array(bytes.prefix(length))
}
