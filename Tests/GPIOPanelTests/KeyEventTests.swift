import Hardware
import TestSupport
import Testing

@testable import InputButton

@Suite("What an input device's events mean")
struct KeyEventTests {
    private func edges(_ events: [InputEvent], down: Bool = false, reread: Bool? = nil) -> [Edge] {
        var keys = KeyEvents(down: down)
        return events.compactMap { keys.take($0, reread: { reread }) }
    }

    private func ms(_ time: Int) -> Duration { .milliseconds(time) }

    @Test func aKeysChangesAreEdges() {
        let edges = edges([
            .changed(down: true, at: ms(1)), .report(at: ms(1)), .other, .changed(down: false, at: ms(9)),
            .report(at: ms(9)),
        ])
        #expect(edges == [Edge(down: true, at: ms(1)), Edge(down: false, at: ms(9))])
    }

    @Test func whatComesBetweenALossAndTheNextReportIsThrownAway() {
        let edges = edges(
            [
                .dropped, .changed(down: true, at: ms(5)), .changed(down: false, at: ms(6)),
                .report(at: ms(6)),
            ],
            reread: false)
        #expect(edges == [])
    }

    @Test func afterALossTheLevelIsReadAnew() {
        let edges = edges([.dropped, .report(at: ms(7))], down: true, reread: false)
        #expect(edges == [Edge(down: false, at: ms(7))])
    }

    @Test func aDeviceThatIsGoneAfterALossChangesNothing() {
        #expect(edges([.dropped, .report(at: ms(7))], down: true, reread: nil) == [])
    }

    @Test func theKernelsNamesAreKnown() {
        #expect(KeyName("KEY_RECORD")?.code == 167)
        #expect(KeyName("BTN_TRIGGER_HAPPY40") != nil)
        #expect(KeyName("KEY_NOSUCH") == nil)
    }

    @Test func anUnknownKeyIsToldWithTheNearest() {
        let error = errorThrown(InputError.self) { try InputButton(path: "/dev/null", key: "KEY_RECORDS") }
        #expect(error?.description.contains("KEY_RECORD,") == true)
    }

    @Test func whatIsNoInputDeviceIsRefused() {
        let error = errorThrown(InputError.self) { try InputButton(path: "/dev/null", key: "KEY_RECORD") }
        guard case .failed(let path, _, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(path == "/dev/null")
    }

    @Test func aDeviceThatIsNotThereYetIsLostAtTheStart() throws {
        let folder = TemporaryFolder()
        let button = try InputButton(path: folder.file("clicker"), key: "KEY_RECORD")
        let log = ButtonLog()
        button.start { log.report($0) }
        guard case .lost(let sentence)? = log.next() else {
            Issue.record("\(log.events)")
            return
        }
        #expect(sentence.contains(folder.file("clicker")))
        button.shutDown()
    }
}
