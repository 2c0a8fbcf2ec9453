/// Who asks, and what that user may not open.
struct PermissionFacts: Equatable, Sendable {
    /// The user who asks.
    var user: String
    var isRoot: Bool
    /// Whom the outbox's folder belongs to, if it is there and not the asking user.
    var owner: String?
    /// Device files that may not be opened, each with the sentence that mends it.
    var closed: [Closed]

    struct Closed: Equatable, Sendable {
        let path: String
        let remedy: String
    }

    /// Files that are left in the outbox would be the wrong user's.
    var mayWrite: Bool { owner == nil }

    /// What is in the outbox's folder can be looked at.
    var mayRead: Bool { owner == nil || isRoot }

    var finding: Finding {
        if let owner {
            let text = "The outbox belongs to \(owner), and this is \(user)."
            let mend = "Run `sudo -u \(owner) lapel doctor`: it sees what the device sees."
            return isRoot
                ? .doubtful("permissions", text, mend: mend) : .faulty("permissions", text, mend: mend)
        }
        if let first = closed.first {
            let paths = closed.map(\.path).joined(separator: ", ")
            return .faulty("permissions", "\(user) may not open \(paths).", mend: first.remedy)
        }
        return .good("permissions", "\(user) may open what the settings name.")
    }
}
