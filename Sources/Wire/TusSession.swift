// Invariants
//   1. An upload counts as received only when the paired host says so with the digest of exactly our bytes.
//   2. After 409, 423 or a cut the host is asked (HEAD) where it stands; a new upload is created only when a HEAD
//      says that there is none. A foreign host that never told a location cannot be asked: there a lost creation
//      is repeated, because nothing else can be done.
//   3. Between two waits the number of requests is bounded: at most two creations, and for each of them only
//      answers that raise the offset are free; the sixth other in a row leads to a wait.
//   4. An offset is never remembered longer than the session: the host knows, the device asks.

/// Delivers ONE upload, a manifest or an audio file, to a tus 1.0.0 host: the client rules as a machine. It decides
/// which request comes next; a driver sends it, waits, and looks at the file.
package struct TusSession: Hashable, Sendable {
    /// What is delivered.
    package struct Upload: Hashable, Sendable {
        /// Bytes.
        package let length: Int
        package let digest: ReprDigest
        /// True for the paired host, whose digest is a receipt; a foreign one can only be weakly trusted.
        package let paired: Bool
        /// Where the upload will be, when the id is computed by both sides; nil with foreign hosts.
        package let location: String?
        /// The path that creates uploads.
        package let creationPath: String

        package init(
            length: Int, digest: ReprDigest, paired: Bool = true, location: String?,
            creationPath: String = HostPath.uploads
        ) {
            self.length = length
            self.digest = digest
            self.paired = paired
            self.location = location
            self.creationPath = creationPath
        }
    }

    package enum Request: Hashable, Sendable {
        /// POST with `Upload-Length` and `Upload-Metadata`, and all bytes when `bytesInline`.
        case create(bytesInline: Bool)
        /// HEAD: how far is it?
        case head(location: String)
        /// PATCH with all bytes from `offset` on.
        case patch(location: String, offset: Int)
    }

    /// The end of a session.
    package enum Ending: Hashable, Sendable {
        case received
        /// A foreign host has all bytes and cannot prove it.
        case weaklyReceived
        case parked(ParkReason)
        /// Nothing more may be sent until the pairing changes.
        case mistrusted(MistrustReason)
    }

    package enum Action: Hashable, Sendable {
        case send(Request)
        /// Wait by back-off, or as long as the host says, then call `resume`.
        case wait(WaitReason, retryAfter: Duration?)
        /// Hash the file again and call `fileCompared`.
        case compareFile
        case end(Ending)
    }

    enum Doubt: Hashable, Sendable {
        /// The host refused the checksum three times.
        case refusedThrice
        /// The host says it has all bytes, and its digest is not ours.
        case otherDigest
    }

    enum State: Hashable, Sendable {
        case new
        case asked(Request)
        case waiting(then: Request)
        case comparing(Doubt, then: Request)
        case ended(Ending)
    }

    package let upload: Upload
    var state = State.new
    /// The location that the host gave; before that, the computed one.
    var location: String?
    /// The furthest offset in this creation, since the last wait.
    var reached = 0
    /// Answers in a row that did not raise `reached`.
    var fruitless = 0
    /// Creations since the last wait.
    var creations = 0
    /// Refused checksums (460) since the file was last compared.
    var refusals = 0

    static let fruitlessLimit = 6
    static let refusalLimit = 3

    package init(_ upload: Upload) {
        self.upload = upload
        location = upload.location
    }

    package var isWaiting: Bool { if case .waiting = state { true } else { false } }

    /// The first request. Called once.
    package mutating func begin() -> Action {
        guard case .new = state else { preconditionFailure("a session begins once") }
        return create()
    }

    /// The wait is over.
    package mutating func resume() -> Action {
        guard case .waiting(let request) = state else {
            preconditionFailure("only a waiting session resumes")
        }
        reached = 0
        fruitless = 0
        creations = 0
        if case .create = request { return create() }
        return send(request)
    }

    /// The file's hash was computed again; `intact` when it is the upload's digest.
    package mutating func fileCompared(intact: Bool) -> Action {
        guard case .comparing(let doubt, let request) = state else {
            preconditionFailure("nobody asked for the file's hash")
        }
        guard intact else { return end(.parked(.rotten)) }
        switch doubt {
        case .otherDigest: return end(.parked(.otherBytesAtHost))
        case .refusedThrice:
            refusals = 0
            return wait(.corruptedOnTheWay, then: request)
        }
    }

    // Small steps that the answers are made of.

    mutating func send(_ request: Request) -> Action {
        state = .asked(request)
        return .send(request)
    }

    /// A foreign host is not asked whether it takes bytes in a creation: it gets none.
    var sendsInline: Bool { upload.paired && upload.length <= TransferLimit.inlineBytes }

    mutating func create() -> Action {
        let request = Request.create(bytesInline: sendsInline)
        guard creations < 2 else { return wait(.nonsense, then: request) }
        creations += 1
        reached = 0
        return send(request)
    }

    mutating func wait(_ reason: WaitReason, retryAfter: Duration? = nil, then request: Request) -> Action {
        state = .waiting(then: request)
        return .wait(reason, retryAfter: retryAfter)
    }

    mutating func compare(_ doubt: Doubt, then request: Request) -> Action {
        state = .comparing(doubt, then: request)
        return .compareFile
    }

    mutating func end(_ ending: Ending) -> Action {
        state = .ended(ending)
        return .end(ending)
    }
}
