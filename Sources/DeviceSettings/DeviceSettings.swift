import AudioFiles
import DeviceMachine
import EndOfSpeech
import Hardware
import Turn
import Wire

/// Everything that `lapel.conf` and the command line decide. The initial values are the defaults.
package struct DeviceSettings: Equatable, Sendable {
    package var button = ButtonSetting.line("GPIO17")
    /// What holds the line while the button is up.
    package var buttonBias = LineBias.pullUp
    /// The line's level while the button is down.
    package var buttonActive = ActiveLevel.low
    package var mode = Gesture.Mode.press
    /// Line name; nil for a board that has none.
    package var lamp: String?
    package var motor: String?
    package var microphone = "default"
    package var rate = 16_000
    package var channels = 1
    package var format = AudioFormat.opus
    /// kb/s.
    package var bitrate = 24
    /// dB.
    package var gain = 0.0
    /// Hz; nil leaves the samples as they are.
    package var highpass: Double? = 70
    /// ms.
    package var settle = 0
    package var rule = EndOfSpeech.Rule.lapel
    package var patience = EndOfSpeech.Patience.calm
    package var language = "en"
    package var noSpeech = 10.0
    package var longest = 120.0
    package var memoLongest = 14_400.0
    package var outboxDirectory = DeviceSettings.defaultOutboxDirectory
    /// Bytes.
    package var outboxMax = 4_000_000_000
    package var dropsOldest = false
    /// Of the card, 0…1.
    package var reserve = 0.05
    /// Recordings are sealed; off is for bench work.
    package var seals = true
    /// An age recipient that can open every recording, too.
    package var backupRecipient: String?
    /// Address that is tried beside the ones the pairing named.
    package var host: String?
    /// A tus server that is not Lapel's, for a device without a paired host.
    package var foreign: ForeignServer?
    package var haptics = true
    package var participant = ""
    package var session = ""
    package var deviceName = DeviceSettings.machineName
    package var log = LogLevel.notice

    package init() {}
}

/// Where the button is, as written.
package enum ButtonSetting: Equatable, Sendable, CustomStringConvertible {
    /// A line found by name over all chips.
    case line(String)
    case offset(chip: String, offset: Int)
    case input(path: String, key: String)

    /// `gpio:GPIO17`, `gpio:LABEL:OFFSET` or `input:PATH:KEY_…`; nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        switch (parts.first, parts.count) {
        case ("gpio", 2): self = .line(parts[1])
        case ("gpio", 3):
            guard let offset = Int(parts[2]), offset >= 0 else { return nil }
            self = .offset(chip: parts[1], offset: offset)
        case ("input", 3...):
            // A by-path name holds colons itself: the key is what stands behind the last one.
            guard let key = parts.last, ["KEY_", "BTN_"].contains(key.prefix(4)) else { return nil }
            self = .input(path: parts[1..<parts.count - 1].joined(separator: ":"), key: key)
        case (_, _): return nil
        }
    }

    package var description: String {
        switch self {
        case .line(let name): "gpio:\(name)"
        case .offset(let chip, let offset): "gpio:\(chip):\(offset)"
        case .input(let path, let key): "input:\(path):\(key)"
        }
    }
}
