import Testing

/// The walk that every run of the tests takes, and with `LAPEL_CUSTODY_…` the long one of `board/test custody`.
@Suite struct CustodySimulationTests {
    @Test func noCrashBreaksAPromise() {
        var sweep = Sweep()
        sweep.run(.init())
        sweep.report()
        if let (seed, error) = sweep.failure {
            Issue.record("seed \(seed): \(error); to see it: board/test custody --seed \(seed) --trace")
        }
    }
}
