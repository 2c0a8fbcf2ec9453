import Foundation
import Testing

@testable import Sealing

/// One of C2SP's files in `Tests/Vectors/age`: fields, an empty line, the sealed file.
struct Vector: CustomTestStringConvertible, Sendable {
    let name: String
    /// In the order of the file; a field may come more than once.
    let fields: [(key: String, value: String)]
    let file: [UInt8]

    var testDescription: String { name }

    static let all: [Vector] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Vectors/age")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0 != "README.md" }.sorted().compactMap { name in
            (try? Data(contentsOf: folder.appendingPathComponent(name))).flatMap {
                Vector(name: name, bytes: Array($0))
            }
        }
    }()

    /// Those that speak of what Lapel reads: binary files and native keys.
    static let native = all.filter(\.applies)
    static let others = all.filter { !$0.applies }
    /// For tests that read a file byte by byte.
    static let small = native.filter { $0.file.count < 20_000 }
    static let postQuantumKeys = all.flatMap { $0.values("identity") }
        .filter { $0.hasPrefix("AGE-SECRET-KEY-PQ-") }

    private init?(name: String, bytes: [UInt8]) {
        let lineEnd = UInt8(ascii: "\n")
        var fields: [(key: String, value: String)] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: lineEnd), end > rest.startIndex {
            let parts = String(decoding: rest[..<end], as: UTF8.self).split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            fields.append((String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces)))
            rest = rest[(end + 1)...]
        }
        var file = Array(rest.dropFirst())
        if fields.contains(where: { $0.key == "compressed" }) {
            guard let inflated = Inflate.plain(file) else { return nil }
            file = inflated
        }
        self.name = name
        self.fields = fields
        self.file = file
    }

    func values(_ key: String) -> [String] { fields.filter { $0.key == key }.map(\.value) }

    var expect: String { values("expect").first ?? "" }
    var payload: String? { values("payload").first }

    /// The native keys among the vector's.
    var identities: [AgeIdentity] { values("identity").compactMap { AgeIdentity($0) } }

    private var applies: Bool {
        if !values("armored").isEmpty { return false }
        return !identities.isEmpty || values("identity").isEmpty && values("passphrase").isEmpty
    }

    /// What comes out before the error, and the error, in pieces of the given size.
    func opened(with identities: [AgeIdentity], piece: Int = 10_000) -> (plain: [UInt8], error: AgeError?) {
        var opener = AgeOpener(identities: identities)
        var plain: [UInt8] = []
        do {
            for start in stride(from: 0, to: file.count, by: piece) {
                let bytes = file[start..<min(start + piece, file.count)]
                try bytes.withUnsafeBytes { try opener.open($0) { plain += $0 } }
            }
            try opener.finish { plain += $0 }
            return (plain, nil)
        } catch {
            return (plain, error as? AgeError)
        }
    }
}

extension AgeError {
    /// The vectors' word for it.
    var word: String {
        switch self {
        case .noIdentityMatches: "no match"
        case .notAge, .malformed: "header failure"
        case .wrongHeaderTag: "HMAC failure"
        case .damaged, .truncated, .tooLong: "payload failure"
        case .badKey: "no vector asks for it"
        }
    }
}
