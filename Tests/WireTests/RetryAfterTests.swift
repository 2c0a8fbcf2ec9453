import TestSupport
import Testing

@testable import Wire

struct RetryAfterTests {
    @Test(arguments: [
        ("0", 0), ("7", 7), ("0007", 7), ("3600", 3_600), ("99999999999999999999", Int64(Int32.max)),
    ])
    func aNumberIsSeconds(value: String, seconds: Int64) {
        #expect(RetryAfter.parse(value, date: nil) == .seconds(seconds))
    }

    @Test(arguments: ["", "-1", "+7", "7.5", "soon", "7 s", "0x7", "Sun, 06 Nov 1994 08:49:37 GMT"])
    func whatCannotBeReadIsNotThere(value: String) { #expect(RetryAfter.parse(value, date: nil) == nil) }

    /// The three forms of one instant.
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
    func aDateIsReadInEachOfItsForms(text: String) { #expect(HTTPDate.seconds(text) == 784_111_777) }

    @Test(arguments: [
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799),
        ("Fri, 31 Dec 1999 00:00:00 GMT", 946_598_400), ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
    ])
    func daysAreCountedAsTheCalendarDoes(text: String, seconds: Int64) {
        #expect(HTTPDate.seconds(text) == seconds)
    }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nix 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "06 Nov 1994 08:49:37 GMT", "1994",
    ])
    func whatIsNoDateIsRefused(text: String) { #expect(HTTPDate.seconds(text) == nil) }

    /// The device's own clock has no part in it: it may stand at 1970.
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:51:37 GMT", 120), ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
        ("Sat, 05 Nov 1994 08:49:37 GMT", 0),
    ])
    func aDateCountsFromTheAnswersOwnDate(value: String, seconds: Int64) {
        #expect(RetryAfter.parse(value, date: "Sun, 06 Nov 1994 08:49:37 GMT") == .seconds(seconds))
    }

    @Test func aHostCannotAskForMoreThanAnHourOrLessThanASecond() {
        var backOff = BackOff()
        let long = backOff.next(random: 0, retryAfter: RetryAfter.parse("86400", date: nil))
        let short = backOff.next(random: 0, retryAfter: RetryAfter.parse("0", date: nil))
        #expect(long == BackOff.longestRetryAfter && short == .seconds(1))
    }

    @Test func backOffGrowsFromASecondToFiveMinutesAndNeverStandsStill() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            var backOff = BackOff()
            for failure in 0..<20 {
                let wait = backOff.next(random: random.next())
                let ceiling = min(Duration.seconds(300), .seconds(2 << min(failure, 8)))
                #expect(wait >= ceiling / 2 && wait <= ceiling)
            }
        }
    }

    @Test func noTextFromAHostStopsTheDevice() {
        var random = SeededGenerator(seed: 4)
        let pieces = [
            "Sun", ",", " ", "-", "06", "Nov", "94", "1994", ":", "08:49:37", "GMT", "99", "\u{FC}",
        ]
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0..<9, using: &random))
                .compactMap { _ in pieces.randomElement(using: &random) }.joined()
            _ = RetryAfter.parse(text, date: "Sun Nov  6 08:49:37 1994")
        }
    }
}
