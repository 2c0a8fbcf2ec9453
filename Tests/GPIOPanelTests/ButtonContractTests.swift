import Glibc
import Hardware
import Simulator
import TestSupport
import Testing
import Threads

@Suite("Every button, without a board")
struct ButtonContractTests {
    typealias Fact = @Sendable (ButtonContract) throws -> [String]

    static let facts: [(String, Fact)] = [
        ("each move is one edge", { try $0.eachMoveIsOneEdge() }),
        ("edges are stamped when they happen", { try $0.edgesAreStampedWhenTheyHappen() }),
        ("the level is that of the last edge", { try $0.theLevelIsThatOfTheLastEdge() }),
    ]

    @Test(arguments: facts.indices) func aScriptedButtonKeepsTheContract(fact: Int) throws {
        let contract = ButtonContract(now: monotonicNow) {
            let presses = (0..<3).map { ScriptedPress(at: .milliseconds(20 * $0), held: .milliseconds(5)) }
            return PressedButton(button: ScriptedButton(presses) {}) { _ in }
        }
        let broken = try Self.facts[fact].1(contract)
        #expect(broken == [])
    }

    @Test(arguments: facts.indices) func aPanelKeepsTheContract(fact: Int) throws {
        let folder = TemporaryFolder()
        let contract = ButtonContract(now: monotonicNow) {
            let path = folder.file("panel")
            let panel = try Panel(path: path)
            return PressedButton(button: panel) { down in try send(down ? "press" : "release", to: path) }
        }
        let broken = try Self.facts[fact].1(contract)
        #expect(broken == [])
    }
}

/// `CLOCK_MONOTONIC`, as a function.
func monotonicNow() -> Duration { MonotonicClock.now }

/// A datagram to a socket of this machine.
private func send(_ word: String, to path: String) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let socket = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(socket) }
    let sent = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            sendto(socket, word, word.utf8.count, 0, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
    #expect(sent == word.utf8.count)
}
