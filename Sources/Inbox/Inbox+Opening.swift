import Catalogue
import DurableFiles
import Sealing
import Wire

/// Why a sealed file did not open.
enum SealedFailure: Error {
    /// It is sealed to keys that this host does not hold: those, as its header tells.
    case otherKey(sealedTo: [String])
    /// It is damaged, cut off, or no age file.
    case broken(AgeError)
    /// The host could not do its part.
    case host(InboxError)
}

extension Inbox {
    /// Decoding wants a path: `body` gets that of the stored recording, or, when it is sealed, that of its plain bytes
    /// in a file without a name, which is gone afterwards. Throws `unusable`, `ownKeys`, `file`, and what `body` throws.
    package func withAudio<Result>(
        _ audio: StoredUtterance.Audio, _ body: (_ path: String) throws -> Result
    ) throws -> Result {
        if !audio.isSealed, shelf.isLocal { return try body(audio.path) }
        let plain = try files { () throws(DurableFileError) in
            try NamelessFile(expecting: audio.bytes, near: folder.incoming)
        }
        if audio.isSealed {
            do throws(SealedFailure) {
                try open(sealed: .shelf(audio.name)) { bytes throws(DurableFileError) in
                    try plain.append(bytes)
                }
            } catch {
                throw said(error, of: audio.path)
            }
        } else {
            try pieces(of: .shelf(audio.name)) { try plain.append($0) }
        }
        defer { withExtendedLifetime(plain) {} }
        return try body(plain.path)
    }

    /// Opens a sealed file to its last chunk; `sink` takes the plain bytes. Blocks for reading all of it.
    func open(
        sealed source: ByteSource, into sink: (UnsafeRawBufferPointer) throws(DurableFileError) -> Void
    ) throws(SealedFailure) {
        try opening(source) { identities in
            var opener = AgeOpener(identities: identities)
            try pieces(of: source) { try opener.open($0, into: sink) }
            try opener.finish(into: sink)
        }
    }

    /// Whether a key of this host fits a file that need not be whole; one whose header is torn may fit.
    func checkKey(ofPart source: ByteSource) throws(SealedFailure) {
        do throws(SealedFailure) {
            try opening(source) { identities in
                let begin = try beginning(of: source, most: Self.longestHeader)
                guard let header = try AgeHeader.parse(begin), begin.count >= header.payloadStart else {
                    return
                }
                var opener = AgeOpener(identities: identities)
                try begin[..<header.payloadStart].withUnsafeBytes { try opener.open($0) { _ in } }
            }
        } catch .broken {
            return
        }
    }

    /// A failure as the inbox's error; `what` begins its sentence.
    func said(_ failure: SealedFailure, of what: String) -> InboxError {
        switch failure {
        case .host(let error): error
        case .broken(let error): .unusable(reason: "\(what) cannot be opened. \(error)")
        case .otherKey(let recipients):
            .unusable(
                reason: "\(what) is sealed to a key that this host does not hold"
                    + (recipients.isEmpty ? "" : ": " + recipients.joined(separator: ", "))
                    + ". Import that key with `lapel-host key import`, or send it to the host that has it.")
        }
    }

    /// Runs `body` with all keys that can be read, and sorts its errors.
    func opening<Result>(
        _ source: ByteSource, _ body: ([AgeIdentity]) throws -> Result
    ) throws(SealedFailure) -> Result {
        do {
            let (held, problem) = try keys.read()
            do { return try body(held.map(\.identity)) } catch AgeError.noIdentityMatches {
                // A key that cannot be read may be the one that fits.
                if let problem { throw problem }
                let named = try recipients(of: source)
                let holds = held.contains { named.contains($0.identity.recipient.description) }
                throw holds ? SealedFailure.broken(.wrongHeaderTag) : .otherKey(sealedTo: named)
            }
        } catch let failure as SealedFailure {
            throw failure
        } catch let error as AgeError {
            throw .broken(error)
        } catch let error as InboxError {
            throw .host(error)
        } catch let error as DurableFileError {
            throw .host(.file(error))
        } catch let error as StoreError {
            throw .host(.store(error))
        } catch {
            throw .host(.salvage(reason: "\(error)"))
        }
    }

    /// The keys that a file says it is sealed to; none when its header does not tell.
    private func recipients(of source: ByteSource) throws -> [String] {
        let header = try? AgeHeader.parse(try beginning(of: source, most: Self.longestHeader))
        return (header?.note(AgeStanza.recipientNote) ?? []).compactMap { stanza in
            // What stands in a foreign file may be anything: only a key is repeated.
            stanza.arguments.first.flatMap { AgeRecipient($0)?.description }
        }
    }

    /// As much of a file as a header can take.
    private static var longestHeader: Int { AgeHeader.longest + 16 }
}
