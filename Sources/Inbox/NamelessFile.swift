import DurableFiles
import Glibc
import Sealing

/// Plain bytes of a sealed recording for as long as somebody works with them: a file without a name, which is gone
/// with its descriptor, whatever happens to the program. In memory when it is small, else beside the uploads.
struct NamelessFile: ~Copyable, Sendable {
    /// Up to this many bytes stay in memory: 90 minutes of Opus at 24 kb/s, 8 minutes of WAV at 16 kHz.
    static let mostInMemory = 16 << 20

    private let descriptor: Int32

    /// `size` is how many bytes are expected.
    init(
        expecting size: Int, near folder: String, mostInMemory: Int = NamelessFile.mostInMemory
    ) throws(DurableFileError) {
        if size <= mostInMemory {
            // shm_overview(7): a file in memory; without /dev/shm there is the folder.
            let name = "/lapel-" + randomID()
            let made = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
            if made >= 0 {
                shm_unlink(name)
                descriptor = made
                return
            }
        }
        // A crash between making and unlinking leaves an empty file, which the next start clears.
        var name = Array((folder + "/XXXXXX").utf8CString)
        descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw DurableFileError(.create, folder, errno) }
        Glibc.unlink(name)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(descriptor) }

    /// Opens this file for whoever asks by path, while this value lives.
    var path: String { "/proc/self/fd/\(descriptor)" }

    /// Bytes in it.
    func size() throws(DurableFileError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw DurableFileError(.size, path, errno) }
        return Int(status.st_size)
    }

    /// Appends. Whole, or throws.
    func append(_ bytes: UnsafeRawBufferPointer) throws(DurableFileError) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if count > 0 {
                done += count
            } else if errno != EINTR {
                throw DurableFileError(.write, path, errno)
            }
        }
    }

    /// The number of bytes read, 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(DurableFileError) -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            if errno != EINTR { throw DurableFileError(.read, path, errno) }
        }
    }
}
