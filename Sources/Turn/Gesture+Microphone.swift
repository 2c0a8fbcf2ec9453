extension Gesture.Stage {
    /// What the microphone is to a turn in this stage.
    package enum Microphone: Equatable, Hashable, Sendable, CaseIterable {
        /// Not wanted: no turn records.
        case unwanted
        /// On its way up.
        case starting
        /// Open.
        case listening
    }

    /// What the microphone is to the turn.
    package var microphone: Microphone {
        switch self {
        case .off, .stopped, .thinking, .speaking: .unwanted
        case .starting: .starting
        case .listening: .listening
        }
    }
}
