import AudioFiles
import Glibc
import Inbox
import Terminal

extension Command {
    static let play = Command(
        name: "play", synopsis: "ID [--output DEVICE] [--to FILE.wav | --to -] [--dir DIR]",
        summary: "Play an utterance, or write it as WAV.",
        options: [
            .init(
                name: "output", value: "DEVICE",
                help: "output device, by the name that aplay (or pw-play) knows"),
            .init(
                name: "to", value: "FILE.wav",
                help: "write the decoded sound there instead; - is standard output"),
            folderOption,
        ],
        words: 1,
        run: { arguments, console throws(CommandError) in
            let inbox = try HostFolder.inbox(arguments)
            let utterance = try one(arguments, inbox, command: "play")
            if let target = arguments["to"] {
                try withSound(of: utterance, in: inbox) { try write($0, to: target) }
                return 0
            }
            guard let player = SoundPlayer.find(output: arguments["output"]) else {
                throw .failed(
                    "No player is installed: install alsa-utils (aplay), or write a file with --to FILE.wav.")
            }
            let code = try withSound(of: utterance, in: inbox) { path in
                try player.play { sink in try decode(path, into: sink) }
            }
            guard code == 0 else {
                throw .failed("The player \(player.program) ended with exit code \(code).")
            }
            return 0
        })

    private static func write(_ path: String, to target: String) throws {
        if target == "-" {
            signal(SIGPIPE, SIG_IGN)
            return try decode(path, into: DescriptorSink(STDOUT_FILENO))
        }
        let descriptor = open(target, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandError.failed("\(target) cannot be written: \(String(cString: strerror(errno))).")
        }
        defer { close(descriptor) }
        try decode(path, into: DescriptorSink(descriptor))
    }

    /// Block by block: a recording may last for hours.
    private static func decode(_ path: String, into sink: DescriptorSink) throws {
        let reader = try AudioReader(path: path)
        let encoder = try AudioEncoder(format: .wav, rate: reader.rate, channels: reader.channels, sink: sink)
        while true {
            let block = try reader.read()
            if block.isEmpty { break }
            try block.withUnsafeBufferPointer { try encoder.write($0) }
        }
        try encoder.finish()
    }
}
