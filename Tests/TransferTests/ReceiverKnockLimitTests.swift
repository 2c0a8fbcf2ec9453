import Testing

@testable import HTTPServer

@Suite struct ReceiverKnockLimitTests {
    private func limit() -> KnockLimit { KnockLimit(burst: 3, pause: .seconds(10), addresses: 4) }

    /// Knocks of one address by second; `.` answered, `w` told to wait.
    @Test func aBurstIsAnsweredThenOneForEachPause() {
        var limit = limit()
        let seconds: [Int64] = [0, 0, 0, 0, 9, 10, 11, 19, 30, 30, 30, 100, 100, 100, 100]
        let answers = seconds.map { limit.knock("a", at: .seconds($0)) == nil ? "." : "w" }
        #expect(answers.joined() == "...ww.ww..w...w")
    }

    @Test func theWaitIsUntilTheNextOneComesBack() {
        var limit = limit()
        for _ in 0..<3 { #expect(limit.knock("a", at: .seconds(0)) == nil) }
        #expect(limit.knock("a", at: .seconds(4)) == .seconds(6))
        #expect(limit.wait("a", at: .seconds(7)) == .seconds(3))
        #expect(limit.wait("a", at: .seconds(10)) == nil)
        #expect(limit.wait("b", at: .seconds(4)) == nil)
    }

    @Test func addressesBeyondTheTableShareOneBucket() {
        var limit = limit()
        for address in ["a", "b", "c", "d"] { #expect(limit.knock(address, at: .seconds(0)) == nil) }
        let more = (0..<5).map { limit.knock("e\($0)", at: .seconds(1)) == nil }
        #expect(more == [true, true, true, false, false])
        // The first ones have their places; when they are full again, they are forgotten.
        #expect(limit.knock("a", at: .seconds(1)) == nil)
        #expect(limit.knock("f", at: .seconds(60)) == nil)
    }

    @Test(arguments: [
        ("192.168.1.7", "192.168.1.7"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8::1", "2001:db8:0:0::/64"), ("fe80::1:2:3:4", "fe80:0:0:0::/64"),
        ("::1", "0:0:0:0::/64"), ("::ffff:10.0.0.1", "::ffff:10.0.0.1"), ("", ""),
    ])
    func aHouseholdIsOneNeighbour(address: String, network: String) {
        #expect(Strangers.network(address) == network)
    }
}
