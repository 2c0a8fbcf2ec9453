import Glibc

// Invariants
//   1. The file holds the first bytes of the answer, `length` of them, and nothing else: whatever ends a transfer, the
//      next one goes on from there.
//   2. Only bytes that belong at its end are written: a part that begins elsewhere is refused, and an answer that
//      begins anew empties the file first.

/// A file that takes the body of an answer as it comes, and takes up the next answer where the last one broke off.
///
/// Used from one thread, for one request at a time. Nothing is synced, and the bytes' digest is the caller's business.
package final class AnswerFile {
    private let descriptor: Int32
    private let path: String
    /// Bytes that are there.
    package private(set) var length: Int

    /// What the file holds is taken for the beginning of the answer: a request asks for the rest alone (RFC 9110, 14.2).
    /// Where that is all of it, the host answers 416.
    ///
    /// - Parameters:
    ///   - descriptor: a regular file's, open for writing; borrowed for as long as this lives.
    ///   - path: names the file in an error.
    package init(descriptor: Int32, path: String) throws(HostLinkError) {
        let end = lseek(descriptor, 0, Int32(SEEK_END))
        guard end >= 0 else { throw .unwritable(path: path, reason: String(cString: strerror(errno))) }
        self.descriptor = descriptor
        self.path = path
        length = Int(end)
    }

    /// The header that asks for the rest; nil for a file that is empty.
    var range: (name: String, value: String)? { length > 0 ? ("Range", "bytes=\(length)-") : nil }

    /// A success begins. False, and the file stays as it is, for a part that was not asked for.
    func begins(status: Int, contentRange: String?) throws(HostLinkError) -> Bool {
        if status == 206 { return contentRange?.hasPrefix("bytes \(length)-") == true }
        // A host that knows no ranges sends all of it.
        guard length > 0 else { return true }
        guard ftruncate(descriptor, 0) == 0 else { throw unwritable }
        length = 0
        return true
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(HostLinkError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let n = pwrite(
                descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, off_t(length))
            if n < 0 && errno == EINTR { continue }
            guard n > 0 else { throw unwritable }
            length += n
            rest = rest.dropFirst(n)
        }
    }

    /// Of the call that failed last.
    private var unwritable: HostLinkError {
        .unwritable(path: path, reason: String(cString: strerror(errno)))
    }
}
