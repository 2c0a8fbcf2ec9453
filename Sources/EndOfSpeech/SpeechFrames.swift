/// What the network said of the five frames of a reading, and the floor it heard them over: eight bytes, so that hours
/// of them are kept with a recording and any end can be replayed from them.
package struct SpeechFrames: Equatable, Hashable, Sendable {
    /// Frames of 20 ms in a reading.
    package static let count = 5

    /// 0–4: probability of speech in 255ths; 5: floor in half dB below full scale.
    private var lanes: SIMD8<UInt8>

    /// Five frames without speech over the lowest floor there is.
    package init() {
        lanes = .zero
        lanes[5] = .max
    }

    /// - Parameters:
    ///   - probabilities: of the five frames, in 255ths.
    ///   - floor: level of the room in dBFS; kept to half a dB, from 0 down to −127.5.
    package init(_ probabilities: (UInt8, UInt8, UInt8, UInt8, UInt8), floor: Double = -127.5) {
        lanes = SIMD8(
            probabilities.0, probabilities.1, probabilities.2, probabilities.3, probabilities.4, 0, 0, 0)
        self.floor = floor
    }

    /// The probability that the wearer speaks in frame 0…4, in 255ths.
    package subscript(frame: Int) -> UInt8 {
        get { lanes[frame] }
        set { lanes[frame] = newValue }
    }

    package var floor: Double {
        get { Double(lanes[5]) / -2 }
        set { lanes[5] = newValue.isFinite ? UInt8(min(max((-2 * newValue).rounded(), 0), 255)) : .max }
    }

    /// The largest of the five, 0…1.
    package var probability: Double { Double((0..<Self.count).map { lanes[$0] }.max() ?? 0) / 255 }

    /// As the rule counts: to the nearest 255th. What is no number is no speech.
    package static func quantised(_ probability: Double) -> UInt8 {
        probability > 0 ? UInt8((min(probability, 1) * 255).rounded()) : 0
    }
}

// As text: two hexadecimal digits for each frame, then two for the floor.
extension SpeechFrames {
    package var hexadecimal: String {
        var text = ""
        for lane in 0...Self.count {
            text += (lanes[lane] < 16 ? "0" : "") + String(lanes[lane], radix: 16)
        }
        return text
    }

    /// Nil for anything but twelve hexadecimal digits.
    package init?(hexadecimal text: String) {
        let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 2 * Self.count + 2 else { return nil }
        lanes = .zero
        for lane in 0...Self.count {
            guard let high = digits[2 * lane], let low = digits[2 * lane + 1] else { return nil }
            lanes[lane] = UInt8(16 * high + low)
        }
    }
}
