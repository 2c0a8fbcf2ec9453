import HTTPServer
import Inbox
import Wire

extension Answer {
    /// What the client is told; the sentences are the errors' own.
    init(refusing error: InboxError) {
        var headers: [(name: String, value: String)] = []
        let status: UInt32
        switch error {
        case .unknownUpload: status = 404
        case .conflicting, .unusable, .unsigned: status = 422
        case .badKey: status = 400
        case .wrongOffset(let stands, _), .unfinished(let stands, _):
            status = 409
            headers.append((TusHeader.uploadOffset, String(stands)))
        case .superseded: status = 409
        case .beingFinished:
            status = 423
            headers.append((TusHeader.retryAfter, "1"))
        case .manifestFirst:
            status = 423
            headers.append((TusHeader.retryAfter, "30"))
        case .tooMuch: status = 413
        // tus 1.0.0, checksum extension: the number has no name in HTTP.
        case .wrongHash: status = 460
        case .alreadyComplete: status = 403
        case .overQuota, .noRoom:
            status = 507
            headers.append((TusHeader.retryAfter, "300"))
        case .tooManyHalves:
            status = 429
            headers.append((TusHeader.retryAfter, "60"))
        case .file, .store:
            status = error.isFull ? 507 : 500
            headers.append((TusHeader.retryAfter, "30"))
        case .ownKeys, .salvage:
            status = 500
            headers.append((TusHeader.retryAfter, "30"))
        case .inUse: status = 500
        }
        self = .refusal(status, error.description, headers)
    }
}
