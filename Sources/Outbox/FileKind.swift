import Wire

/// What a file in the outbox is, by its name.
enum FileKind: Equatable, Sendable {
    case audio(ItemName, Form)
    case manifest(ItemName, sealed: Bool)
    case head(ItemName, sealed: Bool)
    case tail(ItemName)
    case gap(ItemName)
    /// The beginning of a file that gets its name when it is whole.
    case unfinished(ItemName)
    /// The beginning of a copy of a recording, which is there as well.
    case copy(ItemName)
    case spareTail
    /// The note beside something parked, or the beginning of one.
    case note
    case unknown

    static let spareTailName = "spare.tail"
    /// Bytes of an `ItemName`.
    static let nameLength = 43

    init(_ file: String) {
        let bytes = file.utf8
        guard let end = bytes.index(bytes.startIndex, offsetBy: Self.nameLength, limitedBy: bytes.endIndex),
            end < bytes.endIndex, bytes[end] == UInt8(ascii: "."), let name = Self.name(file, upTo: end)
        else {
            if file == Self.spareTailName {
                self = .spareTail
            } else {
                self = Self.isNote(file) ? .note : .unknown
            }
            return
        }
        let ending = String(file[bytes.index(after: end)...])
        switch ending {
        case "json": self = .manifest(name, sealed: false)
        case "json.age": self = .manifest(name, sealed: true)
        case "head": self = .head(name, sealed: false)
        case "head.age": self = .head(name, sealed: true)
        case "tail": self = .tail(name)
        case "gap.json": self = .gap(name)
        case "json.age.new", "head.age.new", "tail.new", "gap.json.new": self = .unfinished(name)
        case _ where Self.isNote(ending): self = .note
        default:
            let isCopy = ending.hasSuffix(".copy")
            let audio = isCopy ? String(ending.dropLast(5)) : ending
            let sealed = audio.hasSuffix(".age")
            let format = sealed ? String(audio.dropLast(4)) : audio
            guard !format.isEmpty, format.utf8.allSatisfy(Self.isExtension) else {
                self = .unknown
                return
            }
            self = isCopy ? .copy(name) : .audio(name, Form(format: format, sealed: sealed))
        }
    }

    /// As `ItemName.init(_:)`, for a start that reads tens of thousands.
    private static func name(_ file: String, upTo end: String.Index) -> ItemName? {
        var seq: UInt64 = 0
        var digits = 0
        for (index, c) in zip(file.utf8.indices, file.utf8) {
            guard (48...57).contains(c) else {
                guard digits == 10, c == UInt8(ascii: "-") else { return nil }
                return ItemName(seq: seq, id: String(file[file.utf8.index(after: index)..<end]))
            }
            seq = seq &* 10 &+ UInt64(c - 48)
            digits += 1
        }
        return nil
    }

    private static func isNote(_ file: String) -> Bool {
        file.hasSuffix("reason.txt") || file.hasSuffix("reason.txt.new")
    }

    private static func isExtension(_ c: UInt8) -> Bool { (97...122).contains(c) || (48...57).contains(c) }
}
