import Identity
import Inbox
import Wire

/// One request on its way, from its headers to its answer. Lives on its connection's thread.
final class Exchange {
    private enum Stage {
        case upload(UploadWriter, creation: Bool)
        /// Its bytes are held back until they fit their checksum.
        case checked(CheckedWriter, BodyCheck, creation: Bool)
        case document([UInt8])
        /// Decided; the rest of the body is read and dropped.
        case settled(Answer)
    }

    private let request: Request
    private let routes: Routes
    private var stage: Stage

    /// A refused body of at most this many bytes is read to its end: closing a connection with unread bytes in it
    /// resets it, and the reset may overtake the answer that the device should read.
    private static let worthReading = 1 << 20

    init(_ request: Request, _ routes: Routes) {
        self.request = request
        self.routes = routes
        switch routes.open(request) {
        case .settled(let answer): stage = .settled(answer)
        case .upload(let writer, let creation): stage = .upload(writer, creation: creation)
        case .checked(let writer, let checksum, let creation):
            do throws(IdentityError) {
                stage = .checked(writer, try BodyCheck(checksum), creation: creation)
            } catch {
                stage = .settled(.refusal(500, error.description))
            }
        case .document: stage = .document([])
        }
    }

    /// The answer to give before the body: when the client waits to be told to send it, or it is a long one.
    var early: Answer? {
        guard case .settled(let answer) = stage, request.hasBody else { return nil }
        let waits = request.header("Expect") != nil
        return waits || (request.count("Content-Length") ?? .max) > Self.worthReading ? answer : nil
    }

    /// Bytes of a known device are being taken: the connection may stay as long as they come.
    var takesAnUpload: Bool {
        switch stage {
        case .upload, .checked: true
        case .document, .settled: false
        }
    }

    /// A piece of the body; false when the connection is to be closed.
    func take(_ piece: UnsafeRawBufferPointer) -> Bool {
        switch stage {
        case .settled: return true
        case .document(var bytes):
            // Dropped before it grows, so that no second copy is made.
            stage = .settled(Answer(500))
            guard bytes.count + piece.count <= Routes.largestDocument else {
                stage = .settled(
                    .refusal(413, "A pairing request has at most \(Routes.largestDocument) bytes."))
                return true
            }
            bytes += piece
            stage = .document(bytes)
            return true
        case .upload(let writer, _):
            return taking { () throws(InboxError) in try writer.write(piece) }
        case .checked(let writer, let check, _):
            return taking { () throws(InboxError) in
                try writer.write(piece)
                check.update(piece)
            }
        }
    }

    private func taking(_ write: () throws(InboxError) -> Void) -> Bool {
        do throws(InboxError) {
            try write()
            return true
        } catch {
            // Nobody reads the answer to a writer that was put out.
            if error == .superseded { return false }
            stage = .settled(routes.refuse(request, error))
            return (request.count("Content-Length") ?? .max) <= Self.worthReading
        }
    }

    /// After the last piece.
    func answer() -> Answer {
        switch stage {
        case .settled(let answer): answer
        case .document(let bytes): routes.pair(request, bytes)
        case .upload(let writer, let creation): routes.answer(request, to: writer, creation: creation)
        case .checked(let writer, let check, let creation):
            routes.answer(request, to: writer, fits: check.fits(), creation: creation)
        }
    }
}
