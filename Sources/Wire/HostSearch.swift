/// Looks for the host in the local network: one question by multicast DNS (RFC 6762, 5.1: a one-shot query, answered
/// to whoever asked) for services `_lapel._tcp` (RFC 6763) and for the addresses of `.local` names. A coding: who sends
/// it, and waits, is elsewhere.
///
/// Whoever is in the network may answer anything: an answer is a hint where to try, and the pin decides.
package struct HostSearch: Equatable, Sendable {
    /// What a host announces.
    package static let service = "_lapel._tcp"
    /// The field of its TXT record that begins its pin, so that other hosts in the network are not bothered.
    package static let pinField = "pin"
    /// Of that field: so many hexadecimal digits.
    package static let pinDigits = 16
    /// An answer names at most so many places.
    package static let mostPlaces = 8

    /// Tells this question's answers from others'.
    package let id: UInt16
    /// The beginning of the pin in lower-case hexadecimal digits.
    package let pinPrefix: String
    /// Places whose names multicast DNS knows.
    package let named: [HostAddress]

    /// - Parameter places: those of them that end in `.local`, at most four, are asked for besides.
    package init(id: UInt16, pin: [UInt8], places: [HostAddress] = []) {
        self.id = id
        pinPrefix = String(Hex.encode(pin).prefix(Self.pinDigits))
        named = Array(places.filter { $0.host.lowercased().hasSuffix(".local") }.prefix(4))
    }

    /// The DNS message to send.
    package var query: [UInt8] {
        var message: [UInt8] = []
        for field in [id, 0, UInt16(1 + named.count), 0, 0, 0] {
            message += [UInt8(field >> 8), UInt8(field & 255)]
        }
        let questions =
            [(DNSType.pointer, Self.service + ".local")] + named.map { (DNSType.address, $0.host) }
        for (type, name) in questions {
            for label in name.split(separator: ".") {
                let bytes = label.utf8.prefix(63)
                message += [UInt8(bytes.count)] + bytes
            }
            message += [0, UInt8(type.rawValue >> 8), UInt8(type.rawValue & 255), 0, 1]
        }
        return message
    }

    /// Where the message says that the host may be: addresses of the version 4 first. Empty for a message that
    /// is no answer to this question, is damaged, or speaks of other hosts.
    package func places(in message: [UInt8]) -> [HostAddress] {
        guard let answer = DNSAnswer(message), answer.id == id else { return [] }
        var places: [HostAddress] = []
        for service in answer.services where service.name.hasSuffix(Self.service + ".local") {
            if let pin = answer.texts[service.name]?[Self.pinField], pin.lowercased() != pinPrefix {
                continue
            }
            let addresses = answer.addresses(of: service.target)
            // A name without an address in the message: the system's resolver may know it.
            for host in addresses.isEmpty ? [service.target] : addresses {
                if let place = HostAddress(host: host, port: service.port) { places.append(place) }
            }
        }
        for place in named {
            for host in answer.addresses(of: place.host.lowercased()) {
                if let found = HostAddress(host: host, port: place.port) { places.append(found) }
            }
        }
        var seen: Set<HostAddress> = []
        return Array(places.filter { seen.insert($0).inserted }.prefix(Self.mostPlaces))
    }
}
