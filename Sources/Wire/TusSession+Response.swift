extension TusSession {
    /// What an answer says, as far as a session listens.
    package struct Response: Hashable, Sendable {
        package var status: Int
        /// `Upload-Offset`.
        package var offset: Int?
        /// `Upload-Length`.
        package var length: Int?
        package var location: String?
        package var digest: ReprDigest?
        package var retryAfter: Duration?

        package init(
            status: Int, offset: Int? = nil, length: Int? = nil, location: String? = nil,
            digest: ReprDigest? = nil, retryAfter: Duration? = nil
        ) {
            self.status = status
            self.offset = offset
            self.length = length
            self.location = location
            self.digest = digest
            self.retryAfter = retryAfter
        }
    }
}

extension TusSession.Response {
    enum Meaning: Hashable, Sendable {
        case done, missing, wrongOffset, locked, refusedChecksum, unprocessable, tooLarge, unknownDevice
        case noRoom, notNow, notTus, malformed, permanent
    }

    var meaning: Meaning {
        switch status {
        case 200...299: .done
        case 400: .malformed
        case 401, 403: .unknownDevice
        case 404, 410: .missing
        case 405, 412: .notTus
        case 408, 425, 429: .notNow
        case 409: .wrongOffset
        case 413: .tooLarge
        case 422: .unprocessable
        case 423: .locked
        case 460: .refusedChecksum
        case 507: .noRoom
        case 402...499: .permanent
        // A host that redirects, or fails, or says what no HTTP says, may be well again later.
        default: .notNow
        }
    }
}
