import TestSupport
import Wire

/// What was really said, and what the programs owe: the world's own knowledge of one utterance.
final class Truth {
    enum Stage: Equatable {
        /// Being recorded, or finished and nobody was told.
        case open
        /// The wearer was told, or a start found it and keeps it.
        case kept
        /// The wearer was told that it is gone.
        case discarded
        /// Nothing is owed: nothing of it had reached the card.
        case gone
    }

    /// Nobody says this by chance; it stands in sealed sound and manifests every few hundred bytes.
    static let marker = Array("in-the-clear-4e7a".utf8)

    let name: ItemName
    let isSealed: Bool
    /// All that will be said.
    let sound: [UInt8]
    var appended = 0
    /// So much must survive everything.
    var synced = 0
    var stage = Stage.open
    var finished = false
    /// SHA-256 of the audio file, once it is known.
    var sha256: String?
    /// Its files on the device, once kept: audio first.
    var files: [String] = []
    /// The bytes of its manifest's file, once kept: nobody changes them.
    var manifest: [UInt8] = []
    /// Hosts by number that have given a receipt for all of it.
    var storedAt: Set<Int> = []
    /// Sealed, and what a crash left: it has a tail journal.
    var isPart = false
    /// The host's owner asked for it to be forgotten: since then nothing is owed, and once that was done it must not
    /// come back.
    var withdrawn: Withdrawal?

    var withdrawnFrom: Int?

    enum Withdrawal { case asked, done }

    /// The device has let go.
    var left = false
    /// The card refused to take some of it, and said so; until it is kept nothing is owed of it.
    var isDamaged = false
    /// A host refused it.
    var parked = false

    init(_ name: ItemName, isSealed: Bool, length: Int, seed: UInt64) {
        self.name = name
        self.isSealed = isSealed
        var random = SeededGenerator(seed: seed)
        var sound: [UInt8] = []
        sound.reserveCapacity(length + 8)
        while sound.count < length {
            if sound.count % 256 == 0, length - sound.count > 32 { sound += Self.marker }
            withUnsafeBytes(of: random.next()) { sound += $0 }
        }
        sound.removeLast(sound.count - length)
        self.sound = sound
    }

    /// The bytes that a file begins with rightly.
    func agreement(with bytes: [UInt8]) -> Int {
        let most = min(bytes.count, appended)
        if bytes[..<most] == sound[..<most] { return most }
        return zip(bytes, sound[..<most]).prefix { $0 == $1 }.reduce(0) { count, _ in count + 1 }
    }

    /// It is being recorded, or waits to be sent.
    var isInFlight: Bool { isOwed && !parked }

    var isOwed: Bool {
        switch stage {
        case .open, .kept: !left
        case .discarded, .gone: false
        }
    }

    /// 32 hexadecimal digits that a seed decides.
    static func id(_ seed: UInt64) -> String {
        [seed &* 0x9E37_79B9_7F4A_7C15, seed].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }.joined()
    }
}

/// A promise that was broken, as a sentence.
struct BrokenPromise: Error, CustomStringConvertible {
    let number: Int
    let sentence: String

    init(_ number: Int, _ sentence: String) {
        self.number = number
        self.sentence = sentence
    }

    var description: String { "promise \(number): \(sentence)" }
}
