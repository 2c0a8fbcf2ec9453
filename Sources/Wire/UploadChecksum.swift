/// The `Upload-Checksum` header of tus 1.0.0 (checksum extension): `<algorithm> <base64 of the digest>` of the bytes
/// of one request, whatever the whole upload's hash is.
package struct UploadChecksum: Equatable, Sendable {
    /// What the host can check; the names are the protocol's.
    package enum Algorithm: String, CaseIterable, Sendable {
        case sha1
        case sha256

        /// Of a digest.
        package var bytes: Int {
            switch self {
            case .sha1: 20
            case .sha256: 32
            }
        }
    }

    /// By which the bytes are hashed.
    package let algorithm: Algorithm
    /// As many bytes as the algorithm gives.
    package let digest: [UInt8]

    /// The value of `Tus-Checksum-Algorithm`.
    package static let offered = Algorithm.allCases.map(\.rawValue).joined(separator: ",")

    package init(parsing header: String) throws(WireError) {
        let words = header.split(separator: " ")
        guard words.count == 2, let algorithm = Algorithm(rawValue: String(words[0])) else {
            throw .header(
                name: TusHeader.uploadChecksum, reason: "it is not one of \(Self.offered) and a digest")
        }
        guard let digest = Base64.decode(words[1]), digest.count == algorithm.bytes else {
            throw .header(
                name: TusHeader.uploadChecksum,
                reason: "the digest is not \(algorithm.bytes) bytes in base64")
        }
        self.algorithm = algorithm
        self.digest = digest
    }
}
