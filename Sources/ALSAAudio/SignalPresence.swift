/// Notices a microphone that gives nothing: every sample of a channel the same, for one second from the start.
/// A signal that was there once and dies later is silence, not a fault.
struct SignalPresence {
    private let channels: Int
    private let patience: Int
    private var first: (Float, Float)?
    private var constant = 0
    private var settled = false

    init(channels: Int, rate: Int) {
        self.channels = channels
        patience = rate
    }

    /// True once, when the second is over.
    mutating func isMissing(_ samples: UnsafePointer<Float>, count: Int) -> Bool {
        guard !settled, count > 0 else { return false }
        let first = first ?? (samples[0], samples[channels - 1])
        self.first = first
        for i in 0..<(count * channels) where samples[i] != (i % channels == 0 ? first.0 : first.1) {
            settled = true
            return false
        }
        constant += count
        guard constant >= patience else { return false }
        settled = true
        return true
    }
}
