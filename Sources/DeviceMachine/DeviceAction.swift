import Hardware
import Turn

/// What the machine wants done. Every effect the device has is one of these.
package enum DeviceAction: Equatable, Sendable {
    case lamp(Bool)
    case motor(Bool)
    /// One step of the sound card; never a second before the first is answered, save `close` during `read`.
    case microphone(MicrophoneStep)
    case journal(LedgerEntry)
    /// Make the utterance's file; frames are on their way.
    case beginRecording(UtteranceID, press: Duration)
    /// All frames are in the queue: finish the file, synced, in `rec/`.
    case finishRecording(UtteranceID, TakeFacts)
    case commit(UtteranceID)
    case discard(UtteranceID)
    /// A press or a new utterance: the transfer tries again now.
    case wakeShipper
    case stopReply
    case replayLastReply
    /// Ask the button for its level, in case a release was lost.
    case rereadButton
    /// Whether there is room for another recording.
    case checkRoom
    /// How full the battery is.
    case readBattery
    /// The microphone is not there: tell when it is.
    case awaitMicrophone
    case log(LogLevel, String)
    /// Everything recorded is kept and the microphone is closed: the program may end.
    case end
}
