import AudioFiles
import Glibc
import Terminal

/// Takes an encoder's bytes into an open file or a pipe. The descriptor stays its opener's.
final class DescriptorSink: ByteSink {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    func append(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes
        while let base = rest.baseAddress, !rest.isEmpty {
            let count = Glibc.write(descriptor, base, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw CommandError.failed(
                    "The sound could not be written: \(String(cString: strerror(errno))).")
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// A pipe cannot go back: a WAV file's sizes then stay what they were, "all there is".
    func overwrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
        guard pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset)) != bytes.count,
            errno != ESPIPE
        else { return }
        throw CommandError.failed("The sound could not be written: \(String(cString: strerror(errno))).")
    }
}
