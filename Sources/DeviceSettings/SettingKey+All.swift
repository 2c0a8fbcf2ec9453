import AudioFiles
import EndOfSpeech
import Hardware
import Sealing
import Turn
import Wire

extension SettingKey {
    /// Every key there is, in the order of the shipped file.
    package static let all: [SettingKey] = button + lamp + microphone + turn + outbox + cues + study

    private static let button = [
        SettingKey(
            name: "button", section: "button", values: "gpio:NAME, gpio:LABEL:OFFSET, input:PATH:KEY_…",
            summary: "Where the button is: a GPIO line by name, or a key of an input device."
        ) { settings, value in
            guard let button = ButtonSetting(value) else { return false }
            settings.button = button
            return true
        } show: {
            $0.button.description
        },
        choice(
            "button_bias", "button", \.buttonBias,
            [("pull-up", .pullUp), ("pull-down", .pullDown), ("none", .none)],
            "What holds the line while the button is up."),
        choice(
            "button_active", "button", \.buttonActive, [("low", .low), ("high", .high)],
            "The line's level while the button is down."),
        choice(
            "mode", "button", \.mode, [("press", .press), ("hold", .hold), ("memo", .memo)],
            "press: a turn for each press; hold: push to talk; memo: a press starts, a press ends."),
    ]

    private static let lamp = [
        optional("lamp", "lamp and motor", \.lamp, "a line's name, none", "The lamp's GPIO line."),
        optional(
            "motor", "lamp and motor", \.motor, "a line's name, none", "The vibration motor's GPIO line."),
    ]

    private static let microphone = [
        text(
            "microphone", "microphone", \.microphone, "an ALSA name",
            "The capture device, as `arecord -L` lists it.",
            { !$0.isEmpty }),
        choice(
            "rate", "microphone", \.rate, [("16000", 16_000), ("48000", 48_000), ("44100", 44_100)],
            "Frames per second of a recording."),
        choice("channels", "microphone", \.channels, [("1", 1), ("2", 2)], "Channels of a recording."),
        choice(
            "format", "microphone", \.format, [("opus", .opus), ("flac", .flac), ("wav", .wav)],
            "How a recording is stored and shipped."),
        whole("bitrate", "microphone", \.bitrate, 6...128, "kb/s", "Of Opus."),
        number(
            "gain", "microphone", \.gain, -40...60, "dB", "Added to every sample; 20 suits I2S microphones."),
        SettingKey(
            name: "highpass", section: "microphone", values: "a number from 20 to 400 (Hz), off",
            summary: "Removes rumble below this frequency; off leaves the samples as they are."
        ) { settings, value in
            if value == "off" {
                settings.highpass = nil
                return true
            }
            guard let corner = Double(value), (20...400).contains(corner) else { return false }
            settings.highpass = corner
            return true
        } show: {
            $0.highpass.map(plain) ?? "off"
        },
        whole(
            "settle_ms", "microphone", \.settle, 0...2000, "ms",
            "Muted at the start: 0 USB, 40 INMP441, 200 WM8960 and SPH0645."),
    ]

    private static let turn = [
        choice(
            "rule", "turn", \.rule, [("lapel", .lapel), ("reference", .reference)],
            "How the end of speech is heard: lapel by a trained ear, reference by the level alone."),
        choice(
            "patience", "turn", \.patience, [("calm", .calm), ("quick", .quick)],
            "calm waits 3 s of quiet; quick, of the rule lapel, as little as it can be sure with."),
        text(
            "language", "turn", \.language, "a BCP 47 tag", "What the wearer speaks.",
            { tag in tag.utf8.count <= 35 && !tag.isEmpty && tag.utf8.allSatisfy(isTagCharacter) }),
        number(
            "no_speech_s", "turn", \.noSpeech, 1...600, "s", "Without speech the turn ends after this long."),
        number("longest_s", "turn", \.longest, 6...3600, "s", "The longest utterance."),
        number("memo_longest_s", "turn", \.memoLongest, 6...86_400, "s", "The longest memo."),
    ]

    private static let outbox = [
        text(
            "outbox_dir", "outbox", \.outboxDirectory, "a folder",
            "Holds all that the device keeps: recordings, keys, pairing and journal.", { $0.hasPrefix("/") }),
        SettingKey(
            name: "outbox_max", section: "outbox", values: "bytes, with K, M or G",
            summary: "Recordings kept at most."
        ) { settings, value in
            guard let bytes = byteCount(value), bytes >= 10_000_000 else { return false }
            settings.outboxMax = bytes
            return true
        } show: {
            String($0.outboxMax)
        },
        choice(
            "outbox_full", "outbox", \.dropsOldest, [("refuse", false), ("drop-oldest", true)],
            "What happens to a press when the outbox is full."),
        SettingKey(
            name: "reserve", section: "outbox", values: "a percentage from 0 % to 90 %",
            summary: "Of the card, kept free."
        ) { settings, value in
            let digits = value.hasSuffix("%") ? String(value.dropLast().filter { $0 != " " }) : value
            guard let percent = Double(digits), (0...90).contains(percent) else { return false }
            settings.reserve = percent / 100
            return true
        } show: {
            plain(($0.reserve * 10_000).rounded() / 100) + " %"
        },
        optional(
            "host", "outbox", \.host, "HOST:PORT, none",
            "Tried beside the addresses that the pairing named; the pin decides.", { HostAddress($0) != nil }),
        flag(
            "seal", "outbox", \.seals,
            "Recordings are sealed to the host's key before they touch the card. off is for bench work."),
        optional(
            "backup_recipient", "outbox", \.backupRecipient, "an age recipient (age1…), none",
            "A second key that opens every recording: `age-keygen` makes one; keep it off the device.",
            { $0 == "none" || AgeRecipient($0) != nil }),
        SettingKey(
            name: "foreign", section: "outbox", values: "https://HOST[:PORT]/PATH, http://…, none",
            summary:
                "A tus server that is not Lapel's, for a device without a host: gets sealed files; proves nothing."
        ) { settings, value in
            if value == "none" {
                settings.foreign = nil
                return true
            }
            guard let server = ForeignServer(value) else { return false }
            settings.foreign = server
            return true
        } show: {
            $0.foreign?.description ?? "none"
        },
    ]

    private static let cues = [
        flag("haptics", "cues", \.haptics, "The cues' vibration.")
    ]

    private static let study = [
        text("participant", "study", \.participant, "a text", "Travels with every recording."),
        text("session", "study", \.session, "a text", "Travels with every recording."),
        text(
            "device_name", "study", \.deviceName, "a text",
            "What the host shows for this device; by default the machine's own name."),
        choice(
            "log", "study", \.log, [("error", .error), ("notice", .notice), ("debug", .debug)],
            "How much is logged."),
    ]

    private static func isTagCharacter(_ c: UInt8) -> Bool {
        c == 45 || (48...57).contains(c) || (65...90).contains(c) || (97...122).contains(c)
    }

    /// `4G`, `500M`, `64K` or plain bytes; decimal multiples.
    private static func byteCount(_ text: String) -> Int? {
        let factors: [Character: Int] = ["K": 1000, "M": 1_000_000, "G": 1_000_000_000]
        guard let last = text.last else { return nil }
        guard let factor = factors[last] else { return Int(text) }
        guard let number = Double(text.dropLast()), number >= 0 else { return nil }
        return Int(exactly: (number * Double(factor)).rounded())
    }
}
