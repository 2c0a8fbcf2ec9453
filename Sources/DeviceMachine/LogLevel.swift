/// How much a log line matters; the journal's own scale.
package enum LogLevel: String, Equatable, Sendable, CaseIterable {
    /// The wearer's device does not do what it should: somebody must act.
    case error
    /// What a reader of the log looks for: a start, a recording's way, a change.
    case notice
    /// For whoever looks for a mistake of ours.
    case debug
}
