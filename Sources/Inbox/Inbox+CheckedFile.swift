import Catalogue
import Sealing
import Wire

/// An object that must be on the shelf, and what it must be.
struct CheckedFile {
    let name: ShelfName
    let bytes: Int
    /// It must open to its last chunk with a key of this host.
    let isOpened: Bool
    /// For a sentence: "the audio of utterance …".
    let what: String
}

extension Inbox {
    func checkFile(_ file: CheckedFile, _ check: inout InboxCheck) throws(InboxError) {
        let place = shelf.place(of: file.name)
        func found(_ kind: InboxCheck.Problem.Kind, _ explanation: String) {
            check.problems.append(.init(kind: kind, subject: place, explanation: explanation))
        }
        guard try isShelved(file.name) else {
            found(.missing, "\(place), \(file.what), is gone.")
            return
        }
        check.checked += 1
        check.bytes += file.bytes
        guard try hash(of: .shelf(file.name)) == file.name.sha256 else {
            found(
                .damaged, "\(place), \(file.what), is not what was received: restore it from a back-up.")
            return
        }
        guard file.isOpened else { return }
        do throws(SealedFailure) { try open(sealed: .shelf(file.name)) { _ in } } catch {
            // A shelf that cannot be read says nothing of what was sealed.
            if case .host(.store(let error)) = error { throw .store(error) }
            found(.sealed, said(error, of: "\(place), \(file.what),").description)
        }
    }
}
