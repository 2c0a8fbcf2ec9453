extension WAVHeader {
    /// Stored bytes, whole samples, as 16-bit samples.
    func decode(_ bytes: ArraySlice<UInt8>) -> [Int16] {
        let width = bitsPerSample / 8
        return [Int16](unsafeUninitializedCapacity: bytes.count / width) { samples, filled in
            bytes.withUnsafeBytes { raw in
                filled = raw.count / width
                switch (encoding, width) {
                case (.float, _):
                    for i in 0..<filled {
                        let bits = UInt32(
                            littleEndian: raw.loadUnaligned(fromByteOffset: i * 4, as: UInt32.self))
                        samples[i] = Self.sample(Float(bitPattern: bits))
                    }
                case (.integer, 1):
                    for i in 0..<filled { samples[i] = (Int16(raw[i]) - 128) * 256 }
                case (.integer, 2):
                    for i in 0..<filled {
                        samples[i] = Int16(
                            littleEndian: raw.loadUnaligned(fromByteOffset: i * 2, as: Int16.self))
                    }
                case (.integer, 3):
                    for i in 0..<filled {
                        let high = Int(Int8(bitPattern: raw[i * 3 + 2]))
                        samples[i] = Self.rounded(
                            high << 16 | Int(raw[i * 3 + 1]) << 8 | Int(raw[i * 3]), bits: 8)
                    }
                case (.integer, _):
                    for i in 0..<filled {
                        let value = Int32(
                            littleEndian: raw.loadUnaligned(fromByteOffset: i * 4, as: Int32.self))
                        samples[i] = Self.rounded(Int(value), bits: 16)
                    }
                }
            }
        }
    }

    /// `value` without its last `bits` bits, to the nearest, inside 16 bit.
    private static func rounded(_ value: Int, bits: Int) -> Int16 {
        Int16(min((value + (1 << (bits - 1))) >> bits, 32_767))
    }

    private static func sample(_ value: Float) -> Int16 {
        // What is not a number is silence.
        value.isNaN ? 0 : Int16(max(-32_768, min(32_767, (value * 32_768).rounded())))
    }
}
