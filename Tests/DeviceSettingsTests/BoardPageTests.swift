import Foundation
import TestSupport
import Testing

@testable import DeviceSettings

/// The pages of the boards: a wrong pin in a table costs a board, a wrong line in an example an evening.
@Suite struct BoardPageTests {
    private static let pages = ["README", "pi-zero-2w", "pi-5", "generic"]
    private let folder = TemporaryFolder()

    private static func text(of page: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
        return try String(contentsOfFile: "\(root)/board/\(page).md", encoding: .utf8)
    }

    /// The lines of each fenced block.
    private static func blocks(of text: String) -> [[String]] {
        var blocks: [[String]] = []
        var block: [String]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let words = line.trimmingCharacters(in: .whitespaces)
            if words.hasPrefix("```") {
                if let ended = block { blocks.append(ended) }
                block = block == nil ? [] : nil
            } else {
                block?.append(words)
            }
        }
        return blocks
    }

    @Test(arguments: pages)
    func everyExampleOfSettingsIsTaken(page: String) throws {
        for block in Self.blocks(of: try Self.text(of: page)) where block[0].hasPrefix("button =") {
            // An example may show several ways to name one thing: each way is a file.
            let firsts = block.filter { $0.hasPrefix("button =") }
            for first in firsts {
                let lines = [first] + block.filter { !$0.hasPrefix("button =") }
                let file = try folder.write("lapel.conf", Array((lines.joined(separator: "\n") + "\n").utf8))
                let settings = try SettingsInForce(file: file)
                #expect(settings.origins["button"] != nil)
            }
        }
    }

    /// Of the 40-pin header: lines by pin.
    private static let header: [Int: String] = [
        3: "GPIO2", 5: "GPIO3", 7: "GPIO4", 8: "GPIO14", 10: "GPIO15", 11: "GPIO17", 12: "GPIO18",
        13: "GPIO27", 15: "GPIO22", 16: "GPIO23", 18: "GPIO24", 19: "GPIO10", 21: "GPIO9", 22: "GPIO25",
        23: "GPIO11", 24: "GPIO8", 26: "GPIO7", 27: "GPIO0", 28: "GPIO1", 29: "GPIO5", 31: "GPIO6",
        32: "GPIO12", 33: "GPIO13", 35: "GPIO19", 36: "GPIO16", 37: "GPIO26", 38: "GPIO20", 40: "GPIO21",
        1: "3.3 V", 17: "3.3 V", 2: "5 V", 4: "5 V", 6: "ground", 9: "ground", 14: "ground", 20: "ground",
        25: "ground", 30: "ground", 34: "ground", 39: "ground",
    ]

    @Test func everyPinOfTheWiringTableIsThatLine() throws {
        var rows = 0
        for line in try Self.text(of: "pi-zero-2w").split(separator: "\n") where line.hasPrefix("|") {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard cells.count == 6, let pin = Int(cells[3]) else { continue }
            rows += 1
            let line = try #require(Self.header[pin], "there is no pin \(pin)")
            #expect(cells[4].hasPrefix(line), "pin \(pin) is \(line), not \(cells[4])")
        }
        #expect(rows >= 12)
    }

    /// `GPIO18 (12)`, `GND (6)`, `5 V (2)` in the drawing.
    @Test func everyPinOfTheDrawingIsThatLine() throws {
        let text = try Self.text(of: "pi-zero-2w")
        let drawn = text.matches(of: #/(GPIO[0-9]+|GND|3\.3 V|5 V) \(([0-9]+)\)/#)
        #expect(drawn.count >= 10)
        for one in drawn {
            let line = one.output.1 == "GND" ? "ground" : String(one.output.1)
            let pin = try #require(Int(one.output.2))
            #expect(Self.header[pin] == line, "pin \(pin) is \(Self.header[pin] ?? "none"), not \(line)")
        }
    }

    @Test func theExamplesLinesAreThoseOfTheWiringTable() throws {
        let table = try Self.text(of: "pi-zero-2w")
        let example = try #require(
            Self.blocks(of: try Self.text(of: "README")).first { $0[0].hasPrefix("button =") })
        for line in example {
            guard let found = line.firstMatch(of: #/GPIO[0-9]+/#) else { continue }
            #expect(table.contains("| \(found.output) |"), "\(line) is wired nowhere")
        }
    }
}
