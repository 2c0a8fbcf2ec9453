import AudioFiles
import Glibc
import Terminal

/// A program of the machine that plays a WAV file.
struct SoundPlayer: Equatable, Sendable {
    let program: String
    /// Before the file's name.
    let arguments: [String]

    /// ALSA's player, else PipeWire's, else PulseAudio's; nil when none is installed. `output` is that player's
    /// name for an output device.
    static func find(
        output: String?, path: String = HostFolder.environment("PATH") ?? "/usr/bin:/bin"
    ) -> SoundPlayer? {
        let players: [(name: String, arguments: [String])] = [
            ("aplay", ["-q"] + (output.map { ["-D", $0] } ?? [])),
            ("pw-play", output.map { ["--target", $0] } ?? []),
            ("paplay", output.map { ["--device", $0] } ?? []),
        ]
        for player in players {
            for folder in path.split(separator: ":") {
                let program = folder + "/" + player.name
                if access(String(program), X_OK) == 0 {
                    return SoundPlayer(program: String(program), arguments: player.arguments)
                }
            }
        }
        return nil
    }

    /// Plays what `write` puts into a file that has no name and is gone with the player. Blocks until it has
    /// played; returns the player's exit code.
    func play(_ write: (DescriptorSink) throws -> Void) throws -> Int32 {
        var name = Array("/var/tmp/lapel-host-XXXXXX".utf8CString)
        let file = mkstemp(&name)
        guard file >= 0 else { throw failure("get a temporary file", errno) }
        defer { close(file) }
        unlink(name)
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        try write(DescriptorSink(file))
        lseek(file, 0, SEEK_SET)
        return try run(playing: file)
    }

    private func run(playing file: Int32) throws(CommandError) -> Int32 {
        // The player opens it by its descriptor, which it inherits.
        let inherited: Int32 = 9
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, file, inherited)
        let words = [program] + arguments + ["/dev/fd/\(inherited)"]
        var list: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for word in list { free(word) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, program, &actions, nil, &list, environ)
        guard code == 0 else { throw failure("be started", code) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) == -1 {
            guard errno == EINTR else { throw failure("be waited for", errno) }
        }
        // wait(2): the low 7 bits are the signal that ended it, the next byte is its exit code.
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    private func failure(_ operation: String, _ code: Int32) -> CommandError {
        .failed("The player \(program) could not \(operation): \(String(cString: strerror(code))).")
    }
}
