import AudioFiles
import Inbox
import Terminal

extension Command {
    /// `--dir`: the folder of the host whose recordings are meant.
    package static let folderOption = Option(
        name: "dir", value: "DIR", help: "the host's folder; default \(HostFolder.explanation)")

    /// Gives `body` the id of the utterance that the command's first word means, and a file of its sound to read.
    ///
    /// - Parameter arguments: of a command that has `folderOption`.
    /// - Throws: `CommandError` where there is no such utterance, or no sound of it; and what `body` throws, as one.
    package static func withSound<Result>(
        _ arguments: Arguments, _ body: (_ utterance: String, _ path: String) throws -> Result
    ) throws(CommandError) -> Result {
        let inbox = try HostFolder.inbox(arguments)
        let utterance = try one(arguments, inbox, command: "show")
        return try withSound(of: utterance, in: inbox) { try body(utterance.id, $0) }
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
}
