import Glibc
import Hardware
import Simulator
import TestSupport
import Testing

/// The lamp's contract as a table; a suite runs each.
let lampFacts: [(String, @Sendable (LampContract) throws -> [String])] = [
    ("it is dark until it is set", { try $0.itIsDarkUntilItIsSet() }),
    ("it shows what was set last", { try $0.itShowsWhatWasSetLast() }),
    ("every cue is shown by the loop's deadlines", { try $0.everyCueIsShownByTheLoopsDeadlines() }),
    ("a late loop shows what is due now", { try $0.aLateLoopShowsWhatIsDueNow() }),
    ("it is dark when it is let go", { try $0.itIsDarkWhenItIsLetGo() }),
]

/// The motor's contract as a table.
let motorFacts: [(String, @Sendable (MotorContract) throws -> [String])] = [
    ("it is still until it is set", { try $0.itIsStillUntilItIsSet() }),
    ("every cue is felt by the loop's deadlines", { try $0.everyCueIsFeltByTheLoopsDeadlines() }),
    ("it never runs longer than five seconds", { try $0.itNeverRunsLongerThanFiveSeconds() }),
    ("the first sample stills it", { try $0.theFirstSampleStillsIt() }),
    ("it is still when it is let go", { try $0.itIsStillWhenItIsLetGo() }),
]

/// A panel is never let go: its own thread holds it. So the last fact is for lines alone.
@Suite("Every lamp and motor, without a board")
struct OutputContractTests {
    @Test(arguments: lampFacts.indices.dropLast()) func aPanelsLampKeepsTheContract(fact: Int) throws {
        let folder = TemporaryFolder()
        let broken = try lampFacts[fact].1(LampContract { try PanelPeer(in: folder).observed() })
        #expect(broken == [])
    }

    /// The simulated board has no motor of its own; a panel's line is driven as one.
    @Test(arguments: motorFacts.indices.dropLast()) func aPanelsMotorKeepsTheContract(fact: Int) throws {
        let folder = TemporaryFolder()
        let broken = try motorFacts[fact].1(MotorContract { try PanelPeer(in: folder).observed() })
        #expect(broken == [])
    }

    @Test(arguments: lampFacts.indices.dropLast()) func twoLampsAsOneKeepTheContract(fact: Int) throws {
        let folder = TemporaryFolder()
        let contract = LampContract {
            let peers = (try PanelPeer(in: folder), try PanelPeer(in: folder))
            let both = BothOutputs(try peers.0.panel(), try peers.1.panel())
            return ObservedOutput(both) {
                let lit = [try peers.0.isLit(), try peers.1.isLit()]
                guard lit[0] == lit[1] else { throw PanelPeer.Broken(what: "one is lit and one is dark") }
                return lit[0]
            }
        }
        let broken = try lampFacts[fact].1(contract)
        #expect(broken == [])
    }
}

/// Another process at a panel's socket, which hears what its lamp does. A datagram has arrived when the call that sent
/// it returns.
private final class PanelPeer {
    struct Broken: Error { let what: String }

    private let folder: TemporaryFolder
    private let path: String
    private let descriptor: Int32
    private var lit = false

    init(in folder: TemporaryFolder) throws {
        self.folder = folder
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        path = folder.file("panel-\(descriptor)")
        let bound = Self.address("\(path).peer") { bind(descriptor, $0, $1) }
        guard bound == 0 else { throw Broken(what: "bind: \(errno)") }
    }

    deinit {
        close(descriptor)
        unlink("\(path).peer")
    }

    /// A panel that knows this peer.
    func panel() throws -> Panel {
        let panel = try Panel(path: path)
        let log = ButtonLog()
        panel.start { log.report($0) }
        let sent = Self.address(path) { sendto(descriptor, "release", 7, 0, $0, $1) }
        guard sent == 7, log.edge() != nil else { throw Broken(what: "the panel does not hear: \(errno)") }
        return panel
    }

    func observed() throws -> ObservedOutput { ObservedOutput(try panel()) { try self.isLit() } }

    func isLit() throws -> Bool {
        var bytes = [UInt8](repeating: 0, count: 64)
        while case let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT)), count > 0 {
            let words = String(decoding: bytes[..<count], as: UTF8.self).split(separator: " ")
            guard words.count == 3, words[0] == "lamp" else { throw Broken(what: "\(words)") }
            lit = words[1] == "on"
        }
        return lit
    }

    private static func address<R>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
