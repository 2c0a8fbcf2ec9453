import Identity
import Wire

/// Compares a request's body with its `Upload-Checksum`. Lives on its connection's thread.
final class BodyCheck {
    private var hash: RunningHash
    private let expected: [UInt8]

    /// Throws where the machine's GnuTLS refuses the algorithm.
    init(_ checksum: UploadChecksum) throws(IdentityError) {
        hash = try RunningHash(checksum.algorithm == .sha1 ? .sha1 : .sha256)
        expected = checksum.digest
    }

    func update(_ piece: UnsafeRawBufferPointer) { hash.update(piece) }

    /// Asked once, after the last piece.
    func fits() -> Bool { hash.finish() == expected }
}
