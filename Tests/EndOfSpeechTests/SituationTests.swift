import Testing

@testable import EndOfSpeech

/// What happens around a wearer, made of the project's samples and synthesised noise, from samples to end.
@Suite struct SituationTests {
    /// A voice and the moment it is over, without the noise behind it.
    private struct Voice {
        let sound: Sound
        let start: Double
        let end: Double
    }

    private struct Heard: CustomStringConvertible {
        let end: Double?
        let send: Bool
        let speech: Double
        var description: String { "end \(end.map { "\($0)" } ?? "never"), send \(send), speech \(speech)" }
    }

    /// From the first sample within 25 dB of the loudest 20 ms to the last.
    private static func voice(_ name: String) throws -> Voice {
        let all = Sound(int16: try Vector(name: name).samples())
        let sound = all.part(0, all.seconds - 4)
        let levels = stride(from: 0, to: sound.samples.count - 320, by: 320).map {
            Sound(Array(sound.samples[$0..<$0 + 320])).dbfs
        }
        let loud = levels.indices.filter { levels[$0] > (levels.max() ?? 0) - 25 }
        let (first, last) = (Double(loud.first ?? 0) * 0.02, Double((loud.last ?? 0) + 1) * 0.02)
        return Voice(sound: sound.part(first, last).at(-26), start: 0, end: last - first)
    }

    private func hear(_ sound: Sound, patience: EndOfSpeech.Patience = .calm) -> Heard {
        var rule = EndOfSpeech(rule: .lapel, patience: patience)
        for one in LapelFrontEnd().observations(sound.int16) where rule.end == nil { _ = rule.feed(one) }
        return Heard(end: rule.end?.seconds, send: rule.enoughToSend, speech: rule.speechSeconds)
    }

    /// A quiet room with the voice from `at` seconds on, and 6 s behind it; `at` and the length are returned in `end`.
    private func room(_ voice: Voice, at: Double = 1, noise: Double = -60) -> (sound: Sound, end: Double) {
        let length = at + voice.end + 6
        return (
            Sound.noise(seconds: length, dbfs: noise, slope: 3).with(voice.sound, at: at), at + voice.end
        )
    }

    private func endsInTime(_ heard: Heard, _ truth: Double, late: Double = 4.2) -> Bool {
        heard.send && heard.end.map { $0 > truth + 2.5 && $0 < truth + late } == true
    }

    private static let names = ["command-1", "sentence-1"]

    // MARK: - Speech

    @Test(arguments: names)
    func aSentenceInAQuietRoom(name: String) throws {
        let (sound, end) = room(try Self.voice(name))
        let heard = hear(sound)
        #expect(endsInTime(heard, end), "\(heard)")
    }

    @Test(arguments: names)
    func whoTalksAlreadyAtThePress(name: String) throws {
        let voice = try Self.voice(name)
        let (sound, end) = room(voice, at: 0)
        let cut = sound.part(0.4, sound.seconds)
        let heard = hear(cut)
        #expect(endsInTime(heard, end - 0.4), "\(heard)")
    }

    @Test(arguments: names)
    func oneShortWord(name: String) throws {
        let voice = try Self.voice(name)
        // Around its loudest 20 ms.
        let steps = stride(from: 0.2, to: voice.end - 0.3, by: 0.02)
        let loudest = steps.max {
            voice.sound.part($0, $0 + 0.02).dbfs < voice.sound.part($1, $1 + 0.02).dbfs
        }
        let middle = try #require(loudest)
        let word = Voice(sound: voice.sound.part(middle - 0.2, middle + 0.25), start: 0, end: 0.45)
        let (sound, end) = room(word)
        let heard = hear(sound)
        #expect(endsInTime(heard, end), "\(heard)")
    }

    @Test(arguments: names)
    func aWhisper(name: String) throws {
        let voice = try Self.voice(name)
        let whisper = Voice(sound: voice.sound.whispered().at(-36), start: 0, end: voice.end)
        let (sound, end) = room(whisper, noise: -66)
        let heard = hear(sound)
        #expect(endsInTime(heard, end), "\(heard)")
    }

    @Test(arguments: names)
    func quickIsQuick(name: String) throws {
        let (sound, end) = room(try Self.voice(name))
        let heard = hear(sound, patience: .quick)
        #expect(heard.send && heard.end.map { $0 > end + 0.5 && $0 < end + 2.8 } == true, "\(heard)")
    }

    @Test(arguments: names)
    func theButtonClicksUnderTheFirstWord(name: String) throws {
        let (sound, end) = room(try Self.voice(name), at: 0.3)
        let click = Sound.noise(seconds: 0.06, dbfs: -12, seed: 7).dying(0.008)
        let heard = hear(sound.with(click, at: 0.02).with(click, at: 0.35))
        #expect(endsInTime(heard, end), "\(heard)")
    }

    // MARK: - Other sounds in the tail

    @Test(arguments: names)
    func aDoorSlamsAfterTheEnd(name: String) throws {
        let (sound, end) = room(try Self.voice(name))
        let slam = Sound.noise(seconds: 0.4, dbfs: -10, slope: 6).dying(0.08)
        let heard = hear(sound.with(slam, at: end + 1.5))
        #expect(endsInTime(heard, end, late: 5.2), "\(heard)")
    }

    @Test(arguments: names)
    func theNoiseStepsUpInTheMiddle(name: String) throws {
        let (sound, end) = room(try Self.voice(name), noise: -58)
        let more = Sound.noise(seconds: sound.seconds - 2, dbfs: -46, slope: 3, seed: 9)
        let heard = hear(sound.with(more, at: 2))
        #expect(endsInTime(heard, end), "\(heard)")
    }

    @Test(arguments: names)
    func aTalkerAcrossTheRoom(name: String) throws {
        let (sound, end) = room(try Self.voice(name))
        let other = try Self.voice("sentence-2").sound.reverberant().at(-48)
        let talk = other + Sound.silence(0.3) + other
        let heard = hear(sound.with(talk, at: end + 0.2))
        #expect(endsInTime(heard, end, late: 5.5), "\(heard)")
    }

    @Test(arguments: names)
    func musicStartsInTheTail(name: String) throws {
        let (sound, end) = room(try Self.voice(name))
        let chords = [[262.0, 330, 392], [220, 277, 330], [247, 294, 392], [262, 330, 392]].flatMap { chord in
            [1.0, 1.0].map { Sound.tones(chord, seconds: $0, dbfs: -38) }
        }
        let music = chords.dropFirst().reduce(chords[0], +)
        let heard = hear(sound.with(music, at: end + 0.5))
        #expect(endsInTime(heard, end, late: 5), "\(heard)")
    }

    @Test(arguments: names)
    func theTailIsDigitalSilence(name: String) throws {
        let voice = try Self.voice(name)
        let heard = hear(Sound.silence(1) + voice.sound + Sound.silence(8))
        #expect(endsInTime(heard, 1 + voice.end), "\(heard)")
    }

    // MARK: - No speech at all

    static var keyClicks: Sound {
        var sound = Sound.noise(seconds: 10, dbfs: -60, slope: 3)
        let click = Sound.noise(seconds: 0.06, dbfs: -18, seed: 7).dying(0.008)
        for second in [1.0, 1.3, 1.7, 3.1, 3.3] { sound = sound.with(click, at: second) }
        return sound
    }

    static var slams: Sound {
        var sound = Sound.noise(seconds: 10, dbfs: -60, slope: 3)
        let slam = Sound.noise(seconds: 0.5, dbfs: -10, slope: 6).dying(0.1)
        for second in [2.0, 4.2] { sound = sound.with(slam, at: second) }
        return sound
    }

    static var wind: Sound {
        var sound = Sound.noise(seconds: 10, dbfs: -55, slope: 3)
        for gust in 0..<5 {
            let swell = Sound.noise(seconds: 1.6, dbfs: -30, slope: 6, seed: UInt64(gust) + 20).samples
            let count = Float(swell.count)
            var shaped = swell
            for index in shaped.indices {
                let rise = Float(index) / count
                shaped[index] *= 4 * rise * (1 - rise)
            }
            sound = sound.with(Sound(shaped), at: Double(gust) * 1.9)
        }
        return sound
    }

    static var rustle: Sound {
        var sound = Sound.noise(seconds: 10, dbfs: -60, slope: 3)
        for crackle in 0..<40 {
            let burst = Sound.noise(seconds: 0.08, dbfs: -32, seed: UInt64(crackle) + 50).dying(0.02)
            let at = 1 + Double(crackle % 13) * 0.17 + Double(crackle / 13) * 3.1
            sound = sound.with(burst, at: at)
        }
        return sound
    }

    static let noises: [(String, Sound)] = [
        ("digital silence", .silence(10)),
        ("a room", .noise(seconds: 10, dbfs: -60, slope: 3)),
        ("hiss", .noise(seconds: 10, dbfs: -40)),
        ("rumble", .noise(seconds: 10, dbfs: -25, slope: 6)),
        ("key clicks", keyClicks),
        ("slams", slams),
        ("wind", wind),
        ("rustle", rustle),
        ("a square wave at full scale", Sound((0..<10 * 16_000).map { $0 / 40 % 2 == 0 ? 1 : -1 })),
    ]

    @Test(arguments: noises.map(\.0))
    func nothingIsSentOf(noise: String) throws {
        let sound = try #require(Self.noises.first { $0.0 == noise }).1
        let heard = hear(sound)
        #expect(!heard.send && heard.end == nil, "\(heard)")
    }
}
