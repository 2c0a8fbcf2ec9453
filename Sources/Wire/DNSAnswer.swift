/// Types of DNS records (RFC 1035, 3596, 2782).
enum DNSType: UInt16 {
    case address = 1
    case pointer = 12
    case text = 16
    case address6 = 28
    case service = 33
}

/// What a DNS message from the network says, as far as a search for hosts listens. Reads anything without trapping:
/// it comes from whoever is there.
struct DNSAnswer: Equatable {
    struct Service: Equatable {
        /// All names are in lower case, labels joined by dots.
        let name: String
        let target: String
        let port: UInt16
    }

    let id: UInt16
    private(set) var services: [Service] = []
    /// By name: the fields of its TXT record, their keys in lower case.
    private(set) var texts: [String: [String: String]] = [:]
    private var addresses4: [String: [String]] = [:]
    private var addresses6: [String: [String]] = [:]

    /// A message with more records than this is no host's.
    private static let mostRecords = 64

    /// Nil for a message that is no answer or cannot be read to its end.
    init?(_ message: [UInt8]) {
        var reader = DNSReader(bytes: message)
        guard let id = reader.number(), let flags = reader.number(), flags & 0x8000 != 0,
            let questions = reader.number(), let answers = reader.number(),
            let authorities = reader.number(), let additions = reader.number()
        else { return nil }
        let records = Int(answers) + Int(authorities) + Int(additions)
        guard Int(questions) <= 8, records <= Self.mostRecords else { return nil }
        self.id = id
        for _ in 0..<questions {
            guard reader.name() != nil, reader.number() != nil, reader.number() != nil else { return nil }
        }
        for _ in 0..<records {
            guard let name = reader.name(), let type = reader.number(), reader.number() != nil,
                reader.number() != nil, reader.number() != nil, let length = reader.number(),
                let end = reader.end(of: Int(length))
            else { return nil }
            if let type = DNSType(rawValue: type) { take(name, type, reader, until: end) }
            reader.position = end
        }
    }

    /// The addresses of a name, those of version 4 first.
    func addresses(of name: String) -> [String] { (addresses4[name] ?? []) + (addresses6[name] ?? []) }

    private mutating func take(_ name: String, _ type: DNSType, _ reader: DNSReader, until end: Int) {
        var reader = reader
        let data = Array(reader.bytes[reader.position..<end])
        switch type {
        case .address:
            guard data.count == 4 else { return }
            addresses4[name, default: []].append(data.map { String($0) }.joined(separator: "."))
        case .address6:
            // One of the link alone is of no use without its zone.
            guard data.count == 16, !(data[0] == 0xFE && data[1] & 0xC0 == 0x80) else { return }
            let groups = stride(from: 0, to: 16, by: 2).map { Int(data[$0]) << 8 | Int(data[$0 + 1]) }
            addresses6[name, default: []].append(
                groups.map { String($0, radix: 16) }.joined(separator: ":"))
        case .service:
            guard reader.number() != nil, reader.number() != nil, let port = reader.number(),
                let target = reader.name(), port > 0
            else { return }
            services.append(Service(name: name, target: target, port: port))
        case .text:
            var fields: [String: String] = [:]
            var rest = data[...]
            while let count = rest.popFirst() {
                let field = String(decoding: rest.prefix(Int(count)), as: UTF8.self)
                rest = rest.dropFirst(Int(count))
                guard let equals = field.firstIndex(of: "=") else { continue }
                fields[field[..<equals].lowercased()] = String(field[field.index(after: equals)...])
            }
            texts[name] = fields
        case .pointer: break  // says what the service records say, too
        }
    }
}

/// Numbers and names of a DNS message, in order.
struct DNSReader {
    let bytes: [UInt8]
    var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The next two bytes.
    mutating func number() -> UInt16? {
        guard position + 2 <= bytes.count else { return nil }
        defer { position += 2 }
        return UInt16(bytes[position]) << 8 | UInt16(bytes[position + 1])
    }

    /// Where `length` more bytes end; nil beyond the message.
    func end(of length: Int) -> Int? { position + length <= bytes.count ? position + length : nil }

    /// The next name, in lower case. Compressed ones point back only (RFC 1035, 4.1.4), so that reading ends.
    mutating func name() -> String? {
        var labels: [String] = []
        var length = 0
        var at = position
        var after: Int?
        while at < bytes.count {
            let head = Int(bytes[at])
            switch head >> 6 {
            case 0 where head == 0:
                position = after ?? at + 1
                return labels.joined(separator: ".").lowercased()
            case 0:
                length += head + 1
                guard at + 1 + head <= bytes.count, length <= 255 else { return nil }
                labels.append(String(decoding: bytes[(at + 1)...(at + head)], as: UTF8.self))
                at += 1 + head
            case 3:
                guard at + 1 < bytes.count else { return nil }
                let target = (head & 63) << 8 | Int(bytes[at + 1])
                guard target < at else { return nil }
                after = after ?? at + 2
                at = target
            default: return nil
            }
        }
        return nil
    }
}
