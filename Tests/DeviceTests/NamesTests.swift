import Glibc
import Synchronization
import Testing

@testable import Device

@Suite struct NamesTests {
    @Test func eachPressHasAFreshNameAndTheNewestIsKnown() throws {
        let bench = try RecorderBench()
        let names = Names(outbox: bench.outbox)
        var seen: Set<String> = []
        var last: UInt64 = 0
        for _ in 0..<100 {
            let id = names.next()
            #expect(seen.insert(id.rawValue).inserted)
            let name = names.name(of: id)
            #expect(name.id == id.rawValue && name.seq > last)
            last = name.seq
        }
    }

    @Test func aNameThatIsReadyNeedsNoCard() throws {
        let shared = Shared()
        let bench = try RecorderBench(seam: { _ in shared.isBroken ? .fail(EIO) : nil })
        let names = Names(outbox: bench.outbox)
        for _ in 0..<10 {
            names.prepare()
            shared.set(broken: true)
            #expect(names.name(of: names.next()).seq > 0)
            shared.set(broken: false)
        }
    }

    @Test func aCardThatGivesNoNumberStillGivesAName() throws {
        let shared = Shared()
        let bench = try RecorderBench(seam: { call in
            shared.isBroken && call.path.contains("/seq") ? .fail(EIO) : nil
        })
        let names = Names(outbox: bench.outbox)
        shared.set(broken: true)
        // Numbers that were taken before the card broke are still good.
        let drawn = (0..<300).map { _ in names.name(of: names.next()).seq }
        #expect(drawn.contains(0))
    }
}

private final class Shared: Sendable {
    private let broken = Mutex(false)
    var isBroken: Bool { broken.withLock { $0 } }
    func set(broken now: Bool) { broken.withLock { $0 = now } }
}
