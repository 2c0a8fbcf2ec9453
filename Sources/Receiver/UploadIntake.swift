import HTTPServer
import Identity
import Inbox
import Wire

/// The bytes of an upload, written as they come. Lives on its connection's thread.
final class UploadIntake: Intake {
    private enum Writing {
        case plain(UploadWriter)
        /// Held back until the bytes fit their `Upload-Checksum`.
        case checked(CheckedWriter, BodyCheck)
    }

    private let request: Request
    private let routes: Routes
    private let writing: Writing
    private let creation: Bool

    let mayBeSlow = true

    init(_ writer: UploadWriter, _ request: Request, _ routes: Routes, creation: Bool) {
        writing = .plain(writer)
        (self.request, self.routes, self.creation) = (request, routes, creation)
    }

    /// Throws where the machine's GnuTLS refuses the checksum's algorithm.
    init(
        _ writer: CheckedWriter, _ checksum: UploadChecksum, _ request: Request, _ routes: Routes,
        creation: Bool
    ) throws(IdentityError) {
        writing = .checked(writer, try BodyCheck(checksum))
        (self.request, self.routes, self.creation) = (request, routes, creation)
    }

    func take(_ piece: UnsafeRawBufferPointer) -> Taken {
        do throws(InboxError) {
            switch writing {
            case .plain(let writer): try writer.write(piece)
            case .checked(let writer, let check):
                try writer.write(piece)
                check.update(piece)
            }
            return .more
        } catch {
            // Nobody reads the answer to a writer that was put out.
            return error == .superseded ? .abandoned : .settled(routes.refuse(request, error))
        }
    }

    /// Bytes that do not fit their checksum are dropped, and the offset stays.
    func end() -> Answer {
        do throws(InboxError) {
            switch writing {
            case .plain(let writer): return try stand(writer)
            case .checked(let checked, let check):
                guard check.fits() else {
                    let answer = Answer.refusal(
                        460, "The bytes do not fit their \(TusHeader.uploadChecksum): send them again.")
                    routes.noteRefusal(request, answer)
                    return answer
                }
                try checked.keep()
                return try stand(checked.writer)
            }
        } catch {
            return routes.refuse(request, error)
        }
    }

    private func stand(_ writer: UploadWriter) throws(InboxError) -> Answer {
        try routes.stand(writer.upload, offset: writer.offset, creation: creation)
    }
}

/// Compares a request's body with its `Upload-Checksum`.
private final class BodyCheck {
    private var hash: RunningHash
    private let expected: [UInt8]

    init(_ checksum: UploadChecksum) throws(IdentityError) {
        hash = try RunningHash(checksum.algorithm == .sha1 ? .sha1 : .sha256)
        expected = checksum.digest
    }

    func update(_ piece: UnsafeRawBufferPointer) { hash.update(piece) }

    /// Asked once, after the last piece.
    func fits() -> Bool { hash.finish() == expected }
}
