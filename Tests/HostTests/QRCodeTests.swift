import Host
import Testing

@Suite struct QRCodeTests {
    private let url =
        "lapel://pair?h=192.168.1.20:8443&p=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA&t=00112233445566778899aabbccddeeff"

    /// ISO/IEC 18004, 6.3.3: the pattern by which a reader finds the code.
    @Test func threeCornersHaveTheirFinderPattern() throws {
        let code = try #require(QRCode(url))
        let pattern = [
            "#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######",
        ]
        for (left, top) in [(0, 0), (code.width - 7, 0), (0, code.width - 7)] {
            let seen = (0..<7).map { y in String((0..<7).map { code.isDark(left + $0, top + y) ? "#" : "." })
            }
            #expect(seen == pattern)
        }
    }

    /// ISO/IEC 18004, 6.1: 21 modules and 4 more for each version; this URL fits version 6 at level L.
    @Test func aPairingURLFitsASmallCode() throws {
        #expect(try #require(QRCode(url)).width == 41)
    }

    @Test func theTerminalHasTwoModulesACharacterAndTheQuietZone() throws {
        let code = try #require(QRCode(url))
        let lines = code.terminalLines(ansi: false)
        #expect(lines.count == (code.width + 8 + 1) / 2)
        #expect(lines.allSatisfy { $0.count == code.width + 8 })
        #expect(lines[0].allSatisfy { $0 == "█" } && lines[1].allSatisfy { $0 == "█" })
        // The finder's top edge: seven dark modules above five light ones between two dark.
        #expect(lines[2].dropFirst(4).prefix(7) == " ▄▄▄▄▄ ")
    }

    @Test func whatDoesNotFitIsNoCode() {
        #expect(QRCode(String(repeating: "x", count: 2953)) != nil)
        #expect(QRCode(String(repeating: "x", count: 2954)) == nil)
    }
}
