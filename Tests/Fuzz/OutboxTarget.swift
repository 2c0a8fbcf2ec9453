import AudioFiles
import Glibc
import Sealing
import Wire

@testable import Outbox

extension FuzzTarget {
    /// Whatever lies in the outbox's folders when the device starts: it starts, no recording is gone afterwards, and the
    /// next start has nothing more to do.
    static let outbox = FuzzTarget(name: "outbox", longest: 512) {
        // Place, name, ending, content of each file: the listings of Found.swift.
        // Number 0 is sealed, 1 is sealed, 2 is in the clear, 9 has any name.
        let sealedPart: [UInt8] = [0, 0, 2, 6, 0, 0, 0, 1, 5, 0, 0, 0, 5, 7, 0]
        let sealedWhole: [UInt8] = [0, 1, 2, 6, 0, 0, 1, 0, 4, 0]
        let clear: [UInt8] = [0, 2, 2, 0, 0, 0, 2, 1, 3, 0, 1, 8, 2, 0, 0, 1, 8, 0, 3, 0]
        let odd: [UInt8] = [0, 9, 5, 0x62, 0x61, 0x64, 0x2E, 0x78, 0, 0, 3, 2, 4, 3, 0]
        let boast: [UInt8] =
            [0, 0, 2, 6, 0, 0, 0, 1, 8, 19] + Array("9223372036854775807".utf8) + [1, 0x31, 0]
        let strange: [UInt8] = [0, 9, 3, 0x8B, 0xFF, 0x2E, 0, 0]
        return [[], sealedPart, sealedWhole, clear, odd, boast, strange, sealedPart + sealedWhole + clear]
    } check: { input, folder in
        let directory = folder + "/outbox"
        defer { remove(directory) }
        let sound = fill(directory, FuzzInput(input))
        // The lock goes with the outbox, so that there can be another.
        let (items, report) = try {
            let first: Outbox
            do { first = try start(directory) } catch {
                throw Broken(description: "the outbox starts, whatever lies in it: \(error)")
            }
            for item in first.waiting() {
                try must(access(item.audioPath, F_OK) == 0, "what waits is there")
                _ = try? first.sealedNote(of: item)
            }
            return (first.waiting(), first.startup)
        }()
        var left = Layout.Place.allCases.flatMap { files(in: directory + "/" + $0.rawValue) }
        for recording in sound {
            guard let at = left.firstIndex(of: recording) else {
                throw Broken(description: "a recording of \(recording.count) bytes is gone")
            }
            left.remove(at: at)
        }
        guard let second = try? start(directory) else {
            throw Broken(description: "the outbox starts a second time")
        }
        try must(second.waiting() == items, "the same waits after the next start")
        guard report.problems.isEmpty else { return }
        // What stands in a folder where nothing writes it may be passed over again and again.
        let again = second.startup
        let isQuiet =
            again.recovered.isEmpty && again.parked.isEmpty && again.problems.isEmpty
            && Set(again.removed).isSubset(of: report.removed)
        try must(isQuiet, "the next start has nothing to do, and not \(again)")
    }

    private static func start(_ directory: String) throws -> Outbox {
        try Outbox(directory: directory) { path, _ in
            // Sound begins with S here; of zeros nothing was recorded.
            let bytes = content(of: path)
            if bytes.first == UInt8(ascii: "S") {
                return .audio(frames: bytes.count, rate: 16_000, channels: 1)
            }
            if bytes.allSatisfy({ $0 == 0 }) { return .nothing }
            throw Broken(description: "it is no sound")
        }
    }

    /// Of files in the clear, and of sealed ones: a recording's files are one or the other.
    private static let endings = [
        ["json", "head", "opus", "wav", "gap.json", "reason.txt", "opus.copy", "flac"],
        [
            "json.age", "head.age", "opus.age", "json.age.new", "gap.json", "tail", "reason.txt",
            "opus.age.copy",
            "tail.new", "head.age.new", "flac.age",
        ],
    ]
    private static let ids = (0..<3).map { String(repeating: "\($0)123456789abcdef", count: 2) }

    private static let sealedManifest = SealedNote.manifest(
        sampleManifest.encoded(), to: [Sample.one.recipient], sha256: SHA256.digest(of: Part.sample.sealed),
        bytes: Part.sample.sealed.count)
    private static let sealedHead = SealedNote.head(sampleManifest.encoded(), to: [Sample.one.recipient])

    /// Makes the files that the input tells of; the contents of those that are recordings.
    private static func fill(_ directory: String, _ input: FuzzInput) -> [[UInt8]] {
        var input = input
        mkdir(directory, 0o700)
        for place in Layout.Place.allCases { mkdir(directory + "/" + place.rawValue, 0o700) }
        var seen: Set<String> = []
        var sound: [[UInt8]] = []
        while !input.isAtEnd, seen.count < 12 {
            let drawn = Layout.Place.allCases[input.byte() % 4]
            let number = input.byte() % 10
            let name: [UInt8]
            if number == 9 {
                // Any name that a file can have.
                name = input.field().filter { $0 != 0 && $0 != UInt8(ascii: "/") }
            } else {
                let seq = String(repeating: "0", count: 9) + "\(1 + number / 3)"
                let endings = endings[number % 3 == 0 ? 1 : number % 2]
                name = Array("\(seq)-\(ids[number % 3]).\(endings[input.byte() % endings.count])".utf8)
            }
            let bytes = fileContent(&input)
            guard !name.isEmpty, name != [46], name != [46, 46], name.count <= 255 else { continue }
            // Some files are written in one folder only; a recording is there once, because what moves it, moves it.
            let kind = FileKind(String(decoding: name, as: UTF8.self))
            let place = home(of: kind) ?? drawn
            let file =
                sealedForm(kind) == nil
                ? place.rawValue + "/" + Hex.encode(name) : Hex.encode(name.prefix(43))
            guard seen.insert(file).inserted else { continue }
            let path = Array((directory + "/" + place.rawValue + "/").utf8) + name
            put(bytes, at: path)
            if kind == .unknown || isSound(bytes, sealed: sealedForm(kind)) { sound.append(bytes) }
        }
        return sound
    }

    /// The folder of a kind of file that no other folder ever holds.
    private static func home(of kind: FileKind) -> Layout.Place? {
        switch kind {
        case .head, .unfinished, .copy: .rec
        case .gap: .out
        case .audio, .manifest, .tail, .spareTail, .note, .unknown: nil
        }
    }

    /// Whether a recording is sealed; nil for what is no recording.
    private static func sealedForm(_ kind: FileKind) -> Bool? {
        switch kind {
        case .audio(_, let form): form.sealed
        case .manifest, .head, .tail, .gap, .unfinished, .copy, .spareTail, .note, .unknown: nil
        }
    }

    private static func isSound(_ bytes: [UInt8], sealed: Bool?) -> Bool {
        guard let sealed else { return false }
        guard sealed else { return bytes.contains { $0 != 0 } }
        guard let header = try? AgeHeader.parse(bytes) else { return false }
        return bytes.dropFirst(header.payloadStart).contains { $0 != 0 }
    }

    private static func fileContent(_ input: inout FuzzInput) -> [UInt8] {
        var bytes: [UInt8]
        switch input.byte() % 10 {
        case 0: bytes = Array("Some sound".utf8)
        case 1: bytes = [UInt8](repeating: 0, count: input.byte())
        case 2: bytes = input.field()
        case 3: bytes = sampleManifest.encoded()
        case 4:
            bytes = sealedManifest
        case 5: bytes = sealedHead
        case 6: bytes = Part.sample.sealed
        case 7: bytes = Part.sample.smallJournal
        case 8:
            // A header as anybody can write one, with what it says in its notes.
            let note = AgeStanza(type: "lapel-head", arguments: [word(&input)])
            let audio = AgeStanza(type: "lapel-audio", arguments: [sampleHash, word(&input)])
            bytes = AgeSealer.seal([], to: [Sample.one.recipient], notes: [note, audio])
        default: bytes = []
        }
        let edits = input.byte()
        if edits >= 250 { for _ in 250...edits { edit(&bytes, with: Part.sample.sealed, &input) } }
        return bytes
    }

    private static func word(_ input: inout FuzzInput) -> String {
        let word = String(decoding: input.field().filter { (0x21...0x7E).contains($0) }, as: UTF8.self)
        return word.isEmpty ? "0" : word
    }

    private static func put(_ bytes: [UInt8], at path: [UInt8]) {
        let file = open(path.map { CChar(bitPattern: $0) } + [0], O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        precondition(write(file, bytes, bytes.count) == bytes.count, "the folder for inputs takes a file")
        close(file)
    }

    /// The contents of a folder's files.
    private static func files(in folder: String) -> [[UInt8]] { names(in: folder).map { content(of: $0) } }

    /// Paths, as the system spells them.
    private static func names(in folder: String) -> [[CChar]] {
        guard let list = opendir(folder) else { return [] }
        defer { closedir(list) }
        var paths: [[CChar]] = []
        while let entry = readdir(list) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) {
                    Array(UnsafeBufferPointer(start: $0, count: strlen($0)))
                }
            }
            if name == [46] || name == [46, 46] { continue }
            var path = (folder + "/").utf8.map { CChar(bitPattern: $0) }
            path += name
            path.append(0)
            paths.append(path)
        }
        return paths
    }

    private static func remove(_ directory: String) {
        for place in Layout.Place.allCases {
            for path in names(in: directory + "/" + place.rawValue) { unlink(path) }
            rmdir(directory + "/" + place.rawValue)
        }
        for path in names(in: directory) { unlink(path) }
        rmdir(directory)
    }
}
