/// Names one utterance for its whole life: recorder, outbox, host and reply. Made at `begin`.
package struct UtteranceID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package init(_ rawValue: String) { self.rawValue = rawValue }

    package var description: String { rawValue }
}
