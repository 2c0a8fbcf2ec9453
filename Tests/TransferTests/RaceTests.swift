import Testing
import Wire

@testable import HostLink

struct RaceTests {
    private func place(_ name: String) -> HostAddress {
        guard let place = HostAddress(name) else { preconditionFailure("a test names places") }
        return place
    }

    /// Who is started, a column for each 50 ms; `failures` are the columns at which a try fails.
    private func timeline(_ places: [String], failures: Set<Int> = [], found: [Int: [String]] = [:]) -> String
    {
        var race = Race(places.map(place))
        var line = ""
        for column in 0..<20 {
            let now = Duration.milliseconds(50 * column)
            if failures.contains(column) { race.failed() }
            race.add((found[column] ?? []).map(place))
            var started = race.next(now: now).map { String($0.host.prefix(1)) } ?? "."
            if let second = race.next(now: now) { started = "(\(started)\(second.host))" }
            line += started
        }
        return line
    }

    @Test func eachPlaceIsTriedAQuarterOfASecondAfterTheOneBefore() {
        #expect(timeline(["a", "b", "c"]) == "a....b....c.........")
    }

    @Test func aFailureLetsTheNextOneStart() {
        #expect(timeline(["a", "b", "c"], failures: [1]) == "ab....c.............")
        #expect(timeline(["a", "b", "c"], failures: [1, 3]) == "ab.c................")
    }

    @Test func whatIsFoundIsTriedAfterWhatIsKnownAndOnce() {
        #expect(timeline(["a"], found: [2: ["b", "a", "b"]]) == "a....b..............")
        #expect(timeline(["a"], found: [9: ["b"]]) == "a........b..........")
    }

    @Test func aNetworkFullOfAnswersIsNotTriedForEver() {
        var race = Race((0..<100).map { place("h\($0)") })
        var tries = 0
        for second in 0..<100 where race.next(now: .seconds(second)) != nil { tries += 1 }
        #expect(tries == Race.most)
        #expect(race.due == nil)
    }
}
