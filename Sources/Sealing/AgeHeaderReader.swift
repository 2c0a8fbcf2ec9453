/// Reads an age header byte by byte, so that hostile input in tiny pieces costs no more than in one.
struct AgeHeaderReader: Sendable {
    private enum Next {
        case intro
        /// A stanza's first line or the header's last.
        case stanzaOrEnd
        /// A line of the body of the stanza begun: its words, and the base64 of the full lines so far.
        case body(words: [String], text: [UInt8])
    }

    private var next = Next.intro
    private var taken: [UInt8] = []
    private var lineStart = 0
    private var stanzas: [AgeStanza] = []

    private static let lineEnd = UInt8(ascii: "\n")

    /// The header, when this byte is its last.
    mutating func take(_ byte: UInt8) throws(AgeError) -> AgeHeader? {
        guard taken.count < AgeHeader.longest else { throw .malformed(reason: "it is longer than 64 KiB") }
        taken.append(byte)
        if case .intro = next {
            // Refused at the first wrong byte: a file that is not age may have no line ends at all.
            let expected = AgeHeader.intro + [Self.lineEnd]
            guard byte == expected[taken.count - 1] else { throw .notAge }
        }
        guard byte == Self.lineEnd else { return nil }
        let line = Array(taken[lineStart..<(taken.count - 1)])
        defer { lineStart = taken.count }
        return try take(line: line)
    }

    private mutating func take(line: [UInt8]) throws(AgeError) -> AgeHeader? {
        switch next {
        case .intro:
            next = .stanzaOrEnd
        case .stanzaOrEnd where line.starts(with: Array("---".utf8)):
            return try end(line)
        case .stanzaOrEnd:
            let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            guard words.count >= 2, words[0] == "->", words.dropFirst().allSatisfy(AgeStanza.isWord) else {
                throw .malformed(reason: "a line that should begin a stanza does not")
            }
            next = .body(words: Array(words.dropFirst()), text: [])
        case .body(let words, var text):
            guard line.count <= AgeStanza.columns else {
                throw .malformed(reason: "a line of a stanza's body is longer than 64 characters")
            }
            text += line
            if line.count == AgeStanza.columns {
                next = .body(words: words, text: text)
            } else {
                guard let body = AgeBase64.decode(text) else {
                    throw .malformed(reason: "a stanza's body is not base64, or lacks its last line")
                }
                stanzas.append(AgeStanza(type: words[0], arguments: Array(words.dropFirst()), body: body))
                next = .stanzaOrEnd
            }
        }
        return nil
    }

    private func end(_ line: [UInt8]) throws(AgeError) -> AgeHeader {
        let start = Array("--- ".utf8)
        guard line.starts(with: start), let tag = AgeBase64.decode(Array(line.dropFirst(start.count))),
            tag.count == 32
        else { throw .malformed(reason: "its tag is not 32 bytes of base64") }
        guard !stanzas.isEmpty else { throw .malformed(reason: "it names no recipient") }
        return AgeHeader(
            stanzas: stanzas, bytes: taken.count, covered: Array(taken[..<(lineStart + 3)]), tag: tag)
    }
}
