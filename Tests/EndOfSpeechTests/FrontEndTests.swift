import AllocationCount
import Testing

@testable import EndOfSpeech

@Suite struct LapelFrontEndTests {
    private static let voice = Result { try Vector(name: "demo").samples() }

    private func observed(_ samples: [Int16], rate: Int = 16_000, piece: Int = 1600) -> [Observation] {
        let frontEnd = LapelFrontEnd(rate: rate)
        return frontEnd.observations(samples, piece: piece)
    }

    @Test(arguments: [1, 7, 160, 319, 1601, 100_000])
    func theSizeOfTheBlocksDoesNotMatter(piece: Int) throws {
        let samples = Array(try Self.voice.get().prefix(24_000))
        #expect(observed(samples, piece: piece) == observed(samples))
    }

    @Test func aNewTurnKnowsNothingOfTheLast() throws {
        let samples = Array(try Self.voice.get().prefix(24_000))
        let frontEnd = LapelFrontEnd()
        let first = frontEnd.observations(Array(samples.reversed()))
        frontEnd.reset()
        let second = frontEnd.observations(samples)
        #expect(first != second && second == observed(samples))
    }

    @Test(arguments: [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000])
    func everyReadingOfEveryRateHasItsFiveFrames(rate: Int) {
        let noise = Sound.noise(seconds: 2, dbfs: -30, rate: rate)
        let heard = observed(noise.int16, rate: rate, piece: rate / 50)
        #expect(heard.count == 20)
        // Nothing but silence is skipped: a floor is known from the first reading on.
        #expect(heard.allSatisfy { $0.frames.map { $0.floor > -100 } == true })
    }

    @Test(arguments: [44_100, 48_000])
    func aRecordingOfAnotherRateEndsAtTheSameTime(rate: Int) throws {
        let samples = try Self.voice.get()
        let other = Sound(int16: samples).resampled(to: rate)
        var (rule, same) = (EndOfSpeech(rule: .lapel), EndOfSpeech(rule: .lapel))
        for one in observed(samples) where rule.end == nil { _ = rule.feed(one) }
        for one in observed(other.int16, rate: rate) where same.end == nil { _ = same.feed(one) }
        let ends = (rule.end?.seconds ?? 0, same.end?.seconds ?? -1)
        #expect(abs(ends.0 - ends.1) < 0.11 && same.enoughToSend)
        // At the edges of words the probability passes the threshold a frame sooner or later.
        #expect(abs(rule.speechSeconds - same.speechSeconds) < 0.1 * rule.speechSeconds)
    }

    @Test func digitalSilenceInFrontIsNotHeard() throws {
        let samples = Array(try Self.voice.get().prefix(32_000))
        let late = observed([Int16](repeating: 0, count: 8000) + samples)
        #expect(late.prefix(5).allSatisfy { $0.frames?.probability == 0 && $0.dbfs == -120 })
        #expect(late.dropFirst(5).map(\.frames) == observed(samples).map(\.frames))
    }

    @Test(arguments: [16_000, 44_100, 48_000])
    func hearingAllocatesNothing(rate: Int) {
        let frontEnd = LapelFrontEnd(rate: rate)
        let noise = Sound.noise(seconds: 1, dbfs: -30, rate: rate).int16
        var rule = EndOfSpeech(rule: .lapel)
        var count = 0
        func hear() {
            noise.withUnsafeBufferPointer { samples in
                frontEnd.take(samples) {
                    _ = rule.feed($0)
                    count += 1
                }
            }
        }
        hear()
        let before = lapel_allocations_of_this_thread()
        hear()
        #expect(lapel_allocations_of_this_thread() == before)
        #expect(count == 20)
    }

    /// The largest of a device's rates, and the rule beside it.
    @Test(arguments: [16_000, 44_100, 48_000])
    func itsStateIsSmall(rate: Int) {
        let bytes = memory(of: LapelFrontEnd(rate: rate)) + MemoryLayout<EndOfSpeech>.size
        #expect(bytes > 40_000 && bytes < 256 * 1024)
    }

    /// All that an object and what it owns hold in memory of their own.
    private func memory(of thing: Any) -> Int {
        if let memory = thing as? FloatMemory { return 4 * memory.count }
        if let bytes = thing as? [UInt8] { return bytes.count }
        return Mirror(reflecting: thing).children.reduce(MemoryLayout<Int>.size) { $0 + memory(of: $1.value) }
    }

    @Test func theShippedWeightsAreWhole() {
        #expect(base64Decoded(SpeechNetWeights.base64).flatMap(SpeechNetFile.init) != nil)
    }

    @Test func weightsThatAreCutOrForeignAreNone() throws {
        let bytes = try #require(base64Decoded(SpeechNetWeights.base64))
        #expect(SpeechNetFile(Array(bytes.dropLast())) == nil)
        #expect(SpeechNetFile(bytes + [0]) == nil)
        #expect(SpeechNetFile([]) == nil)
        #expect(SpeechNetFile([0] + bytes.dropFirst()) == nil)
        var other = bytes
        other[4] = 42
        #expect(SpeechNetFile(other) == nil)
    }

    @Test(arguments: [
        ("", []), ("TGFwZWw=", Array("Lapel".utf8)), ("TGFw", Array("Lap".utf8)),
        ("TGFwZQ==", Array("Lape".utf8)),
    ])
    func base64IsRead(text: String, bytes: [UInt8]) { #expect(base64Decoded(text) == bytes) }

    @Test(arguments: ["T", "TG", "TGF", "TGFw=", "TG=w", "TGFwZ===", "TG w"])
    func whatIsNoBase64IsRefused(text: String) { #expect(base64Decoded(text) == nil) }

    @Test(arguments: Vector.all.prefix(3), EndOfSpeech.Patience.allCases)
    func noEndLooksAhead(vector: Vector, patience: EndOfSpeech.Patience) throws {
        let samples = try vector.samples()
        var rule = EndOfSpeech(rule: .lapel, patience: patience)
        for one in observed(samples) where rule.end == nil { _ = rule.feed(one) }
        let end = try #require(rule.end?.seconds)
        let whole = Int((end * 16_000).rounded())
        for (length, expected) in [(whole, Optional(end)), (whole - 1600, nil)] {
            var cut = EndOfSpeech(rule: .lapel, patience: patience)
            for one in observed(Array(samples.prefix(length))) { _ = cut.feed(one) }
            #expect(cut.end?.seconds == expected)
        }
    }
}

extension LapelFrontEnd {
    func observations(_ samples: [Int16], piece: Int = 1600) -> [Observation] {
        var all: [Observation] = []
        samples.withUnsafeBufferPointer { samples in
            for start in stride(from: 0, to: samples.count, by: piece) {
                let part = samples[start..<min(start + piece, samples.count)]
                take(UnsafeBufferPointer(rebasing: part)) { all.append($0) }
            }
        }
        return all
    }
}
