import Cues
import Foundation
import Testing
import Turn

@testable import DeviceTools

/// `board/FAULTS.md` lists what the lamp blinks: the codes of the program, word for word.
@Suite struct FaultPageTests {
    private struct Row: Equatable {
        let code: Int
        let meaning: String
    }

    private static func text(of path: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
        return try String(contentsOfFile: root + "/" + path, encoding: .utf8)
    }

    /// Rows whose first cell is a number.
    private static func rows() throws -> [(row: Row, mend: String)] {
        try text(of: "board/FAULTS.md").split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 3, let code = Int(cells[0]) else { return nil }
            return (Row(code: code, meaning: cells[1]), cells[2])
        }
    }

    @Test func thePageListsEveryFaultWithItsCodeAndItsSentence() throws {
        let rows = try Self.rows()
        #expect(rows.map(\.row) == Fault.allCases.map { Row(code: $0.code, meaning: $0.description) })
        #expect(rows.allSatisfy { $0.mend.count > 10 })
    }

    @Test func theManualNumbersEveryFault() throws {
        let manual = try Self.text(of: "board/package/lapel/lapel.1")
        let numbered = manual.split(separator: "\n").compactMap { line -> Int? in
            guard let space = line.firstIndex(of: " ") else { return nil }
            return Int(line[..<space])
        }
        #expect(numbered == Fault.allCases.map(\.code))
    }

    @Test func noTwoFaultsBlinkAlike() {
        #expect(Set(Fault.allCases.map(\.code)).count == Fault.allCases.count)
    }

    @Test(arguments: [
        (Cue.notReady, Fault.microphone), (.outboxFull, .outboxFull), (.stopped(.battery), .battery),
    ])
    func aCueOfAFaultBlinksItsCode(cue: Cue, fault: Fault) {
        guard case .once(let blinks) = LampPattern.of(cue) else {
            Issue.record("\(cue) does not blink once")
            return
        }
        #expect(cue.fault == fault && blinks.count == fault.code)
        #expect(blinks.allSatisfy { $0 == Flash(dark: 350, lit: 200) })
    }

    @Test func theHelpListsThemToo() throws {
        let help = try #require(Usage.of("faults"))
        for fault in Fault.allCases { #expect(help.contains("\(fault.code)\t\(fault.description)")) }
    }
}
