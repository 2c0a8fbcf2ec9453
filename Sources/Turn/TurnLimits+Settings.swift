extension TurnLimits {
    /// How long each phase may last. Defaults: SPECIFICATION.md, "Limits, and what ends a turn".
    package struct Settings: Equatable, Sendable {
        /// From `begin` to the microphone's consent.
        package var starting = Duration.seconds(2)
        /// Mode `press`: from the open microphone to the first speech.
        package var noSpeech = Duration.seconds(10)
        /// Longest utterance in the modes `press` and `hold`.
        package var longest = Duration.seconds(120)
        /// Longest utterance in mode `memo`.
        package var memoLongest = Duration.seconds(4 * 3600)
        /// Thinking without a sign of life from the host.
        package var thinking = Duration.seconds(60)
        /// From the end of the utterance to its receipt; later, no reply is waited for.
        package var storedWithin = Duration.seconds(5)
        /// Speaking: beyond the reply's own length.
        package var replyExtra = Duration.seconds(10)
        /// Ticks before the longest utterance ends, one a second. Not negative.
        package var countdown = 5
        /// An operation on the card that takes longer has hung: the owner stops the watchdog's pings. No
        /// turn ends by it, so `TurnLimits` itself does not use it.
        package var cardHang = Duration.seconds(10)

        package init() {}
    }
}
