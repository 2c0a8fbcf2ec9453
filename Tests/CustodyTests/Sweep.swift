import Glibc

/// Many worlds, one after the other, until one breaks a promise.
struct Sweep {
    /// Chosen by the environment; without it a short walk for every run of the tests.
    struct Size {
        var first: UInt64 = 1
        var crashes = 400
        var crashesPerWorld = 50
        var traced: UInt64?

        init() {
            func number(_ name: String) -> Int? {
                getenv("LAPEL_CUSTODY_" + name).flatMap { Int(String(cString: $0)) }
            }
            if let value = number("FIRST") { first = UInt64(value) }
            if let value = number("CRASHES") { crashes = value }
            if let value = number("PER_WORLD") { crashesPerWorld = value }
            traced = number("TRACE").map { UInt64($0) }
        }
    }

    private(set) var tally = Tally()
    private(set) var worlds = 0
    /// Nothing else runs in this process.
    private let isAlone = getenv("LAPEL_CUSTODY_CRASHES") != nil
    private(set) var failure: (seed: UInt64, error: any Error)?

    mutating func run(_ size: Size) {
        if let seed = size.traced {
            run(.init(seed: seed, crashes: size.crashesPerWorld, tracing: true))
            return
        }
        var seed = size.first
        while tally.crashes < size.crashes, failure == nil {
            run(.init(seed: seed, crashes: size.crashesPerWorld))
            seed += 1
        }
    }

    private mutating func run(_ plan: World.Plan) {
        if isAlone { SeededSodium.seed(plan.seed) }
        let world = World(plan)
        do { try world.run() } catch { failure = (plan.seed, error) }
        tally.add(world.tally)
        worlds += 1
    }
}
