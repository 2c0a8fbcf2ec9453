import Wire

/// The pairing file: what `lapel-host pair` printed, or the URL alone, as any editor stores it.
enum PairingFile {
    /// Why the file is no pairing.
    struct Refusal: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    /// The one URL in the file; what stands around it is for people. The same URL may stand there more than once.
    static func url(in bytes: [UInt8]) throws(Refusal) -> PairingURL {
        guard !bytes.contains(0) else {
            // An editor's two-byte letters: every second byte of plain text is zero.
            throw Refusal(
                description:
                    "\(FirstStart.pairing) is not plain text: save it as UTF-8 or ASCII, or copy it as it was printed."
            )
        }
        let text = String(decoding: bytes, as: UTF8.self)
        var found: [String] = []
        for word in text.split(whereSeparator: { $0.isWhitespace || $0 == "'" || $0 == "\"" }) {
            guard let start = word.lowercased().range(ofFirst: "lapel://") else { continue }
            let url = String(word.dropFirst(start))
            if !found.contains(url) { found.append(url) }
        }
        guard let only = found.first else {
            throw Refusal(
                description:
                    "\(FirstStart.pairing) holds no pairing URL: it takes the line that begins with lapel://pair, as `lapel-host pair --file` writes it."
            )
        }
        guard found.count == 1 else {
            throw Refusal(
                description: "\(FirstStart.pairing) holds \(found.count) different pairing URLs: leave one.")
        }
        do { return try PairingURL(parsing: only) } catch {
            throw Refusal(description: "The URL in \(FirstStart.pairing) cannot be used: \(error)")
        }
    }
}

extension String {
    /// How many characters stand before the first `part`; nil when there is none.
    fileprivate func range(ofFirst part: String) -> Int? {
        var count = 0
        var rest = self[...]
        while !rest.isEmpty {
            if rest.hasPrefix(part) { return count }
            rest.removeFirst()
            count += 1
        }
        return nil
    }
}
