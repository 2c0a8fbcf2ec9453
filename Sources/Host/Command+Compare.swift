import AudioFiles
import Inbox
import Terminal
import Wire

extension Command {
    static let compare = Command(
        name: "compare", synopsis: "ID FILE [--dir DIR] [--json]",
        summary: "Tell whether an utterance's recording is what a sound file holds.",
        options: [folderOption, jsonOption], words: 2,
        run: { arguments, console throws(CommandError) in
            guard arguments.words.count == 2 else {
                throw .usage("`lapel-host compare` wants an utterance's id and a sound file.")
            }
            let inbox = try HostFolder.inbox(arguments)
            let utterance = try one(arguments, inbox, command: "compare")
            let recording = try recording(of: utterance, in: inbox)
            let file = try explained { try WholeSound.read(arguments.words[1]) }
            guard let comparison = AudioComparison(recording: recording, file: file) else {
                throw .failed(
                    "There is nothing to compare: the recording or the file is silent or shorter than 25 ms.")
            }
            if arguments.has("json") {
                console.out([
                    "utterance": .string(utterance.id), "same": .bool(comparison.same),
                    "identical": .bool(comparison.identical),
                    "correlation": .double((comparison.correlation * 1e6).rounded() / 1e6),
                    "offset_s": .double(comparison.offsetSeconds),
                    "recording_s": .double(comparison.recordingSeconds),
                    "file_s": .double(comparison.fileSeconds),
                ])
            } else {
                console.out(sentence(comparison))
            }
            return comparison.same ? 0 : 1
        })

    /// The decoded audio of an utterance, or why there is none.
    static func recording(of utterance: StoredUtterance, in inbox: Inbox) throws(CommandError) -> PCM {
        try withSound(of: utterance, in: inbox) { try WholeSound.read($0) }
    }

    /// Gives `body` a file of an utterance's sound to read: the stored one, or a sealed one's opened bytes. Errors
    /// name the stored one.
    static func withSound<Result>(
        of utterance: StoredUtterance, in inbox: Inbox, _ body: (_ path: String) throws -> Result
    ) throws(CommandError) -> Result {
        guard let audio = utterance.audio else {
            throw .failed(
                "The recording of utterance \(utterance.id.prefix(8)) is not here yet: it is still on the device."
            )
        }
        return try explained {
            try inbox.withAudio(audio) { path in
                do { return try body(path) } catch let error as AudioFileError {
                    throw CommandError.failed(error.description.replacing(path, with: audio.path))
                }
            }
        }
    }

    private static func sentence(_ comparison: AudioComparison) -> String {
        let verdict =
            comparison.identical
            ? "The recording is the file's sound, sample for sample"
            : comparison.same ? "The recording is the file's sound" : "The recording is not the file's sound"
        return verdict
            + " (log-spectrograms correlate at \(Figures.fixed(comparison.correlation, places: 3))): "
            + "\(Figures.fixed(comparison.recordingSeconds, places: 2)) s from "
            + "\(Figures.fixed(comparison.offsetSeconds, places: 3)) s on, of \(Figures.fixed(comparison.fileSeconds, places: 2)) s."
    }
}
