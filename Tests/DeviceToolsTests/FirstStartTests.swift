import Testing
import Turn
import Wire

@testable import Device
@testable import DeviceSettings
@testable import DeviceTools

private let url =
    "lapel://pair?h=192.0.2.7:8443&p=" + String(repeating: "A", count: 43) + "&t="
    + String(repeating: "0", count: 32)

@Suite("Files on the boot partition")
struct FirstStartTests {
    private typealias Found = FirstStart.Found

    @Test func whereNothingIsNothingIsDone() {
        let steps = FirstStart.steps(settings: .absent, pairing: .absent, problemIsThere: false)
        #expect(steps.isEmpty)
    }

    @Test func eachFileIsTakenOverBeforeItIsRemoved() {
        let steps = FirstStart.steps(settings: .usable([1]), pairing: .usable([2]), problemIsThere: false)
        #expect(
            steps == [
                .takeSettings([1]), .remove("lapel.conf"), .takePairing([2]), .remove("lapel-pair.txt"),
            ])
    }

    @Test func aRefusedFileStaysAndIsToldByTextAndByBlinks() {
        let steps = FirstStart.steps(settings: .refused("line 3"), pairing: .absent, problemIsThere: false)
        #expect(steps == [.writeProblem(FirstStart.problemText(["line 3"])), .blink(.service)])
    }

    @Test func aRefusedFileDoesNotSpareTheOther() {
        let steps = FirstStart.steps(settings: .refused("x"), pairing: .usable([2]), problemIsThere: false)
        #expect(steps.contains(.takePairing([2])))
        #expect(!steps.contains(.remove("lapel.conf")))
    }

    @Test func bothProblemsStandInOneText() {
        let steps = FirstStart.steps(
            settings: .refused("one"), pairing: .refused("two"), problemIsThere: true)
        #expect(
            steps == [
                .writeProblem(FirstStart.problemText(["one", "two"])), .blink(.service), .blink(.mistrusted),
            ])
    }

    @Test func anOldProblemGoesWithTheNextGoodFile() {
        let steps = FirstStart.steps(settings: .usable([1]), pairing: .absent, problemIsThere: true)
        #expect(steps.last == .remove("lapel-problem.txt"))
    }

    @Test func settingsLoseWhatOtherSystemsEditorsAdd() {
        let text: [UInt8] = [0xEF, 0xBB, 0xBF] + Array("mode = memo\r\nlamp = GPIO27\r\n".utf8)
        #expect(FirstStart.settingsText(text) == Array("mode = memo\nlamp = GPIO27\n".utf8))
    }

    @Test(arguments: [
        "URL\n", "\u{FEFF}URL\r\n", "\r\n  URL  ", "'URL'", "On the device: lapel pair 'URL'\n\nURL\n",
        "URL\n\n  ██▀▀▀▀██\n  ██ ▄▄ ██\n\nOn the device: lapel pair 'URL'\nIt works once, within 1440 minutes.\n",
    ])
    func theURLIsFoundInWhatPeopleSave(form: String) throws {
        let found = try PairingFile.url(in: Array(form.replacing("URL", with: url).utf8))
        #expect(found.description == url)
    }

    @Test(arguments: [
        ("", "holds no pairing URL"), ("lapel-host pair", "holds no pairing URL"),
        ("lapel://pair?h=a:1", "cannot be used"), ("l\0a\0p\0e\0l\0", "is not plain text"),
        ("lapel://pair?h=a:1 lapel://pair?h=b:1", "2 different"),
    ])
    func whatIsNoPairingIsRefusedByASentence(text: String, sentence: String) {
        var refusal = ""
        do { _ = try PairingFile.url(in: Array(text.utf8)) } catch { refusal = error.description }
        #expect(refusal.contains(sentence))
    }
}
