import TestSupport
import Testing

@testable import Sealing

/// A recording with its part file and its tail journal on a card that loses power: what was written since the last
/// sync of a file may be there, in part, or not at all.
private struct TornCard {
    let identities: [AgeIdentity]
    let utterance = randomBytes(16)
    /// Everything recorded, and how much of it the last sync promised.
    private(set) var recorded: [UInt8] = []
    private(set) var promised = 0

    private var part: [UInt8] = []
    private var partOnCard = 0
    private var journal: [UInt8]
    /// Where the next record goes, up to where the recording has records or chunks on the card, and which chunk was
    /// being filled at the last sync.
    private var place = 0
    private var journalled = 0
    private var chunk: UInt64 = 0

    init(identities: [AgeIdentity], journal: [UInt8], header: [UInt8]) {
        self.identities = identities
        self.journal = journal
        part = header
    }

    mutating func append(_ plain: [UInt8], to sealer: inout AgeSealer) {
        recorded += plain
        plain.withUnsafeBytes { bytes in sealer.seal(bytes) { part += $0 } }
    }

    /// A sync. The journal goes on, or begins again, which a new chunk allows and more bytes than a record holds demand:
    /// then the chunks come first, and only then may records be overwritten. Without `chunksFirst` a planted fault.
    mutating func sync(
        _ sealer: borrowing AgeSealer, using generator: inout SeededGenerator, chunksFirst: Bool = true
    ) {
        if startsOver(sealer, using: &generator) {
            if chunksFirst { partOnCard = part.count }
            place = 0
            journalled = recorded.count - sealer.buffered
        }
        let record = nextRecord()
        write(record[...])
        place += record.count
        journalled = recorded.count
        chunk = sealer.chunk
        promised = recorded.count
    }

    private func startsOver(_ sealer: borrowing AgeSealer, using generator: inout SeededGenerator) -> Bool {
        recorded.count - journalled > AgeSealer.chunkBytes
            || sealer.chunk != chunk && Int.random(in: 0..<3, using: &generator) == 0
    }

    private func nextRecord() -> [UInt8] {
        recorded[journalled...].withUnsafeBytes {
            TailJournal.record(
                utterance: utterance, position: journalled, $0, to: identities.map(\.recipient))
        }
    }

    private mutating func write(_ bytes: ArraySlice<UInt8>) {
        if journal.count < place + bytes.count {
            journal += [UInt8](repeating: 0, count: place + bytes.count - journal.count)
        }
        journal.replaceSubrange(place..<(place + bytes.count), with: bytes)
    }

    /// The two files after a crash, which comes between two syncs or while a record is being written.
    func crashed(
        _ sealer: borrowing AgeSealer, using generator: inout SeededGenerator
    ) -> (part: [UInt8], journal: [UInt8]) {
        var card = self
        // The crash may come in the middle of a sync: the chunks are on the card, the next record is not, or in part.
        let isInSync = Bool.random(using: &generator)
        if isInSync, startsOver(sealer, using: &generator) {
            card.partOnCard = part.count
            card.place = 0
            card.journalled = recorded.count - sealer.buffered
        }
        let cut = Int.random(in: card.partOnCard...part.count, using: &generator)
        var torn = Array(part.prefix(cut))
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: torn += [UInt8](repeating: 0, count: Int.random(in: 0...70_000, using: &generator))
        case 1 where cut > card.partOnCard:
            // Blocks of one file reach the card in any order: some of what was not synced is still empty.
            for at in stride(from: card.partOnCard, to: cut, by: 512) where Bool.random(using: &generator) {
                let end = min(at + 512, cut)
                torn.replaceSubrange(at..<end, with: [UInt8](repeating: 0, count: end - at))
            }
        default: break
        }
        var tail = journal
        if isInSync, recorded.count - card.journalled <= AgeSealer.chunkBytes {
            let (record, at) = (card.nextRecord(), card.place)
            for sector in stride(from: 0, to: record.count, by: 512) where Bool.random(using: &generator) {
                let end = min(at + sector + 512, tail.count)
                if end <= at + sector { break }
                tail.replaceSubrange((at + sector)..<end, with: record[sector..<(end - at)])
            }
        }
        return (torn, tail)
    }
}

@Suite struct PartWalkTests {
    private static let host = AgeIdentity.generate()
    private static let backup = AgeIdentity.generate()

    /// A journal file that another recording has used.
    private static let spare: [UInt8] = {
        let other = randomBytes(16)
        var journal: [UInt8] = []
        for second in 0..<22 {
            journal += randomBytes(2_900).withUnsafeBytes {
                TailJournal.record(
                    utterance: other, position: second * 2_900, $0, to: [host.recipient])
            }
        }
        return journal
    }()

    /// The bytes put together, and what the syncs had promised.
    private func walk(
        seed: UInt64, chunksFirst: Bool = true
    ) throws -> (recorded: [UInt8], promised: Int, plain: [UInt8]) {
        var generator = SeededGenerator(seed: seed)
        let identities = Bool.random(using: &generator) ? [Self.host] : [Self.host, Self.backup]
        var sealer = AgeSealer(to: identities.map(\.recipient))
        let journal = Bool.random(using: &generator) ? Self.spare : [UInt8](repeating: 0, count: 90_112)
        var card = TornCard(identities: identities, journal: journal, header: sealer.header)
        let piece = [100, 3_000, 20_000, 90_000].randomElement(using: &generator) ?? 1
        for _ in 0..<Int.random(in: 0...min(60, 600_000 / piece), using: &generator) {
            card.append(randomBytes(Int.random(in: 0...piece, using: &generator)), to: &sealer)
            if Int.random(in: 0..<3, using: &generator) > 0 {
                card.sync(sealer, using: &generator, chunksFirst: chunksFirst)
            }
        }
        let (part, tail) = card.crashed(sealer, using: &generator)
        let key = identities.randomElement(using: &generator) ?? Self.host
        // The device sends only the records that are this recording's.
        let sent = Bool.random(using: &generator) ? tail : TailJournal.compact(tail, of: card.utterance)
        let out = try assembled(
            part: part, tail: sent, utterance: card.utterance, identities: [key],
            piece: Int.random(in: 1...80_000, using: &generator))
        return (card.recorded, card.promised, out.plain)
    }

    @Test(arguments: 0..<200) func nothingThatWasSyncedIsLostAndNothingIsMadeUp(seed: UInt64) throws {
        let (recorded, promised, plain) = try walk(seed: seed)
        #expect(recorded.starts(with: plain))
        #expect(plain.count >= promised, "\(promised - plain.count) synced bytes are lost")
    }

    /// The walk is no proof unless it finds the fault that the order of a sync prevents.
    @Test func theWalkFindsATailThatIsOverwrittenTooEarly() throws {
        let lost = try (0..<200).contains { seed in
            let (_, promised, plain) = try walk(seed: UInt64(seed), chunksFirst: false)
            return plain.count < promised
        }
        #expect(lost)
    }
}
