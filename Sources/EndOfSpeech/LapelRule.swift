/// The rule of `EndOfSpeech.Rule.lapel`: probabilities of speech, frame by frame, made into an end.
///
/// A frame counts as speech between a high and a low threshold, in runs that are not too short. Enough sure frames close
/// together confirm that somebody speaks; only then can quiet end anything, so that slams, clicks and rustling are never
/// sent. Speech that goes on and on and is seldom certain, of a crowd or across the room, confirms nothing; a single word
/// that is followed by quiet may be uncertain. It is fixed in size and allocates nothing.
///
/// Defined beside the training script, `board/training/rule.py`.
struct LapelRule: Equatable, Sendable {
    /// Clocks that sum steps of 0.1 s may fall this short of the hangover.
    private static let clockTolerance = 0.001
    /// A share of a count may fall this far beside a whole number.
    private static let shareTolerance = 1e-6
    private static let frame = 0.02
    /// A time that goes back by less is that of an observation that came late or twice; by more, another clock's.
    private static let overtaken = 1.0

    let settings: EndOfSpeech.LapelParameters
    /// The thresholds in 255ths.
    private let on: UInt8
    private let off: UInt8
    private let sure: UInt8
    private let certain: UInt8
    private let doubtful: UInt8

    private var isOn = false
    /// Frames of the run that is going on.
    private var run = 0
    /// Frames of speech.
    private var counted = 0
    private var sureFrames: RecentFrames
    private var certainFrames: RecentFrames
    /// Sure frames have confirmed that somebody speaks; anew after each end.
    private var hasEnough = false
    private var talk = Talk()
    private var hasEnded = false
    /// Frames since the last speech.
    private var pauseFrames = 0
    /// The largest probability in the pause, behind its first frames.
    private var doubt: UInt8 = 0
    /// Seconds since the last speech.
    private var quiet = 0.0
    private var previous: Double?

    private(set) var floor: Double?
    private(set) var end: EndOfSpeech.End?
    private(set) var lastJudgement: EndOfSpeech.Judgement?

    init(_ settings: EndOfSpeech.LapelParameters) {
        self.settings = settings
        // A figure in the middle between two 255ths splits the unrounded probabilities exactly where it says.
        let between = 1e-9
        on = SpeechFrames.quantised(settings.on + between)
        off = SpeechFrames.quantised(settings.off + between)
        sure = SpeechFrames.quantised(settings.sure + between)
        certain = SpeechFrames.quantised(settings.certain + between)
        doubtful = SpeechFrames.quantised(settings.doubt + between)
        sureFrames = RecentFrames(settings.within)
        certainFrames = RecentFrames(settings.within)
    }

    /// Somebody speaks, and it is the wearer: taken back from speech that turns out to be a crowd's.
    private var isConfirmed: Bool {
        guard hasEnough else { return false }
        let wanted = settings.uncertainShare * Double(talk.frames) - Self.shareTolerance
        return talk.longestUncertain < settings.uncertain || Double(talk.certain) >= wanted
    }

    /// All that was said is a word, not certain enough to confirm at once; the quiet after it does.
    private var isWord: Bool { talk.sure >= settings.confirm && talk.frames <= settings.word }

    private var canEnd: Bool { (isConfirmed || isWord) && end == nil }

    var hasSpoken: Bool { hasEnded || isConfirmed }

    var speechSeconds: Double { Double(counted) * Self.frame }

    /// How long the quiet must still last, in seconds; nil before there is speech that quiet can end, and after the end.
    var secondsToEnd: Double? {
        canEnd ? max(0, pause.seconds - quiet - Double(settings.lag) * Self.frame) : nil
    }

    mutating func feed(_ observation: Observation) -> Bool {
        let now = observation.seconds
        guard observation.dbfs.isFinite, now.isFinite, let frames = observation.frames,
            let step = step(to: now)
        else {
            lastJudgement = .ignored
            return false
        }
        previous = now
        floor = frames.floor
        quiet += step
        lastJudgement = .quiet
        for index in 0..<SpeechFrames.count where hear(frames[index]) {
            lastJudgement = .speech
            quiet = Double(SpeechFrames.count - 1 - index) * Self.frame
        }
        guard canEnd else { return false }
        let pause = pause
        guard quiet + Double(settings.lag) * Self.frame >= pause.seconds - Self.clockTolerance else {
            return false
        }
        end = EndOfSpeech.End(seconds: now, reason: pause.reason)
        (hasEnough, hasEnded, talk) = (false, true, Talk())
        sureFrames.clear()
        certainFrames.clear()
        return true
    }

    /// Time since the observation before; nil for one that came twice, or after a later one.
    private func step(to now: Double) -> Double? {
        guard let previous else { return 0 }
        if now > previous { return now - previous }
        return previous - now < Self.overtaken ? nil : 0
    }

    /// The quiet that ends the utterance as things stand.
    private var pause: (seconds: Double, reason: EndOfSpeech.Reason) {
        guard settings.slow > 0 else { return (settings.hangover, .hangover) }
        return doubt >= doubtful || !isConfirmed
            ? (settings.slow, .doubtfulHangover) : (settings.hangover, .quickHangover)
    }

    /// One frame: true when it is speech.
    private mutating func hear(_ probability: UInt8) -> Bool {
        if probability >= on { isOn = true } else if probability < off { isOn = false }
        run = isOn ? run + 1 : 0
        let speaks = run >= settings.shortest
        if speaks {
            counted += run == settings.shortest ? settings.shortest : 1
            (pauseFrames, doubt) = (0, 0)
            end = nil
            talk.add(isSure: probability >= sure, isCertain: probability >= certain)
        } else {
            pauseFrames += 1
            if pauseFrames > settings.grace { doubt = max(doubt, probability) }
        }
        sureFrames.add(speaks && probability >= sure)
        certainFrames.add(speaks && probability >= certain)
        let wanted = settings.share * Double(sureFrames.count) - Self.shareTolerance
        if sureFrames.count >= settings.confirm, Double(certainFrames.count) >= wanted {
            hasEnough = true
        }
        return speaks
    }
}

/// The frames of speech since the last end, and how many are sure and certain.
private struct Talk: Equatable, Sendable {
    private(set) var frames = 0
    private(set) var sure = 0
    private(set) var certain = 0
    /// The most in a row that were not certain, over pauses.
    private(set) var longestUncertain = 0
    private var uncertain = 0

    mutating func add(isSure: Bool, isCertain: Bool) {
        frames += 1
        sure += isSure ? 1 : 0
        certain += isCertain ? 1 : 0
        uncertain = isCertain ? 0 : uncertain + 1
        longestUncertain = max(longestUncertain, uncertain)
    }
}

/// Which of the latest frames were of one kind, one bit each.
private struct RecentFrames: Equatable, Sendable {
    private let length: Int
    private var bits = SIMD4<UInt64>.zero
    private var next = 0
    private(set) var count = 0

    /// - Parameter length: 1…256.
    init(_ length: Int) { self.length = length }

    mutating func add(_ isOne: Bool) {
        let (word, bit) = (next / 64, UInt64(1) << UInt64(next % 64))
        if bits[word] & bit != 0 { count -= 1 }
        if isOne {
            bits[word] |= bit
            count += 1
        } else {
            bits[word] &= ~bit
        }
        next = next + 1 == length ? 0 : next + 1
    }

    mutating func clear() { self = RecentFrames(length) }
}
