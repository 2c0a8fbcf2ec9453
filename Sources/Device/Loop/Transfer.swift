/// The loop's end of the transfer: what it may ask of it.
struct Transfer: Sendable {
    /// A press or a new utterance: try now, whatever the back-off says.
    let wake: @Sendable () -> Void
}
