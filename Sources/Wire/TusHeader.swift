/// Names and constants of tus 1.0.0 and of what Lapel adds to it.
package enum TusHeader {
    package static let resumable = "Tus-Resumable"
    package static let version = "Tus-Version"
    package static let extensions = "Tus-Extension"
    package static let checksumAlgorithms = "Tus-Checksum-Algorithm"
    package static let maximumSize = "Tus-Max-Size"
    package static let uploadLength = "Upload-Length"
    package static let uploadOffset = "Upload-Offset"
    package static let uploadMetadata = "Upload-Metadata"
    package static let uploadChecksum = "Upload-Checksum"
    package static let uploadExpires = "Upload-Expires"
    package static let location = "Location"
    package static let retryAfter = "Retry-After"
    package static let date = "Date"
    package static let contentType = "Content-Type"
    /// RFC 9530: on the answer to the last byte it is the host's receipt.
    package static let reprDigest = "Repr-Digest"
    /// On every request of a device: see `LapelClock`.
    package static let lapelClock = "Lapel-Clock"

    /// The protocol's only version.
    package static let protocolVersion = "1.0.0"
    /// `Content-Type` of a body that carries bytes of an upload.
    package static let bytesType = "application/offset+octet-stream"
    /// What the host offers.
    package static let offeredExtensions =
        "creation,creation-with-upload,checksum,expiration,termination"
}

/// Paths of the host's interface to devices.
package enum HostPath {
    package static let uploads = "/v1/up"
    package static let pair = "/v1/pair"

    /// Where the upload with this id is.
    package static func upload(_ id: String) -> String { uploads + "/" + id }
}

/// Figures both sides of the transfer share.
package enum TransferLimit {
    /// An upload this small travels inside its creation request (SPECIFICATION.md, "The ring and the transfer": 256 kB).
    package static let inlineBytes = 256_000
    /// A transfer that moves no byte for so long is given up, unless its request bears more.
    package static let stall: Duration = .seconds(20)
    /// The host's port unless said otherwise.
    package static let defaultPort: UInt16 = 8443
}
