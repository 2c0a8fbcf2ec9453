import Foundation
import TestSupport
import Testing

@testable import DeviceSettings
@testable import SettingsFile

/// The settings' page, as far as it says it in a table: key and default.
private let specified: [(key: String, value: String)] = [
    ("button", "gpio:GPIO17"), ("button_bias", "pull-up"), ("button_active", "low"), ("mode", "press"),
    ("lamp", "none"), ("motor", "none"), ("microphone", "default"),
    ("rate", "16000"), ("channels", "1"), ("format", "opus"), ("bitrate", "24"),
    ("gain", "0"), ("highpass", "70"), ("settle_ms", "0"),
    ("rule", "lapel"), ("patience", "calm"), ("language", "en"), ("no_speech_s", "10"), ("longest_s", "120"),
    ("memo_longest_s", "14400"),
    ("outbox_dir", DeviceSettings.defaultOutboxDirectory), ("outbox_max", "4000000000"),
    ("outbox_full", "refuse"), ("reserve", "5 %"),
    ("seal", "on"), ("backup_recipient", "none"), ("host", "none"), ("foreign", "none"),
    ("haptics", "on"),
    ("participant", ""), ("session", ""), ("device_name", DeviceSettings.machineName), ("log", "notice"),
]

@Suite struct SettingsTests {
    private let folder = TemporaryFolder()

    private func inForce(_ text: String, _ options: [(key: String, value: String)] = []) throws
        -> SettingsInForce
    {
        let path = try folder.write("lapel.conf", Array(text.utf8))
        return try SettingsInForce(file: path, options: options)
    }

    private func refusal(_ text: String, _ options: [(key: String, value: String)] = []) -> String? {
        do {
            _ = try inForce(text, options)
            return nil
        } catch { return "\(error)" }
    }

    @Test func everyKeyOfThePageExistsAndNoOther() {
        #expect(Set(SettingKey.all.map(\.name)) == Set(specified.map(\.key)))
        #expect(SettingKey.all.count == specified.count)
    }

    @Test func theDefaultsAreThePages() throws {
        let lines = try SettingsInForce(file: nil).lines
        for (key, value) in specified {
            #expect(lines.first { $0.key == key }?.value == value, "\(key)")
        }
        #expect(lines.allSatisfy { $0.origin == "default" })
    }

    @Test(arguments: SettingKey.all.map(\.name))
    func aDefaultWrittenDownIsAccepted(key: String) throws {
        let line = try #require(try SettingsInForce(file: nil).lines.first { $0.key == key })
        #expect(try inForce("\(key) = \(line.value)\n").settings == SettingsInForce(file: nil).settings)
    }

    @Test(arguments: SettingKey.all.map(\.name))
    func everyKeyHasAHeadingValuesAndASentence(name: String) throws {
        let key = try #require(SettingKey.named(name))
        #expect(!key.section.isEmpty && !key.values.isEmpty && key.summary.hasSuffix("."))
    }

    @Test(arguments: [
        ("button", "input:/dev/input/by-path/platform-3f980000.usb-usb-0:1.2:1.0-event-kbd:KEY_RECORD"),
        ("button", "input:/dev/input/event0:BTN_0"),
        ("button", "gpio:pinctrl-bcm2835:17"), ("mode", "hold"), ("mode", "memo"), ("format", "flac"),
        ("format", "wav"), ("rate", "44100"), ("rate", "48000"), ("channels", "2"), ("bitrate", "6"),
        ("bitrate", "128"), ("highpass", "off"), ("gain", "20"), ("outbox_max", "500M"),
        ("outbox_max", "1.5G"),
        ("reserve", "10%"), ("reserve", "0 %"), ("host", "[fe80::1]:8443"), ("host", "pi.local"),
        ("rule", "reference"), ("patience", "quick"),
        ("language", "pt-BR"), ("log", "debug"), ("lamp", "GPIO27"), ("outbox_full", "drop-oldest"),
        ("seal", "off"),
        ("backup_recipient", "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p"),
    ])
    func aPossibleValueIsTaken(key: String, value: String) throws {
        let settings = try inForce("\(key) = \(value)\n")
        #expect(settings.origins[key] == .file(path: folder.file("lapel.conf"), line: 1))
    }

    @Test(arguments: [
        ("button", "GPIO17"), ("button", "gpio:"), ("button", "gpio:chip:-1"), ("button", "input:/dev/x:A"),
        ("button_bias", "up"), ("button_active", "1"), ("mode", "Press"),
        ("microphone", ""), ("rate", "8000"), ("channels", "3"), ("format", "mp3"),
        ("bitrate", "5"), ("bitrate", "129"), ("bitrate", "24k"), ("gain", "loud"), ("gain", "nan"),
        ("highpass", "-1"), ("settle_ms", "2001"), ("rule", "best"), ("patience", "slow"),
        ("language", "de_DE"), ("language", ""), ("no_speech_s", "0"), ("longest_s", "5"),
        ("memo_longest_s", "86401"), ("outbox_dir", "here"),
        ("outbox_max", "1M"), ("outbox_max", "-5"), ("outbox_max", "G"), ("outbox_max", "9999999999999G"),
        ("outbox_full", "drop"), ("reserve", "91 %"), ("reserve", "-1 %"), ("seal", "yes"),
        ("backup_recipient", "age1x"), ("backup_recipient", ""),
        ("host", "pi:99999"), ("host", "a b"), ("foreign", "ftp://x"),
        ("haptics", "true"),
        ("log", "loud"), ("lamp", ""),
    ])
    func anImpossibleValueIsRefusedWithLineKeyAndWayOut(key: String, value: String) throws {
        let sentence = try #require(refusal("# first\n\(key) = \(value)\n"))
        let path = folder.file("lapel.conf")
        #expect(sentence.hasPrefix("\(path), line 2: `\(key)` cannot be `\(value)`; it can be "))
        let values = try #require(SettingKey.named(key)).values
        #expect(sentence.hasSuffix("\(values)."))
    }

    /// Accepted, it would promise what this version does not do.
    @Test(arguments: SettingKey.idle.keys.sorted())
    func aSettingThatWouldDoNothingIsRefusedWithLineKeyAndWayOut(key: String) throws {
        let sentence = try #require(refusal("# first\n\(key) = on\n"))
        #expect(
            sentence.hasPrefix("\(folder.file("lapel.conf")), line 2: `\(key)` does nothing in this version"))
        #expect(sentence.hasSuffix("; take it out."))
        #expect(refusal("", [(key, "60")])?.hasPrefix("command line: `\(key)` does nothing") == true)
        #expect(SettingKey.named(key) == nil && SettingKey.isKnown(key))
    }

    /// A refusal ends in the journal, which is no place for a key.
    @Test func aSecretKeyThatIsGivenByMistakeIsNotRepeated() throws {
        let secret = "AGE-SECRET-KEY-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y5J33"
        let sentence = try #require(refusal("", [("backup_recipient", secret)]))
        #expect(sentence.contains("`AGE-SECRET-KEY-1…`") && !sentence.contains("GQ9778"))
        #expect(sentence.contains("an age recipient (age1…)"))
    }

    @Test(arguments: [
        ("moed", "mode"), ("bit_rate", "bitrate"), ("micro", "microphone"), ("outbox-dir", "outbox_dir"),
        ("hapitcs", "haptics"), ("LAMP", "lamp"),
    ])
    func anUnknownKeyIsRefusedAndTheNearestNamed(key: String, nearest: String) {
        if key == "LAMP" {
            // Capital letters are no key either; which lower one is nearest is a matter of counting.
            #expect(refusal("LAMP = GPIO1\n")?.contains("there is no setting `LAMP`") == true)
            return
        }
        #expect(
            refusal("\n\n\(key) = 1\n")
                == "\(folder.file("lapel.conf")), line 3: there is no setting `\(key)`; did you mean `\(nearest)`?"
        )
    }

    @Test func quickBelongsToTheRuleThatCanBeQuick() throws {
        let sentence = try #require(refusal("rule = reference\n", [(key: "patience", value: "quick")]))
        #expect(sentence.contains("`patience` (command line)") && sentence.contains("`rule` ("))
        #expect(sentence.contains("line 1") && sentence.contains("Set `rule = lapel` or `patience = calm`."))
        #expect(try inForce("rule = lapel\npatience = quick\n").settings.patience == .quick)
    }

    @Test(arguments: [
        "https://box.example/files", "http://10.0.0.7:1080/files/", "HTTPS://[fd00::1]:8/up?x=1",
    ])
    func aForeignServerIsTakenAsItsURL(url: String) throws {
        let server = try #require(try inForce("foreign = \(url)\n").settings.foreign)
        #expect(server.isSecure == url.lowercased().hasPrefix("https"))
    }

    @Test func aForeignServerGetsNothingThatIsNotSealed() throws {
        let sentence = try #require(refusal("seal = off\nforeign = https://box.example/files\n"))
        #expect(sentence.contains("`seal` (") && sentence.contains("`foreign` ("))
        #expect(sentence.contains("line 1") && sentence.contains("line 2"))
        #expect(sentence.hasSuffix("Set `seal = on`, or `foreign = none`."))
    }

    @Test func aHostsAddressAndAForeignServerExcludeEachOther() throws {
        let sentence = try #require(refusal("host = desk.local\nforeign = https://box.example/files\n"))
        #expect(sentence.contains("`host` (") && sentence.contains("`foreign` ("))
    }

    @Test func anOptionOverrulesTheFileAndItsOriginSaysSo() throws {
        let settings = try inForce("mode = hold\nrate = 48000\n", [("mode", "memo")])
        #expect(settings.settings.mode == .memo && settings.settings.rate == 48_000)
        #expect(settings.origins["mode"] == .option)
        let lines = settings.lines
        #expect(lines.first { $0.key == "mode" }?.origin == "command line")
        #expect(lines.first { $0.key == "rate" }?.origin == folder.file("lapel.conf") + ", line 2")
    }

    @Test func aBadOptionNamesTheCommandLine() {
        #expect(refusal("", [("mode", "x")])?.hasPrefix("command line: `mode` cannot be `x`") == true)
        #expect(refusal("", [("moed", "x")])?.hasPrefix("command line: there is no setting `moed`") == true)
    }

    @Test(arguments: [
        ("lamp = GPIO5\nmotor = GPIO5\n", ["`lamp`", "line 1", "`motor`", "line 2", "another line"]),
        ("button = gpio:A\n[lamp]\nlamp = A\n", ["`button`", "line 1", "`lamp`", "line 3", "another line"]),
        ("motor = GPIO17\n", ["`button` (default)", "`motor`", "line 1", "another line"]),
        (
            "no_speech_s = 30\nlongest_s = 30\n",
            ["`no_speech_s`", "line 1", "`longest_s`", "line 2", "raise"]
        ),
        ("longest_s = 8\n", ["`no_speech_s` (default)", "`longest_s`", "line 1", "Lower"]),
    ])
    func aConflictNamesBothKeysTheirLinesAndTheWayOut(text: String, parts: [String]) throws {
        let sentence = try #require(refusal(text))
        for part in parts { #expect(sentence.contains(part), "\(sentence)") }
    }

    @Test func theJSONTellsValueAndOriginOfEveryKey() throws {
        let json = try inForce("mode = memo\n").json
        #expect(json.members?.count == specified.count)
        #expect(json["mode"]?["value"]?.string == "memo")
        #expect(json["rate"]?["origin"]?.string == "default")
    }
}

@Suite struct SettingsFileTests {
    private let folder = TemporaryFolder()

    private func read(_ text: String) throws -> [SettingsEntry] {
        try SettingsFile.read(folder.write("a.conf", Array(text.utf8)))
    }

    private func refusal(_ text: String) -> SettingsFileError? {
        do {
            _ = try read(text)
            return nil
        } catch { return error as? SettingsFileError }
    }

    @Test func sectionsCommentsAndBlanksAreRead() throws {
        let entries = try read(
            "# top\n\n[button]\nmode=press\n  ; note\nlamp = GPIO 5   # the red one\n[x]\na = b\n")
        #expect(
            entries == [
                SettingsEntry(section: "button", key: "mode", value: "press", line: 4),
                SettingsEntry(section: "button", key: "lamp", value: "GPIO 5", line: 6),
                SettingsEntry(section: "x", key: "a", value: "b", line: 8),
            ])
    }

    @Test(arguments: [
        ("a = b#c", "b#c"), ("a = b #c", "b"), ("a = b\t#c", "b"), ("a = b ;c", "b"), ("a = b;c", "b;c"),
        ("a =", ""), ("a = # only", ""), ("a = b = c", "b = c"), ("a=ü€", "ü€"), ("a = b\r", "b"),
    ])
    func aValueEndsWhereACommentBegins(line: String, value: String) throws {
        #expect(try read(line + "\n").map(\.value) == [value])
        #expect(try read(line).map(\.value) == [value])
    }

    @Test func anEmptyFileHasNoEntries() throws {
        #expect(try read("") == [])
        #expect(try read("\n\n# nothing\n") == [])
    }

    @Test func aLineThatIsNothingIsRefusedByItsNumber() {
        #expect(refusal("mode = press\nhello\n") == .notASetting(path: folder.file("a.conf"), line: 2))
        #expect(refusal("[button\n") == .notASetting(path: folder.file("a.conf"), line: 1))
    }

    @Test func aLongLineIsRefusedNotCut() throws {
        let longest = "a = " + String(repeating: "x", count: SettingsFile.longestLine - 4)
        #expect(try read(longest + "\nb = 1\n").map(\.value.utf8.count) == [193, 1])
        #expect(refusal("\n\(longest)x\nb = 1\n") == .tooLong(path: folder.file("a.conf"), line: 2))
        #expect(
            refusal("b = 1\n" + String(repeating: longest, count: 9))
                == .tooLong(path: folder.file("a.conf"), line: 2))
    }

    @Test func aKeyThatStandsTwiceIsRefusedAlsoInAnotherSection() {
        #expect(
            refusal("[a]\nmode = press\n[b]\nmode = memo\n")
                == .twice(path: folder.file("a.conf"), key: "mode", first: 2, second: 4))
    }

    @Test func anIndentedLineIsNoSecretSecondValue() {
        #expect(refusal("mode = press\n  hold\n") != nil)
    }

    @Test func aMissingFileAndAFolderAreRefusedByTheirNames() {
        for path in [folder.file("none.conf"), folder.path] {
            do {
                _ = try SettingsFile.read(path)
                Issue.record("\(path) was read")
            } catch { #expect("\(error)".contains("\(path) cannot be read: ")) }
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func noBytesTrap(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let bytes: [UInt8] = Array("[]=;# \n\r\t\u{0}aé\"\\".utf8)
        for _ in 0..<300 {
            let text = (0..<Int.random(in: 0...400, using: &random)).map { _ in
                Int.random(in: 0..<6, using: &random) == 0
                    ? UInt8.random(in: 0...255, using: &random) : bytes.randomElement(using: &random) ?? 0
            }
            let path = try folder.write("fuzz.conf", text)
            _ = try? SettingsFile.read(path)
            _ = try? SettingsInForce(file: path)
        }
    }
}
