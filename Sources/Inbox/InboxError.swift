import Catalogue
import DurableFiles

/// Why the inbox did not do what was asked, as a sentence for whoever reads the log or the device's report.
package enum InboxError: Error, Equatable, Sendable, CustomStringConvertible {
    /// No upload has this id: it was never created, or it expired.
    case unknownUpload
    /// The utterance's part exists with another length or hash.
    case conflicting(utterance: String, kind: String)
    /// The upload stands at another offset.
    case wrongOffset(stands: Int, asked: Int)
    /// Bytes are missing.
    case unfinished(stands: Int, length: Int)
    /// The last step is being taken by another request.
    case beingFinished
    /// A newer writer took over.
    case superseded
    /// More bytes than the upload's length.
    case tooMuch(length: Int)
    /// What arrived is not what was announced; it was thrown away.
    case wrongHash(announced: String, found: String)
    /// Whole and unchanged, but not usable: a manifest that cannot be read.
    case unusable(reason: String)
    /// The device's signature of an upload is missing or wrong.
    case unsigned(reason: String)
    /// A sealed part of a recording cannot be judged before its manifest says that it is one.
    case manifestFirst(utterance: String, kind: String)
    /// A key offered at a pairing, or a file with keys, cannot be used. Never names the key.
    case badKey(reason: String)
    /// A key of the host itself is missing or damaged: nothing of the device's is wrong.
    case ownKeys(reason: String)
    /// Salvage could not do its work; the sound is not to blame.
    case salvage(reason: String)
    /// A complete upload is never deleted by a device.
    case alreadyComplete
    case overQuota(limit: Int)
    /// The device has begun so many uploads and ended none of them.
    case tooManyHalves(limit: Int)
    /// The disk cannot hold it and keep what the host itself needs.
    case noRoom(folder: String, length: Int)
    case file(DurableFileError)
    /// The catalogue or the shelf could not do its part.
    case store(StoreError)
    /// Another `lapel-host serve` works on the folder.
    case inUse(folder: String)

    package var description: String {
        switch self {
        case .unknownUpload: "There is no such upload; create it again."
        case .conflicting(let utterance, let kind):
            "The \(kind) of utterance \(utterance) is here already with another length or hash."
        case .wrongOffset(let stands, let asked): "The upload stands at \(stands), not at \(asked)."
        case .unfinished(let stands, let length): "The upload has \(stands) of \(length) bytes."
        case .beingFinished: "The upload is being finished; ask again in a moment."
        case .superseded: "A newer request took this upload over."
        case .tooMuch(let length): "More bytes came than the \(length) that were announced."
        case .wrongHash(let announced, let found):
            "The bytes have the SHA-256 \(found), not the announced \(announced); send them again from the start."
        case .unusable(let reason), .unsigned(let reason), .badKey(let reason), .ownKeys(let reason),
            .salvage(let reason):
            reason
        case .manifestFirst(let utterance, let kind):
            "The \(kind) of utterance \(utterance) is kept until its manifest is here; send that first."
        case .alreadyComplete: "A stored upload is not deleted by a device."
        case .overQuota(let limit): "The device has used its \(limit) bytes (`quota_per_device`)."
        case .tooManyHalves(let limit):
            "The device has \(limit) unfinished uploads here; finish or delete some of them."
        case .noRoom(let folder, let length):
            "The host's disk has no room for \(length) bytes: make room beside \(folder), or forget what is not needed."
        case .file(let error): error.description
        case .store(let error): error.description
        case .inUse(let folder):
            "Another lapel-host serves \(folder) already: stop it, or choose another folder with --dir."
        }
    }
}

extension InboxError {
    /// The disk has no room: the device waits and tries again.
    package var isFull: Bool {
        switch self {
        case .file(let error): error.isCardFull
        case .store(let error): error.isFull
        case .overQuota, .noRoom: true
        case .unknownUpload, .conflicting, .wrongOffset, .unfinished, .beingFinished, .superseded, .tooMuch,
            .wrongHash, .unusable, .unsigned, .manifestFirst, .badKey, .ownKeys, .salvage, .alreadyComplete,
            .tooManyHalves, .inUse:
            false
        }
    }
}

/// Runs work on files, and says its errors as the inbox's.
@discardableResult
func files<Result: ~Copyable>(
    _ body: () throws(DurableFileError) -> Result
) throws(InboxError) -> Result {
    do { return try body() } catch { throw .file(error) }
}

/// Runs work on the catalogue or the shelf, and says its errors as the inbox's.
@discardableResult
func store<Result>(_ body: () throws(StoreError) -> Result) throws(InboxError) -> Result {
    do { return try body() } catch { throw .store(error) }
}
