import Glibc
import TestSupport

/// A folder of the machine for what only reads the machine's files. In memory.
final class Copies {
    private let folder = TemporaryFolder(inMemory: true)

    private var names: [String] = []

    var path: String { folder.path }

    func empty() {
        for name in names { unlink(folder.file(name)) }
        names = []
    }

    func put(_ name: String, _ bytes: [UInt8]) {
        let descriptor = open(folder.file(name), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { preconditionFailure("a test cannot write to its own folder") }
        defer { close(descriptor) }
        names.append(name)
        let written = write(descriptor, bytes, bytes.count)
        precondition(written == bytes.count, "a test cannot write to its own folder")
    }
}
