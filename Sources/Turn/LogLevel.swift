/// How much a log line matters; the journal's own scale.
package enum LogLevel: String, Equatable, Sendable, CaseIterable {
    case error
    case notice
    case debug
}
