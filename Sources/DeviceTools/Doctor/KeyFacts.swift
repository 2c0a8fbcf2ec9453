/// The device's keys and whom it seals to, as they were found.
struct KeyFacts: Equatable, Sendable {
    enum Keys: Equatable, Sendable {
        /// None yet.
        case absent
        case whole
        case broken(Obstacle)
        /// Made on another board.
        case moved
    }

    enum Recipient: Equatable, Sendable {
        /// The paired host's key.
        case host(name: String, key: String)
        /// A pairing from before there was sealing.
        case hostWithoutKey(name: String)
        /// The device's own, until it is paired.
        case own
        case broken(Obstacle)
    }

    var keys: Keys
    /// `seal = on`.
    var seals: Bool
    var recipient: Recipient

    var findings: [Finding] { [keyFinding, sealFinding] }

    private var keyFinding: Finding {
        switch keys {
        case .absent: .good("keys", "None yet: the first `lapel run` makes them.")
        case .whole: .good("keys", "They are there, and fit together.")
        case .broken(let refusal): .faulty("keys", refusal)
        case .moved:
            .doubtful(
                "keys",
                "This card comes from another board: the next start keeps the recordings and makes new keys.",
                mend: "Pair it then with `lapel pair`.")
        }
    }

    private var sealFinding: Finding {
        guard seals else {
            return .doubtful(
                "sealing", "OFF: recordings are stored in the clear, for whoever holds the card.",
                mend: "Set `seal = on`.")
        }
        switch recipient {
        case .host(let name, let key): return .good("sealing", "To the key of \(name), \(key.prefix(16))….")
        case .hostWithoutKey(let name):
            return .doubtful(
                "sealing", "The pairing with \(name) names no key: recordings wait.", mend: "Pair again.")
        case .own: return .good("sealing", "To this device's own key until it is paired.")
        case .broken(let refusal): return .faulty("sealing", refusal)
        }
    }
}
