import Inbox
import Wire

/// What becomes of a request once its headers are known.
enum Opening {
    /// Decided; a body would change nothing.
    case settled(Answer)
    /// The body is bytes of an upload, written as they come.
    case upload(UploadWriter, creation: Bool)
    /// The same with a checksum: nothing is kept before the bytes fit.
    case checked(CheckedWriter, UploadChecksum, creation: Bool)
    /// The body is a small document of at most `Routes.largestDocument` bytes, read whole.
    case document
}

// Invariants
//  1. Whoever asks is known before a byte of the body is looked at: no certificate, 401; a key that is not
//     paired, 403. The one thing a stranger may do is to offer a pairing token.
//  2. `Repr-Digest` stands on answers about complete uploads only: it is the receipt.
//  3. Nothing of an answer could open a microphone: no such message exists.

/// The host's routes. Everything here blocks its own connection's thread and no other.
struct Routes: Sendable {
    let inbox: Inbox
    let hostName: String
    let report: @Sendable (HostEvent) -> Void
    var strangers = Strangers()

    /// A pairing request is under 1 kB.
    static let largestDocument = 16 << 10
    static let uploadMethods = "HEAD, PATCH, DELETE"

    /// Decides by the headers alone.
    func open(_ request: Request) -> Opening {
        do throws(InboxError) {
            let opening = try route(request)
            if case .settled(let answer) = opening { noteRefusal(request, answer) }
            return opening
        } catch {
            return .settled(refuse(request, error))
        }
    }

    private func route(_ request: Request) throws(InboxError) -> Opening {
        guard let pin = request.pin else {
            return .settled(
                strangers.refuse(
                    request, .refusal(401, "A client certificate is needed: pair the device first.")))
        }
        if request.path == HostPath.pair {
            guard request.method == "POST" else { return .settled(notAllowed("POST")) }
            if let wait = strangers.pairingMustWait(request) { return .settled(wait) }
            guard (request.count("Content-Length") ?? 0) <= Self.largestDocument else {
                return .settled(.refusal(413, "A pairing request has at most \(Self.largestDocument) bytes."))
            }
            return .document
        }
        guard try inbox.isPaired(pin) else {
            return .settled(
                strangers.refuse(
                    request, .refusal(403, "This device is not paired with this host: run `lapel-host pair`.")
                ))
        }
        inbox.noteContact(
            device: pin, clock: request.header(TusHeader.lapelClock).flatMap { try? LapelClock(parsing: $0) })
        if request.path == HostPath.uploads, request.method == "OPTIONS" { return .settled(options()) }
        guard request.header(TusHeader.resumable) == TusHeader.protocolVersion else {
            return .settled(
                .refusal(
                    412, "This host speaks tus \(TusHeader.protocolVersion).",
                    [(TusHeader.version, TusHeader.protocolVersion)]))
        }
        if request.path == HostPath.uploads {
            return request.method == "POST" ? try create(request, pin) : .settled(notAllowed("POST, OPTIONS"))
        }
        guard let id = request.upload(under: HostPath.uploads), Hex.isLowercase(id, digits: 64) else {
            return .settled(.refusal(404, "There is nothing at \(request.path)."))
        }
        guard let upload = try inbox.find(id) else { throw .unknownUpload }
        guard try inbox.isHeld(upload, by: pin) else { return .settled(notHeld(request, pin)) }
        switch request.method {
        case "HEAD": return .settled(try head(id))
        case "PATCH": return try patch(request, upload)
        case "DELETE":
            try inbox.remove(id)
            return .settled(Answer(204))
        default: return .settled(notAllowed(Self.uploadMethods))
        }
    }

    /// The body's end, or the end of a request without one.
    func answer(_ request: Request, to writer: UploadWriter, creation: Bool) -> Answer {
        do throws(InboxError) {
            return try stand(writer.upload, offset: writer.offset, creation: creation)
        } catch {
            return refuse(request, error)
        }
    }

    /// The same when the bytes were held back; those that do not fit are dropped, and the offset stays.
    func answer(
        _ request: Request, to checked: CheckedWriter, fits: Bool, creation: Bool
    ) -> Answer {
        guard fits else {
            let answer = Answer.refusal(
                460, "The bytes do not fit their \(TusHeader.uploadChecksum): send them again.")
            noteRefusal(request, answer)
            return answer
        }
        do throws(InboxError) { try checked.keep() } catch { return refuse(request, error) }
        return answer(request, to: checked.writer, creation: creation)
    }

    /// Somebody else's upload is answered as one that never was; the owner's log hears of it.
    private func notHeld(_ request: Request, _ pin: String) -> Answer {
        report(
            .refused(
                method: request.method, path: request.path, status: 404,
                reason: "the upload is another device's", pin: pin))
        return Answer(refusing: .unknownUpload)
    }

    func refuse(_ request: Request, _ error: InboxError) -> Answer {
        let answer = Answer(refusing: error)
        noteRefusal(request, answer)
        return answer
    }

    /// What is part of every day (ask where it stands, wait, go on elsewhere) is not worth a line.
    func noteRefusal(_ request: Request, _ answer: Answer) {
        guard answer.status >= 400, ![404, 409, 423].contains(answer.status) else { return }
        report(
            .refused(
                method: request.method, path: request.path, status: Int(answer.status),
                reason: String(answer.body.prefix { $0 != "\n" }), pin: request.pin))
    }

    private func notAllowed(_ methods: String) -> Answer {
        .refusal(405, "Only \(methods) are understood here.", [("Allow", methods)])
    }

    private func options() -> Answer {
        Answer(
            204,
            [
                (TusHeader.version, TusHeader.protocolVersion),
                (TusHeader.extensions, TusHeader.offeredExtensions),
                (TusHeader.checksumAlgorithms, UploadChecksum.offered),
                (TusHeader.maximumSize, String(inbox.settings.largestUpload)),
            ])
    }
}
