import AudioFiles

/// Keeps an encoder's bytes and how they came; throws once it holds `capacity`.
final class MemorySink: ByteSink {
    struct Full: Error, Equatable {}

    private(set) var bytes: [UInt8] = []
    private(set) var appends: [[UInt8]] = []
    private(set) var calls = 0
    let patchable: Bool
    private let capacity: Int

    init(capacity: Int = .max, patchable: Bool = true) {
        self.capacity = capacity
        self.patchable = patchable
    }

    func append(_ more: UnsafeRawBufferPointer) throws {
        calls += 1
        guard bytes.count + more.count <= capacity else { throw Full() }
        bytes += more
        appends.append(Array(more))
    }

    func overwrite(_ patch: UnsafeRawBufferPointer, at offset: Int) throws {
        calls += 1
        precondition(patchable, "an encoder leaves alone what cannot be changed")
        bytes.replaceSubrange(offset..<offset + patch.count, with: patch)
    }
}

/// `samples` encoded in one go, with the block size of a capture period.
func encoded(
    _ samples: [Int16], _ format: AudioFormat, rate: Int = 16_000, channels: Int = 1, finish: Bool = true,
    patchable: Bool = true
) throws -> [UInt8] {
    let sink = MemorySink(patchable: patchable)
    let encoder = try AudioEncoder(format: format, rate: rate, channels: channels, sink: sink)
    try encode(samples, with: encoder, channels: channels)
    if finish { try encoder.finish() }
    return sink.bytes
}

/// Blocks of 10 ms at 16 kHz.
func encode(_ samples: [Int16], with encoder: AudioEncoder, channels: Int = 1) throws {
    try samples.withUnsafeBufferPointer { all in
        for start in stride(from: 0, to: all.count, by: 160 * channels) {
            try encoder.write(
                UnsafeBufferPointer(rebasing: all[start..<min(start + 160 * channels, all.count)]))
        }
    }
}
