import Inbox
import LocalInbox
import Sealing
import TestSupport
import Testing
import Wire

/// A paired device, or whoever has its key, may send anything under any hash that fits.
@Suite struct InboxHostileTests {
    let folder = TemporaryFolder(inMemory: true)

    /// A part of an utterance, spoilt somewhere and announced as what it then is.
    private func spoilt(_ part: Part, _ random: inout SeededGenerator) -> Part {
        var bytes = part.bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            // Most of what can be wrong is in the first bytes.
            let end = Bool.random(using: &random) ? min(bytes.count, 400) : bytes.count
            let at = Int.random(in: 0...max(0, end - 1), using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0 where !bytes.isEmpty: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes.removeSubrange(min(at, bytes.count)...)
            case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: min(at, bytes.count))
            case 3: bytes += Part.noise(random.next(), count: 500)
            case 4 where !bytes.isEmpty:
                for index in at..<min(at + 40, bytes.count) { bytes[index] = 0 }
            default: bytes += bytes.prefix(5000)
            }
        }
        return Part(
            part.new.utterance, part.new.kind, bytes, seq: part.new.seq, ext: part.new.ext,
            device: part.new.device)
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func whatIsSpoiltAnywhereIsRefusedOrKeptAndHarmsNothing(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let inbox = try Inbox(folder: folder.path)
        let key = try inbox.keys.makeOwn().identity.recipient
        for utterance: UInt64 in 1...12 {
            let plain = Part.noise(utterance, count: [10, 5000, 70_000][Int(utterance % 3)])
            let audio = Part.sealedAudio(utterance, plain, to: [key])
            let whole = [Part.sealedManifest(utterance, audio: audio, to: [key]), audio]
            var parts = Bool.random(using: &random) ? whole : CutRecording(utterance, plain, to: [key]).parts
            let victim = Int.random(in: 0..<parts.count, using: &random)
            parts[victim] = spoilt(parts[victim], &random)
            for part in parts { _ = try? inbox.receive(part) }
        }
        // Another start takes up what waits, and everything that was kept is as it came and opens.
        let again = try Inbox(folder: folder.path)
        _ = try again.recover()
        #expect(try again.check().problems.filter { $0.kind != .mismatched } == [])
        var times = again.times()
        for utterance in try again.utterances() {
            _ = try times.start(of: utterance)
            if let audio = utterance.audio { try again.withAudio(audio) { _ = try readFile($0) } }
        }
    }
}
