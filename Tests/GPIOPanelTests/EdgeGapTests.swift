import Testing

@testable import GPIOPanel

@Suite("When the kernel's queue ran over")
struct EdgeGapTests {
    private func batch(_ sequences: [UInt64?]) -> [LineEdge] {
        sequences.map { LineEdge(active: true, at: .zero, sequence: $0) }
    }

    @Test func countedEdgesWithoutAGapAreAll() {
        var gaps = EdgeGaps()
        let missed = [[1, 2], [3], [4, 5, 6]].map { gaps.mayMiss(batch($0)) }
        #expect(missed == [false, false, false])
    }

    @Test func aGapWithinABatchIsALoss() {
        var gaps = EdgeGaps()
        let missed = gaps.mayMiss(batch([1, 25, 26]))
        #expect(missed)
    }

    @Test func aGapBetweenTwoBatchesIsALoss() {
        var gaps = EdgeGaps()
        let missed = [[1], [25]].map { gaps.mayMiss(batch($0)) }
        #expect(missed == [false, true])
    }

    @Test func theFirstEdgeMayHaveAnyCount() {
        var gaps = EdgeGaps()
        let missed = gaps.mayMiss(batch([7, 8]))
        #expect(!missed)
    }

    @Test(arguments: [(15, false), (16, true)])
    func withoutACountOnlyAFullQueueMayHaveLost(edges: Int, loss: Bool) {
        var gaps = EdgeGaps()
        let missed = gaps.mayMiss(batch(Array(repeating: nil, count: edges)))
        #expect(missed == loss)
    }
}
