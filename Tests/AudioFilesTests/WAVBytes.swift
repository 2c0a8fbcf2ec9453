/// Builds WAV files as programs leave them, right and wrong.
struct WAVBytes {
    var code = 1
    var channels = 1
    var rate = 16_000
    var bits = 16
    /// Sizes as the header claims them; nil: the right ones.
    var outerSize: Int?
    var dataSize: Int?
    /// Chunks between the format and the samples, and after them.
    var before: [(name: String, body: [UInt8])] = []
    var after: [(name: String, body: [UInt8])] = []
    /// The last 14 bytes of an extended format's code; nil: a plain format.
    var subformatTail: [UInt8]?
    /// nil: channels × bits / 8.
    var bytesPerFrame: Int?
    var outerName = "RIFF"
    var data: [UInt8] = []

    static let standardTail: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]

    init(samples: [Int16] = []) {
        data = samples.flatMap { little(Int($0), 2) }
    }

    var bytes: [UInt8] {
        var format = little(subformatTail == nil ? code : 0xFFFE, 2) + little(channels, 2) + little(rate, 4)
        let frame = bytesPerFrame ?? channels * bits / 8
        format += little(rate * frame, 4) + little(frame, 2) + little(bits, 2)
        if let subformatTail {
            format += little(22, 2) + little(bits, 2) + little(0, 4) + little(code, 2) + subformatTail
        }
        var body = Array("WAVE".utf8) + chunk("fmt ", format)
        for part in before { body += chunk(part.name, part.body) }
        body += chunk("data", data, size: dataSize)
        for part in after { body += chunk(part.name, part.body) }
        return Array(outerName.utf8) + little(outerSize ?? body.count, 4) + body
    }

    private func chunk(_ name: String, _ body: [UInt8], size: Int? = nil) -> [UInt8] {
        Array(name.utf8) + little(size ?? body.count, 4) + body + (body.count % 2 == 1 ? [0] : [])
    }
}

func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}
