import TestSupport
import Testing

@testable import Sealing

@Suite struct TailJournalTests {
    private let identity = AgeIdentity.generate()
    private let utterance = randomBytes(16)
    private let slot = TailJournal.slot

    private func record(
        _ plain: [UInt8], chunk: UInt64 = 0, offset: Int = 0, of utterance: [UInt8]? = nil,
        to recipients: [AgeRecipient]? = nil
    ) -> [UInt8] {
        plain.withUnsafeBytes {
            TailJournal.record(
                utterance: utterance ?? self.utterance,
                position: Int(chunk) * AgeSealer.chunkBytes + offset, $0,
                to: recipients ?? [identity.recipient])
        }
    }

    /// What the journal gives after `chunks` chunks; the part file that has them is sealed here.
    private func tail(_ journal: [UInt8], after chunks: Int = 0, with key: AgeIdentity? = nil) throws
        -> [UInt8]
    {
        let key = key ?? identity
        var part: [UInt8] = []
        if chunks > 0 {
            var sealer = AgeSealer(to: [key.recipient])
            part = sealer.header
            let plain = [UInt8](repeating: 7, count: chunks * AgeSealer.chunkBytes + 1)
            plain.withUnsafeBytes { sealer.seal($0) { part += $0 } }
        }
        let assembled = try assembled(part: part, tail: journal, utterance: utterance, identities: [key])
        #expect(assembled.part.chunks == UInt64(chunks) && !assembled.part.complete)
        #expect(assembled.part.tailBytes == assembled.plain.count - chunks * AgeSealer.chunkBytes)
        return Array(assembled.plain.dropFirst(chunks * AgeSealer.chunkBytes))
    }

    @Test(arguments: [0, 1, 3_000, 3_964, 3_965, 65_536]) func aRecordIsReadBack(size: Int) throws {
        let plain = randomBytes(size)
        let record = record(plain)
        #expect(record.count % slot == 0)
        #expect(TailJournal.bytes(ofRecord: size, recipients: 1) <= record.count)
        #expect(record.count - TailJournal.bytes(ofRecord: size, recipients: 1) < slot)
        #expect(TailJournal.records(in: record, of: utterance) == [0..<record.count])
        #expect(try tail(record) == plain)
    }

    @Test func aSecondOfSpeechIsOneBlock() {
        #expect(record(randomBytes(3_100)).count == slot)
    }

    @Test func eachRecipientReadsARecord() throws {
        let keys = (0..<3).map { _ in AgeIdentity.generate() }
        let journal = record([1, 2, 3], to: keys.map(\.recipient))
        for key in keys { #expect(try tail(journal, with: key) == [1, 2, 3]) }
        #expect(throws: AgeError.noIdentityMatches) { try tail(journal + journal, with: .generate()) }
    }

    @Test func recordsAreJoinedInTheOrderOfTheirOffsets() throws {
        let journal = record([4, 5], offset: 3) + record([1, 2, 3]) + record([6], offset: 5)
        #expect(try tail(journal) == [1, 2, 3, 4, 5, 6])
    }

    @Test func anOverlapIsCutAndAGapEndsTheTail() throws {
        #expect(try tail(record([1, 2, 3]) + record([2, 3, 4], offset: 1)) == [1, 2, 3, 4])
        #expect(try tail(record([1, 2, 3]) + record([2], offset: 1)) == [1, 2, 3])
        #expect(try tail(record([1, 2, 3]) + record([5], offset: 4)) == [1, 2, 3])
        #expect(try tail(record([5], offset: 4)) == [])
    }

    @Test func onlyWhatFollowsThePartFileCounts() throws {
        let journal = record([1], chunk: 0) + record([2], chunk: 1) + record([3], chunk: 2)
        #expect(try tail(journal, after: 0) == [1])
        #expect(try tail(journal, after: 1) == [2])
        #expect(try tail(journal, after: 3) == [])
    }

    @Test func recordsOfAnotherUtteranceAreLeftOut() throws {
        let other = randomBytes(16)
        let journal = record([9, 9], of: other) + record([1]) + record([9], offset: 1, of: other)
        #expect(TailJournal.records(in: journal, of: utterance) == [slot..<(2 * slot)])
        #expect(TailJournal.compact(journal, of: utterance) == Array(journal[slot..<(2 * slot)]))
        #expect(try tail(journal) == [1])
        #expect(TailJournal.compact(journal, of: randomBytes(16)).isEmpty)
    }

    @Test func whatIsLeftIsFoundBetweenZerosAndDamage() throws {
        let zeros = [UInt8](repeating: 0, count: slot)
        let journal =
            zeros + randomBytes(slot) + record(randomBytes(9_000)) + zeros + record([2], offset: 9_000)
        let compact = TailJournal.compact(journal, of: utterance)
        #expect(
            TailJournal.records(in: journal, of: utterance) == [2 * slot..<5 * slot, 6 * slot..<7 * slot])
        #expect(compact.count == 4 * slot)
        #expect(try tail(compact).count == 9_001)
        #expect(TailJournal.compact(compact, of: utterance) == compact)
        #expect(TailJournal.records(in: zeros, of: utterance).isEmpty)
        #expect(TailJournal.records(in: [], of: utterance).isEmpty)
    }

    /// A record may be written without its padding, over an older one; only its own bytes are kept of it.
    @Test func thePaddingNeedNotBeWritten() throws {
        let bytes = TailJournal.bytes(ofRecord: 3, recipients: 1)
        let old = record(randomBytes(3_900))
        let new = record([1, 2, 3])
        let journal = Array(new.prefix(bytes)) + old.dropFirst(bytes)
        #expect(try tail(journal) == [1, 2, 3])
        #expect(TailJournal.compact(journal, of: utterance) == new)
        #expect(try tail(Array(new.prefix(bytes))) == [1, 2, 3])
        #expect(TailJournal.compact(Array(new.prefix(bytes)), of: utterance) == new)
        #expect(try tail(Array(new.prefix(bytes - 1))) == [])
    }

    @Test func everyBitOfARecordMatters() throws {
        let whole = Array(record([1, 2, 3]).prefix(TailJournal.bytes(ofRecord: 3, recipients: 1)))
        for bit in 0..<(8 * whole.count) {
            var wrong = whole
            wrong[bit / 8] ^= 1 << UInt8(bit % 8)
            let isFrame = bit / 8 < TailFrame.count
            #expect(TailJournal.records(in: wrong, of: utterance).isEmpty == isFrame)
            #expect(try tail(wrong) == [])
        }
    }

    /// The frame is in the clear, so somebody else may have written it; the box knows where its bytes belong.
    @Test func theBoxDecidesWhereItsBytesBelong() throws {
        let sealed = record([1, 2, 3], chunk: 0, offset: 10)
        let lie = TailFrame(utterance: utterance, position: 0, count: 3, boxes: 1)
        let journal = lie.bytes + sealed.dropFirst(TailFrame.count)
        #expect(TailJournal.records(in: journal, of: utterance).count == 1)
        #expect(try tail(journal) == [])
        let other = record([1, 2, 3], of: randomBytes(16))
        #expect(try tail(lie.bytes + other.dropFirst(TailFrame.count)) == [])
    }

    @Test func aRecordMayReachIntoTheNextChunk() throws {
        let plain = randomBytes(70_000)
        let journal =
            record(Array(plain[..<65_000])) + record(Array(plain[65_000..<66_000]), offset: 65_000)
            + record(Array(plain[66_000...]), chunk: 1, offset: 464)
        #expect(try tail(journal) == plain)
        #expect(try tail(journal, after: 1) == Array(plain[65_536...]))
    }

    /// Places that no recording has.
    @Test(arguments: [
        (1 << 44, 1, 1), (-1, 1, 1), (0, 65_537, 1), (0, 1 << 23, 1), (0, 1, 0), (0, 1, 33),
    ])
    func aFrameThatNoRecordingHasIsDamage(position: Int, count: Int, boxes: Int) {
        let frame = TailFrame(utterance: utterance, position: position, count: count, boxes: boxes)
        #expect(TailFrame(frame.bytes[...]) == nil)
        let farthest = TailFrame(utterance: utterance, position: (1 << 44) - 1, count: 65_536, boxes: 32)
        #expect(TailFrame(farthest.bytes[...]) == farthest)
    }

    @Test(arguments: 0..<300) func aFrameThatLiesAboutItsSizeIsNoRecord(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func number() -> Int {
            [0, 1, 32, 33, 83, 65_536, 65_617, Int(UInt32.max)].randomElement(using: &generator) ?? 0
        }
        var frame = Array("LTJ1".utf8) + utterance
        for (value, count) in [(number(), 8), (number(), 4), (number(), 4), (number(), 4), (number(), 4)] {
            frame += (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        frame += SHA256.digest(of: frame).bytes.prefix(8)
        let journal = frame + randomBytes(3 * slot)
        for range in TailJournal.records(in: journal, of: utterance) {
            #expect(range.upperBound <= journal.count)
        }
        #expect(TailJournal.compact(journal, of: utterance).count <= 4 * slot)
    }
}
