/// A property of a piece of the program that must hold for every input, whoever made it.
///
/// The same targets are driven in two ways: by libFuzzer, which looks for inputs (`board/test fuzz`), and by
/// `CorpusTests`, which tries the ones that are kept.
struct FuzzTarget: Sendable {
    /// Also the name of its file in `corpus` and of its folder in `regressions`.
    let name: String
    /// Longest input that is tried, in bytes.
    let longest: Int
    /// Inputs to begin with: what the program itself writes.
    let seeds: @Sendable () throws -> [[UInt8]]
    /// Throws `Broken` when the property does not hold. `folder` is an empty folder, the same for each input.
    let check: @Sendable (_ input: [UInt8], _ folder: String) throws -> Void

    static let all: [FuzzTarget] = [
        json, manifest, headers, pairing, answers, network, ageHeader, ageKeys, ageFile, tail, outbox, host,
        pairedHost, settings,
        wav,
        opus,
        flac,
    ]
}

/// A property that does not hold, in words.
struct Broken: Error, CustomStringConvertible {
    let description: String
}

func must(_ holds: Bool, _ property: @autoclosure () -> String) throws(Broken) {
    if !holds { throw Broken(description: property()) }
}

/// An input read as a series of decisions. At its end there are zeros.
struct FuzzInput {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> Int { Int(rest.popFirst() ?? 0) }

    /// From 0, below `limit`; as many bytes as the limit needs.
    mutating func number(below limit: Int) -> Int {
        var value = 0
        var reach = 1
        while reach < limit {
            value = value << 8 | byte()
            reach <<= 8
        }
        return limit > 0 ? value % limit : 0
    }

    /// A length byte and so many bytes.
    mutating func field() -> [UInt8] { take(byte()) }

    mutating func take(_ count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}
