import Terminal

/// The paired host, as it was found.
enum HostFacts: Equatable, Sendable {
    case unpaired
    /// The pairing cannot be used.
    case broken(Obstacle)
    case paired(name: String, tries: [Try])
    /// No host, and a server that is not Lapel's.
    case foreign(String)

    /// One of the host's addresses, and how far the way there goes.
    struct Try: Equatable, Sendable {
        let address: String
        let end: End
    }

    /// Each is what stopped the way at that point; the points before it were passed.
    enum End: Equatable, Sendable {
        /// No such name.
        case noName(String)
        /// The name stands for `found`, and nobody takes a connection there.
        case noPort(found: String, reason: String)
        /// The port is open, and no TLS of ours is spoken there.
        case noTLS(found: String, reason: String)
        /// Another key.
        case stranger(found: String)
        /// The right key, and it does not know this device.
        case notKnown(found: String)
        /// The right key, and not the answer of a host.
        case noHost(found: String, status: Int)
        case answers(found: String, after: Duration)
    }

    var finding: Finding {
        switch self {
        case .unpaired:
            return .doubtful(
                "host", "None is paired: recordings stay on the device.",
                mend: "`lapel-host pair` on the host prints a URL for `lapel pair URL` here.")
        case .broken(let refusal): return .faulty("host", refusal)
        case .foreign(let server):
            return .good(
                "host", "None; recordings go to \(server), which gives no receipts: they stay in sent/.")
        case .paired(let name, let tries):
            if let good = tries.first(where: { $0.end.rank == 0 }) {
                return .good("host", "\(name) at \(good.address): \(good.end.words).")
            }
            guard let telling = tries.min(by: { $0.end.rank < $1.end.rank }) else {
                return .faulty("host", "\(name): the pairing names no address.", mend: "Pair again.")
            }
            let text =
                "\(name): " + tries.map { "\($0.address): \($0.end.words)" }.joined(separator: "; ") + "."
            return telling.end.isFault
                ? .faulty("host", text, mend: telling.end.mend)
                : .doubtful("host", text, mend: telling.end.mend)
        }
    }
}

extension HostFacts.End {
    var isAnswer: Bool { rank == 0 }

    /// The farther the way goes, the more telling its end.
    fileprivate var rank: Int {
        switch self {
        case .answers: 0
        case .notKnown: 1
        case .stranger: 2
        case .noHost: 3
        case .noTLS: 4
        case .noPort: 5
        case .noName: 6
        }
    }

    /// A host that is away is an everyday thing, and recordings wait; one that refuses does not mend itself.
    fileprivate var isFault: Bool {
        switch self {
        case .notKnown, .stranger, .noHost: true
        case .answers, .noTLS, .noPort, .noName: false
        }
    }

    fileprivate var words: String {
        switch self {
        case .noName(let reason): "the name is not found (\(reason))"
        case .noPort(let found, let reason): "found as \(found), port closed (\(reason))"
        case .noTLS(let found, let reason): "found as \(found), port open, no TLS (\(reason))"
        case .stranger(let found): "found as \(found), port open, TLS, ANOTHER KEY than the paired one"
        case .notKnown(let found): "found as \(found), port open, TLS, the paired key, this device refused"
        case .noHost(let found, let status):
            "found as \(found), port open, TLS, the paired key, HTTP \(status) in place of a host's answer"
        case .answers(let found, let after):
            "found as \(found), port open, TLS, the paired key; it answers after \(Figures.fixed(after / .milliseconds(1), places: 0)) ms"
        }
    }

    fileprivate var mend: String {
        switch self {
        case .noName: "Check the network and the name; `lapel run --host ADDRESS:PORT` adds another address."
        case .noPort:
            "Check that `lapel-host serve` runs there and that both are in one network; recordings wait meanwhile."
        case .noTLS: "Check that nothing between the two ends the connection: only TCP pass-through works."
        case .stranger: "If the host was set up anew, pair again; if not, somebody else answers there."
        case .notKnown: "It has forgotten this device: pair again."
        case .noHost: "Check what else serves that port on the host."
        case .answers: ""
        }
    }
}
