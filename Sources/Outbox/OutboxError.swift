import DurableFiles

/// Why the outbox could not do what was asked, as a sentence for whoever holds the device.
package enum OutboxError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Another process has this outbox.
    case inUse(directory: String)
    /// There is no room for a new recording, or for more of this one.
    case refused(Refusal)
    /// The card filled up in the middle; what was written before is kept.
    case cardFull(DurableFileError)
    /// The card did not take what was written. What is readable is kept.
    case cardFailing(DurableFileError)
    /// Any other failure of the file system.
    case file(DurableFileError)
    /// The ten digits of the sequence number are used up.
    case namesExhausted
    /// These files could not be copied out; all others were.
    case exportIncomplete(failed: [String])

    init(_ error: DurableFileError) {
        switch error.operation {
        case _ where error.isCardFull: self = .cardFull(error)
        case .sync, .syncData, .syncFolder: self = .cardFailing(error)
        case .open, .create, .write, .read, .truncate, .reserve, .rename, .unlink, .makeFolder, .list, .size,
            .space, .lock:
            self = .file(error)
        }
    }

    package var description: String {
        switch self {
        case .inUse(let directory):
            "The outbox \(directory) is in use by another lapel: stop that one, or give this one its own `outbox_dir`."
        case .refused(let refusal): refusal.description
        case .cardFull(let error): error.description
        case .cardFailing(let error):
            "The card is failing; copy what is on it with `lapel outbox export` and replace it. \(error)"
        case .file(let error): error.description
        case .namesExhausted:
            "The outbox has used all its sequence numbers: export it and start with an empty `outbox_dir`."
        case .exportIncomplete(let failed):
            "These files could not be copied: \(failed.joined(separator: ", ")). All others were."
        }
    }
}
