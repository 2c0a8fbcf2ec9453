import DurableFiles
import Sealing
import Wire

/// A file that must be in audio/, and what it must be.
struct CheckedFile {
    let path: String
    /// 64 hexadecimal digits.
    let sha256: String
    let bytes: Int
    /// It must open to its last chunk with a key of this host.
    let isOpened: Bool
    /// For a sentence: "the audio of utterance …".
    let what: String
}

extension Inbox {
    func checkFile(_ file: CheckedFile, _ check: inout InboxCheck) throws(InboxError) {
        func found(_ kind: InboxCheck.Problem.Kind, _ explanation: String) {
            check.problems.append(.init(kind: kind, subject: file.path, explanation: explanation))
        }
        guard try exists(file.path) else {
            found(.missing, "\(file.path), \(file.what), is gone.")
            return
        }
        check.checked += 1
        check.bytes += file.bytes
        guard try hash(of: file.path) == file.sha256 else {
            found(
                .damaged, "\(file.path), \(file.what), is not what was received: restore it from a back-up.")
            return
        }
        guard file.isOpened else { return }
        do throws(SealedFailure) { try open(sealed: file.path) { _ in } } catch {
            if case .host(.file(let error)) = error { throw .file(error) }
            found(.sealed, said(error, of: "\(file.path), \(file.what),").description)
        }
    }

    /// What stands in audio/.
    func storedFiles() throws(InboxError) -> [String] {
        try files { () throws(DurableFileError) in
            var paths: [String] = []
            for shelf in try calls.list(folder.audio) {
                for name in try calls.list(folder.audio + "/" + shelf) {
                    paths.append(folder.audio + "/" + shelf + "/" + name)
                }
            }
            return paths
        }
    }
}
