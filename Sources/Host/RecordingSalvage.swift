import AudioFiles
import Inbox

/// Makes what a power cut left of a recording a valid file of sound, in place.
///
/// Sound that cannot be decoded has no frame and is kept as it is; only what may go better next time is thrown.
@Sendable package func salvageRecording(path: String, format: String) throws -> SalvagedSound {
    guard let format = AudioFormat(rawValue: format) else { return .unknown }
    do throws(AudioFileError) {
        let sound = try salvage(path: path, format: format)
        return SalvagedSound(frames: sound.frames, rate: sound.rate, channels: sound.channels)
    } catch {
        switch error {
        case .missing, .unreadable, .encoding: throw error
        case .empty, .notWAV, .truncatedHeader, .damagedHeader, .unsupportedEncoding, .noSamples,
            .unknownFormat, .undecodable:
            return .unknown
        }
    }
}
