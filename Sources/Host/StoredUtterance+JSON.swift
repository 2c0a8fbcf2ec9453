import Inbox
import Wire

extension StoredUtterance {
    /// How far it has come, in a word.
    enum State: String, Sendable {
        /// Manifest and audio are here.
        case stored
        /// Its audio is still on the device.
        case rung
        /// Its manifest is still on the device.
        case unexplained
        /// The manifest names another recording.
        case mismatched
        /// The record of utterances that the device had to drop.
        case gap
    }

    var state: State {
        if namesOtherAudio { return .mismatched }
        if let manifest {
            switch manifest.kind {
            case .gap: return .gap
            case .utterance: return audio == nil ? .rung : .stored
            }
        }
        return .unexplained
    }

    /// One entry of `list --json`.
    func summary(_ time: UtteranceTime) -> JSON {
        .object([
            ("utterance", .string(id)), ("seq", .integer(seq)), ("state", .string(state.rawValue)),
            ("device", .string(device)), ("device_name", .optional(deviceName)),
            ("began_utc", .string(LocalTime.utc(milliseconds: time.milliseconds))),
            ("began_source", .string(time.source.rawValue)),
            ("began_uncertainty_ms", .optional(time.uncertaintyMilliseconds)),
            ("seconds", .optional(manifest?.seconds)), ("speech_s", .optional(manifest?.speechSeconds)),
            ("end_reason", .optional(manifest?.endReason)), ("format", .optional(manifest?.format)),
            ("sha256", .optional(audio?.sha256)), ("bytes", .optional(audio?.bytes)),
            ("file", .optional(audio?.path)), ("sealed", .optional(audio?.isSealed)),
            ("first_at_ms", .integer(firstAt)), ("stored_at_ms", .optional(storedAt)),
        ])
    }
}
