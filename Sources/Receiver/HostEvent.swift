/// What happened at the host, for its log.
package enum HostEvent: Equatable, Sendable {
    case paired(pin: String, name: String)
    /// A manifest was stored: the host knows of the utterance.
    case rang(utterance: String, seq: UInt64, pin: String)
    /// A part was stored; its receipt goes out. `whole` when the utterance is complete by it.
    case stored(utterance: String, kind: String, bytes: Int, sha256: String, pin: String, whole: Bool)
    /// A request was refused, or could not be served (5xx).
    case refused(method: String, path: String, status: Int, reason: String, pin: String?)
}
