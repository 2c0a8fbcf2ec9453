import AudioFiles
import Outbox

extension SalvagedAudio {
    /// Makes what a crash left of a recording valid in place.
    ///
    /// - Throws: `AudioFileError` for a file that holds no sound of that format.
    init(repairing path: String, format: String) throws {
        guard let format = AudioFormat(rawValue: format) else {
            throw AudioFileError.unknownFormat(path: path)
        }
        let found: Salvaged
        do { found = try salvage(path: path, format: format) } catch {
            switch error {
            case .missing, .unreadable:
                self = .refused(reason: error.description)
                return
            case .empty, .notWAV, .truncatedHeader, .damagedHeader, .unsupportedEncoding, .noSamples,
                .unknownFormat, .undecodable, .encoding:
                throw error
            }
        }
        self =
            found.frames > 0
            ? .audio(frames: found.frames, rate: found.rate, channels: found.channels) : .nothing
    }
}
