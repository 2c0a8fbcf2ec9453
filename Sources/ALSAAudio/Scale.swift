import CMath

/// Decibels to a factor of amplitude.
enum Decibels {
    /// Kept within ±120 dB, so that no setting makes a sample infinite.
    static func factor(_ decibels: Double) -> Float {
        decibels == 0 ? 1 : Float(lapel_pow10(min(max(decibels, -120), 120) / 20))
    }
}

/// Samples at the end of the converter's scale, in any format.
enum Clipping {
    static func count(_ samples: UnsafePointer<Float>, count: Int) -> Int {
        var clipped = 0
        for i in 0..<count where samples[i] >= 32_767 || samples[i] <= -32_768 { clipped &+= 1 }
        return clipped
    }
}
