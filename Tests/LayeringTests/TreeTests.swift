import Testing

@Suite("The tree")
struct TreeTests {
    @Test func theTopLevelHoldsOnlyWhatIsListed() throws {
        let unknown = Set(try Repository.entries(of: "")).subtracting(Layers.topLevel)
        #expect(unknown.isEmpty, "at the top level: \(unknown.sorted())")
    }

    @Test func noFileIsLongerThanFiveHundredLines() throws {
        for file in try Repository.files(in: ["Sources", "Tests"], ending: ".swift") {
            #expect(file.lines <= 500, "\(file.path) has \(file.lines) lines")
        }
    }

    @Test func noFileIsNamedAfterWhatItIsNot() throws {
        let hollow = ["Util", "Helper", "Common", "Manager", "Model", "Misc"]
        for file in try Repository.files(in: ["Sources", "Tests"], ending: ".swift") {
            #expect(!hollow.contains { file.name.contains($0) }, "\(file.path)")
        }
    }

    @Test func noSourceNamesABoard() throws {
        for file in try Repository.files(in: ["Sources"]) {
            for (number, line) in Wording.lines(of: file.text, matching: Wording.board)
            where !Wording.allowedBoardLines.contains(line.trimmed) {
                Issue.record("\(file.path):\(number): \(line)")
            }
        }
    }

    @Test func noFileNamesAPathOfSomebodysMachine() throws {
        for file in try Repository.files(in: ["Sources", "Tests"]) where file.target != "LayeringTests" {
            for (number, line) in Wording.lines(of: file.text, matching: Wording.machinePath) {
                Issue.record("\(file.path):\(number): \(line)")
            }
        }
    }

    @Test func noFileNamesARegistry() throws {
        let folders = try Repository.entries(of: "").filter {
            ["Sources", "Tests", "board", "cross"].contains($0)
        }
        for file in try Repository.files(in: folders) {
            for host in Wording.registries {
                #expect(!file.text.contains(host), "\(file.path) names \(host)")
            }
        }
    }

    @Test(arguments: [
        "// as the Raspberry Pi does", "let b = \"Pi Zero 2 W\"", "// the Pi 5 kernel", "// BCM2835 I2S",
    ])
    func aBoardsNameIsFound(line: String) {
        #expect(Wording.lines(of: line, matching: Wording.board).count == 1)
    }

    @Test(arguments: ["let pi = Double.pi", "// 2 pi 5", "// spiPi", "// I2S microphones fill one slot"])
    func otherWordsAreNotABoardsName(line: String) {
        #expect(Wording.lines(of: line, matching: Wording.board).isEmpty)
    }

    @Test func aMachinePathIsFoundAndAPlaceOfEveryDebianIsNot() {
        #expect(
            Wording.lines(of: "let a = \"/home/\(1)x\"\nlet b = '/home/me/a'", matching: Wording.machinePath)
                .count >= 1)
        #expect(
            Wording.lines(
                of: "open(\"/dev/snd/pcmC0D0c\"), /proc/self/exe, /tmp/x", matching: Wording.machinePath
            ).isEmpty)
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
