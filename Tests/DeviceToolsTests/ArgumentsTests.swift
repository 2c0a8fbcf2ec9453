import Simulator
import Terminal
import Testing

@testable import Device
@testable import DeviceSettings
@testable import DeviceTools

@Suite struct ArgumentsTests {
    private func read(_ words: String...) throws -> Arguments {
        try Arguments(settings: words, flags: ["json"], values: ["config", "mic"])
    }

    @Test func flagsValuesSettingsAndTheRestAreToldApart() throws {
        let arguments = try read(
            "export", "--json", "--mic", "a.wav", "--outbox-dir=/x", "--mode", "memo", "dir")
        #expect(arguments.has("json") && arguments["mic"] == "a.wav" && !arguments.has("config"))
        #expect(arguments.settings.map(\.key) == ["outbox_dir", "mode"])
        #expect(arguments.settings.map(\.value) == ["/x", "memo"])
        #expect(arguments.words == ["export", "dir"])
    }

    @Test(arguments: SettingKey.all.map(\.name))
    func everyKeyIsAnOption(key: String) throws {
        let option = "--" + key.split(separator: "_").joined(separator: "-")
        #expect(try Arguments(settings: [option, "x"]).settings.map(\.key) == [key])
        #expect(try Arguments(settings: ["--\(key)=x"]).settings.map(\.value) == ["x"])
    }

    @Test func aValueMayHoldAnEqualsSignAndMayBeEmpty() throws {
        #expect(try read("--mic=a=b.wav")["mic"] == "a=b.wav")
        #expect(try read("--mic=")["mic"] == "")
        #expect(try read("--participant", "").settings.map(\.value) == [""])
    }

    @Test(arguments: [
        (["--speed", "3"], "There is no option --speed here; `--help` lists what there is."),
        (["--=3"], "There is no option -- here; `--help` lists what there is."),
        (["--json=yes"], "--json takes no value."),
        (["--mic"], "--mic needs a value."),
        (["--mic", "a", "--mic", "b"], "--mic stands twice; give it once."),
        (["--outbox-dir"], "--outbox-dir needs a value."),
    ])
    func whatIsWrongIsRefusedByASentence(words: [String], sentence: String) {
        #expect(throws: CommandError.usage(sentence)) {
            try Arguments(settings: words, flags: ["json"], values: ["mic"])
        }
    }

    @Test func dashesAloneAreNoOptions() throws {
        #expect(try read("-", "--").words == ["-", "--"])
    }

    @Test func whatIsLeftCanBeRefused() throws {
        #expect(throws: CommandError.usage("\"dir\" is not expected here.")) {
            try read("--json", "dir").nothingElse()
        }
    }

    @Test func settingsCanBeNoOptionsAtAll() {
        #expect(throws: CommandError.self) { try Arguments(["--mode", "memo"]) }
    }
}

@Suite struct RunCommandTests {
    private func refusal(_ words: String...) -> String? {
        do {
            _ = try RunCommand(words + ["--config", "/dev/null"]).run()
            return nil
        } catch { return "\(error)" }
    }

    @Test(arguments: ["--mic", "--press", "--panel"])
    func whatBelongsToASimulationNeedsOne(option: String) {
        #expect(refusal(option, "1") == "\(option) exists only with --simulate.")
    }

    @Test(arguments: ["--json", "--mic-plays"])
    func flagsOfASimulationNeedOne(flag: String) {
        #expect(refusal(flag) == "\(flag) exists only with --simulate.")
    }

    @Test func withoutASimulationItSaysWhatIsMissing() {
        #expect(refusal()?.contains("--simulate") == true)
    }

    @Test func aSimulationHearsNoOtherMicrophone() {
        let sentence = refusal("--simulate", "--microphone", "hw:1", "--mic", "a.wav", "--press", "1")
        #expect(sentence?.contains("leave `microphone` out") == true)
    }

    @Test func aSimulationNeedsSomethingToHear() {
        #expect(refusal("--simulate", "--press", "1")?.contains("--mic FILE.wav") == true)
    }

    @Test func wordsThatMeanNothingAreRefused() {
        #expect(refusal("--simulate", "now") == "\"now\" is not expected here.")
    }

    @Test(arguments: [
        "", ",", "1,", "a", "1,b", "-1", "nan", "inf", "1+", "+1", "1+0", "1+2+3", "1 2", "90000", "1+4000",
        "0x",
    ])
    func aBadListOfPressesIsRefused(list: String) {
        #expect(throws: CommandError.self) { try RunCommand.presses(list) }
    }

    @Test(arguments: ["1+2,2", "2,1+2", "1,1", "5+1.5,6,9"])
    func pressesThatOverlapAreRefused(list: String) {
        #expect(throws: CommandError.self) { try RunCommand.presses(list) }
    }

    @Test func aScriptMayHaveNoPress() throws {
        #expect(try RunCommand.presses("none") == [])
    }

    @Test func aListOfPressesIsReadInOrderOfTime() throws {
        #expect(
            try RunCommand.presses("6.0,0.5,2+1.5") == [
                ScriptedPress(at: .milliseconds(500)),
                ScriptedPress(at: .seconds(2), held: .milliseconds(1500)),
                ScriptedPress(at: .seconds(6)),
            ])
    }
}
