import TestSupport
import Testing

@testable import Turn

@Suite("VoiceTurn, every state and a million calls")
struct VoiceTurnWalkTests {
    /// Breadth first, until no call leads to a state that was not seen. Returns the states and the sentences
    /// that were broken.
    private func walk() -> (states: Int, broken: Set<String>) {
        var broken: Set<String> = []
        var seen: Set<[AnyHashable]> = [TurnLaw().key]
        var front = [TurnLaw()]
        while let law = front.popLast() {
            for call in TurnCall.allCases {
                var next = law
                if let sentence = next.make(call) {
                    broken.insert("\(law.turn.phase), \(call): \(sentence)")
                    // A turn that broke the law leads anywhere; the walk stays with those that did not.
                    continue
                }
                if seen.insert(next.key).inserted { front.append(next) }
            }
        }
        return (seen.count, broken)
    }

    @Test func everyCallInEveryReachableStateKeepsTheLaw() {
        let (states, broken) = walk()
        #expect(broken.isEmpty, "\(broken.sorted().joined(separator: "\n"))")
        // (off, stopped) × (none, one, several tokens issued; a live start needs one), and five phases of a
        // turn × (one, several).
        #expect(states == 2 * (1 + 2 + 2) + 5 * 2)
    }

    /// Every sequence of five calls: finds what hides from the eye that tells states apart.
    @Test func everySequenceOfFiveCallsKeepsTheLaw() {
        var calls = 0
        var broken: String?
        func go(_ law: TurnLaw, _ depth: Int) {
            guard depth > 0 else { return }
            for call in TurnCall.allCases where broken == nil {
                var next = law
                calls += 1
                if let sentence = next.make(call) {
                    broken = "\(law.turn.phase), \(call): \(sentence)"
                    return
                }
                go(next, depth - 1)
            }
        }
        go(TurnLaw(), 5)
        #expect(broken == nil)
        let n = TurnCall.allCases.count
        #expect(calls == (1...5).reduce(0) { sum, k in sum + (0..<k).reduce(1) { power, _ in power * n } })
    }

    /// 4 × 300,000 calls; tokens of any generation, issued or not.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func aRandomWalkKeepsTheLaw(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var law = TurnLaw()
        var opened = 0
        for step in 0..<300_000 {
            let draw = random.next()
            let sentence: String?
            if draw % 4 == 0 {
                let issued = law.newest?.generation ?? 0
                sentence = law.audioUp(VoiceTurn.Token(generation: (draw >> 8) % (issued + 3)))
            } else {
                sentence = law.make(TurnCall.allCases[Int((draw >> 8) % UInt64(TurnCall.allCases.count))])
            }
            if law.turn.micOpen { opened += 1 }
            guard sentence == nil else {
                Issue.record("seed \(seed), call \(step): \(sentence ?? "")")
                return
            }
        }
        #expect(opened > 10_000)
    }

    /// What the walks assert, said once more without the law: along a random walk the microphone opens only
    /// by a token that `begin` gave since the last end.
    @Test(arguments: [5, 6] as [UInt64])
    func theMicrophoneNeverOpensWithoutAFreshBegin(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var turn = VoiceTurn()
        var issued: [VoiceTurn.Token] = []
        var fresh: VoiceTurn.Token?
        var openings = 0
        for _ in 0..<100_000 {
            let wasOpen = turn.micOpen
            switch random.next() % 8 {
            case 0, 1:
                if let token = turn.begin() {
                    issued.append(token)
                    fresh = token
                }
            case 2, 3:
                guard let token = issued.suffix(4).randomElement(using: &random) else { continue }
                let opened = turn.audioUp(token)
                if opened {
                    #expect(token == fresh)
                    fresh = nil
                    openings += 1
                }
            case 4: turn.sent(TurnLaw.a)
            case 5: turn.replyPlaying(TurnLaw.a)
            case 6: if turn.replyOver(TurnLaw.a) { fresh = nil }
            default:
                turn.stop()
                fresh = nil
            }
            if turn.micOpen, !wasOpen { #expect(fresh == nil && openings > 0) }
        }
        #expect(openings > 1000)
    }
}
