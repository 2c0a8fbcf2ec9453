extension EndOfSpeech {
    /// The figures of the rule `lapel`. Probabilities count in 255ths, so a figure between two of them acts as the
    /// nearest.
    package struct LapelParameters: Equatable, Sendable {
        /// Speech begins at this probability …
        package var on: Double
        /// … and lasts until it falls below this one.
        package var off: Double
        /// Shorter runs are dropped, in frames of 20 ms.
        package var shortest: Int
        /// A frame of speech with this probability confirms.
        package var sure: Double
        /// So many confirming frames …
        package var confirm: Int
        /// … within so many make it speech that is worth sending, at most 256 …
        package var within: Int
        /// … if, of the confirming ones, those of this probability …
        package var certain: Double
        /// … are at least this share: a voice across the room is seldom certain.
        package var share: Double
        /// Once so many frames of speech in a row were not certain …
        package var uncertain: Int
        /// … they are a wearer's only while, of all frames of speech, this share is certain: babble goes on and on.
        package var uncertainShare: Double
        /// Speech of at most so many frames in all needs no certain ones when quiet follows it: a word, then nothing.
        package var word: Int
        /// Quiet after the last speech that ends the utterance, in seconds.
        package var hangover: Double
        /// The hangover after a doubtful pause, in seconds; 0 for a rule that knows no doubt.
        package var slow: Double
        /// A pause is doubtful when a probability in it was above this …
        package var doubt: Double
        /// … later than so many frames after the last speech, whose echo dies away.
        package var grace: Int
        /// Frames that the network's answer lags behind what it speaks of.
        package var lag: Int

        package init(
            on: Double = 0.4, off: Double = 0.3, shortest: Int = 2, sure: Double = 0.65, confirm: Int = 12,
            within: Int = 125, certain: Double = 0.948, share: Double = 0.2,
            uncertain: Int = 125, uncertainShare: Double = 0.05, word: Int = 40, hangover: Double = 3.0,
            slow: Double = 0, doubt: Double = 0.1, grace: Int = 10,
            lag: Int = SpeechNetFile.shipped.lag
        ) {
            self.on = on
            self.off = off
            self.shortest = max(1, shortest)
            self.sure = sure
            self.confirm = max(1, confirm)
            self.within = min(max(1, within), 256)
            self.certain = certain
            self.share = share
            self.uncertain = max(1, uncertain)
            self.uncertainShare = uncertainShare
            self.word = max(0, word)
            self.hangover = hangover
            self.slow = slow
            self.doubt = doubt
            self.grace = max(0, grace)
            self.lag = max(0, lag)
        }

        /// As a device uses them.
        package init(patience: Patience) {
            switch patience {
            case .calm: self.init()
            case .quick: self.init(hangover: 1.05, slow: 2.4, doubt: 0.0138, grace: 25)
            }
        }

        /// Another hangover; the longer one of `quick` moves by as much.
        package mutating func setHangover(_ seconds: Double) {
            if slow > 0 { slow += seconds - hangover }
            hangover = seconds
        }

        /// As the manifest names them.
        package var byName: [String: Double] {
            [
                "on": on, "off": off, "shortest_frames": Double(shortest), "sure": sure,
                "confirm_frames": Double(confirm), "within_frames": Double(within), "certain": certain,
                "share": share, "uncertain_frames": Double(uncertain), "uncertain_share": uncertainShare,
                "word_frames": Double(word), "hangover_s": hangover,
                "slow_hangover_s": slow, "doubt": doubt, "grace_frames": Double(grace),
                "lag_frames": Double(lag),
            ]
        }

        /// The figures a manifest names; what it does not name stands as in `init()`.
        package init(byName names: [String: Double]) {
            let own = LapelParameters()
            func whole(_ name: String, _ other: Int) -> Int {
                names[name].flatMap { Int(exactly: $0) } ?? other
            }
            self.init(
                on: names["on"] ?? own.on, off: names["off"] ?? own.off,
                shortest: whole("shortest_frames", own.shortest), sure: names["sure"] ?? own.sure,
                confirm: whole("confirm_frames", own.confirm), within: whole("within_frames", own.within),
                certain: names["certain"] ?? own.certain, share: names["share"] ?? own.share,
                uncertain: whole("uncertain_frames", own.uncertain),
                uncertainShare: names["uncertain_share"] ?? own.uncertainShare,
                word: whole("word_frames", own.word),
                hangover: names["hangover_s"] ?? own.hangover, slow: names["slow_hangover_s"] ?? own.slow,
                doubt: names["doubt"] ?? own.doubt, grace: whole("grace_frames", own.grace),
                lag: whole("lag_frames", own.lag))
        }
    }
}
