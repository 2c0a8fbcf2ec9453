import Catalogue
import HTTPServer
import Inbox
import Wire

// Invariants
//  1. Whoever asks is known before a byte of the body is looked at: no certificate, 401; a key that is not
//     paired, 403. The one thing a stranger may do is to offer a pairing token.
//  2. `Repr-Digest` stands on answers about complete uploads only: it is the receipt.
//  3. Nothing of an answer could open a microphone: no such message exists.

/// The host's side of the ring as a site: tus 1.0.0 for devices whose keys are paired, and pairing. It hashes and syncs
/// on its connections' threads, so each connection needs one of its own.
package struct Routes: Site {
    let inbox: Inbox
    let hostName: String
    let report: @Sendable (HostEvent) -> Void
    private let strangers = Strangers()
    /// Apart, so that somebody who knocks elsewhere from the same address keeps no device from being paired.
    let pairings = Strangers()

    package let standingHeaders = [(name: TusHeader.resumable, value: TusHeader.protocolVersion)]

    /// `hostName` is what a device that pairs calls the host; `report` is called on the connections' threads.
    package init(inbox: Inbox, hostName: String, report: @escaping @Sendable (HostEvent) -> Void) {
        self.inbox = inbox
        self.hostName = hostName
        self.report = report
    }

    /// A pairing request is under 1 kB.
    private static let largestDocument = 16 << 10
    private static let uploadMethods = "HEAD, PATCH, DELETE"

    /// Decides by the headers alone.
    package func open(_ request: Request) -> Opening {
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
            if let wait = pairings.mustWait(request) { return .settled(wait) }
            let tooLong = Answer.refusal(413, "A pairing request has at most \(Self.largestDocument) bytes.")
            guard (request.count("Content-Length") ?? 0) <= Self.largestDocument else {
                return .settled(tooLong)
            }
            return .taking(
                Document(atMost: Self.largestDocument, tooLong: tooLong) { pair(request, pin, $0) })
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
        guard let id = upload(request.path), Hex.isLowercase(id, digits: 64) else {
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
                reason: String(answer.text.prefix { $0 != "\n" }), pin: request.pin))
    }

    /// The upload's id in `/v1/up/<id>`.
    private func upload(_ path: String) -> String? {
        let root = HostPath.uploads + "/"
        return path.hasPrefix(root) ? String(path.dropFirst(root.count)) : nil
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
