import Wire

@testable import HostLink

extension FuzzTarget {
    /// What anybody in the network, or the kernel, may send to a device that waits: the first byte chooses which. Places
    /// are few and can be written, and news is told once.
    static let network = FuzzTarget(name: "network", longest: 2_048) {
        [NetworkSample.answer, NetworkSample.news, NetworkSample.date, [2, 49, 50, 48]]
    } check: { input, _ in
        let rest = Array(input.dropFirst())
        switch input.first.map({ $0 % 3 }) {
        case 0:
            let search = HostSearch(id: 7, pin: [UInt8](repeating: 0xAB, count: 32))
            let places = search.places(in: rest)
            try must(places.count <= HostSearch.mostPlaces, "an answer names few places")
            for place in places {
                try must(HostAddress(place.description) == place, "a place reads back")
            }
        case 1:
            var news = LinkNews()
            _ = news.hear(rest)
            let known = news
            let isNews = news.hear(rest)
            // What comes and goes in one datagram is told each time; what stays is told once.
            try must(!isNews || known == news, "what is there already is no news")
        case 2:
            let text = String(decoding: rest, as: UTF8.self)
            guard let wait = RetryAfter.parse(text, date: "Thu, 01 Jan 1970 00:00:00 GMT") else { return }
            try must(wait >= .zero, "nobody can ask for the past")
        default: return  // no byte
        }
    }
}

private enum NetworkSample {
    /// A pointer, a service with its address, and its text, as a host's responder answers.
    static let answer: [UInt8] = {
        var answer: [UInt8] = [0, 0, 7, 0x84, 0, 0, 0, 0, 3, 0, 0, 0, 0]
        for label in ["_lapel", "_tcp", "local", ""] {
            answer.append(UInt8(label.utf8.count))
            answer.append(contentsOf: label.utf8)
        }
        let pointer: [UInt8] = [0, 12, 0, 1, 0, 0, 0, 10, 0, 4, 1, 97, 0xC0, 12]
        let service: [UInt8] = [
            1, 97, 0xC0, 12, 0, 33, 0, 1, 0, 0, 0, 10, 0, 9, 0, 0, 0, 0, 0x20, 0xFB, 1, 98, 0,
        ]
        let address: [UInt8] = [1, 98, 0, 0, 1, 0, 1, 0, 0, 0, 10, 0, 4, 192, 168, 1, 7]
        for record in [pointer, service, address] { answer.append(contentsOf: record) }
        return answer
    }()
    /// An address that came up, as rtnetlink tells it.
    static let news: [UInt8] = [
        1, 32, 0, 0, 0, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 24, 0, 0, 3, 0, 0, 0, 8, 0, 1, 0, 10, 0, 0, 1,
    ]
    static let date: [UInt8] = [2] + Array("Sun, 06 Nov 1994 08:49:37 GMT".utf8)
}
