import Host
import Terminal
import Wire

extension Command {
    static let compare = Command(
        name: "compare", synopsis: "ID FILE [--dir DIR] [--json]",
        summary: "Tell whether an utterance's recording is what a sound file holds.",
        options: [folderOption, jsonOption], words: 2,
        run: { arguments, console throws(CommandError) in
            guard arguments.words.count == 2 else {
                throw .usage("`lapel-lab compare` wants an utterance's id and a sound file.")
            }
            let (utterance, recording) = try withSound(arguments) { ($0, try WholeSound.read($1)) }
            let file = try explained { try WholeSound.read(arguments.words[1]) }
            guard let comparison = AudioComparison(recording: recording, file: file) else {
                throw .failed(
                    "There is nothing to compare: the recording or the file is silent or shorter than 25 ms.")
            }
            if arguments.has("json") {
                console.out([
                    "utterance": .string(utterance), "same": .bool(comparison.same),
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
