/// Where an encoder's bytes go.
package protocol ByteSink: AnyObject {
    /// Whether bytes can be changed after they were appended; they cannot once they are sealed. An encoder never calls
    /// `overwrite` of a sink that is not patchable: its file then says that its length is open, which readers take for
    /// "to the end" and which `salvage` completes.
    var patchable: Bool { get }
    /// Adds bytes at the end: one whole page, frame or block of samples at a time.
    func append(_ bytes: UnsafeRawBufferPointer) throws
    /// Changes bytes that were appended before.
    func overwrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws
}

extension ByteSink {
    package var patchable: Bool { true }
}

/// A sink as a C library's callbacks see it: a position, and the first error, which no C frame can carry.
///
/// After an error, and after `close`, nothing is written any more.
final class EncoderOutput {
    private let sink: any ByteSink
    /// Bytes appended.
    private(set) var length = 0
    /// Where the next `write` goes; only a seek moves it away from the end.
    var position = 0
    private(set) var failure: (any Error)?
    /// Of sound, in what the sink took; counted where the codec tells them.
    private(set) var frames = 0
    private var skipped = 0
    private var closed = false

    init(_ sink: any ByteSink) { self.sink = sink }

    /// False when the sink throws, or has thrown before. `frames`: of sound in these bytes.
    func write(_ bytes: UnsafeRawBufferPointer, frames new: Int = 0) -> Bool {
        guard failure == nil, !closed else { return false }
        do {
            let inside = min(bytes.count, length - position)
            if inside > 0 {
                try sink.overwrite(UnsafeRawBufferPointer(rebasing: bytes[..<inside]), at: position)
            }
            if inside < bytes.count {
                try sink.append(UnsafeRawBufferPointer(rebasing: bytes[inside...]))
                length += bytes.count - inside
            }
            position += bytes.count
            frames += new
            return true
        } catch {
            failure = error
            return false
        }
    }

    /// A whole page of Ogg Opus: `frames` are at 48 kHz then.
    func writePage(_ page: UnsafeRawBufferPointer) -> Bool {
        guard write(page) else { return false }
        switch OggPage.extent(page) {
        case .skip(let samples): skipped = samples
        case .upTo(let samples): frames = max(0, samples - skipped)
        case nil: break
        }
        return true
    }

    /// Asked once, before the first byte.
    var patchable: Bool { sink.patchable }

    /// Overwrites, whether or not an append failed before.
    func patch(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
        try sink.overwrite(bytes, at: offset)
    }

    /// The sink is not called again: an encoder that is thrown away writes its rest nowhere.
    func close() { closed = true }

    /// What a C library keeps as its user data. The encoder holds this object longer than the library does.
    var userData: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func from(_ userData: UnsafeMutableRawPointer?) -> EncoderOutput {
        guard let userData else { preconditionFailure("the library gives back the user data it was given") }
        return Unmanaged<EncoderOutput>.fromOpaque(userData).takeUnretainedValue()
    }
}
