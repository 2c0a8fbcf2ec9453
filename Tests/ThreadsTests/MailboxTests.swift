import Synchronization
import Testing
import Threads

@Suite("A mailbox")
struct MailboxTests {
    private let mailbox = Mailbox<Int>()

    /// Whether one poll would see the bell now.
    private func rings(_ mailbox: Mailbox<Int>) -> Bool {
        let end = MonotonicClock.now + .milliseconds(1)
        mailbox.wakeUp.wait(until: end)
        return MonotonicClock.now < end
    }

    @Test func messagesAreTakenInTheOrderOfTheirPosting() {
        for number in 1...20 { mailbox.post(number) }
        #expect((1...20).map { _ in mailbox.take() } == Array(1...20))
        #expect(mailbox.take() == nil)
    }

    @Test func theBellRingsExactlyWhileAMessageWaits() {
        #expect(!rings(mailbox))
        mailbox.post(1)
        mailbox.post(2)
        _ = mailbox.take()
        #expect(rings(mailbox))
        _ = mailbox.take()
        #expect(!rings(mailbox))
    }

    /// As a recorder waits: for messages, and for what somebody else rings the same bell for.
    @Test func aSharedBellLosesNoMessage() {
        let bell = WakeUp()
        let mailbox = Mailbox<Int>(wakeUp: bell)
        let taken = Mutex<[Int]>([])
        let taker = NamedThread("taker") {
            while true {
                bell.wait()
                bell.clear()
                while let message = mailbox.take() {
                    if message == 0 { return }
                    taken.withLock { $0.append(message) }
                }
            }
        }
        for number in 1...2000 {
            mailbox.post(number)
            if number.isMultiple(of: 3) { bell.ring() }
        }
        mailbox.post(0)
        taker.join()
        #expect(taken.withLock { $0 } == Array(1...2000))
    }

    @Test func fourThreadsLoseNothingAndEachKeepsItsOrder() {
        let each = 2000
        let threads = (0..<4).map { thread in
            NamedThread("poster") { [mailbox] in
                for number in 0..<each { mailbox.post(thread * each + number) }
            }
        }
        var seen = [[Int]](repeating: [], count: 4)
        for _ in 0..<4 * each {
            let message = mailbox.wait()
            seen[message / each].append(message % each)
        }
        for thread in threads { thread.join() }
        #expect(seen.allSatisfy { $0 == Array(0..<each) })
    }
}
