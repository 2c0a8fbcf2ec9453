import DurableFiles
import Wire

/// One recording in an outbox's folders, finished or not.
package struct OutboxListing: Equatable, Sendable {
    package let name: ItemName
    /// `rec`, `out`, `parked` or `sent`.
    package let place: String
    /// The audio's extension, without the `.age` of a sealed file.
    package let format: String
    package let sealed: Bool
    /// Of the audio file.
    package let bytes: Int
}

extension Outbox {
    /// The recordings in the outbox at `directory`, by sequence number; read from the folders, so that it works with
    /// and without a running device. What a running device lets go meanwhile may be missing.
    package static func listing(
        directory: String, calls: FileCalls = .system
    ) throws(OutboxError) -> [OutboxListing] {
        let layout = Layout(directory: directory)
        var listed: [OutboxListing] = []
        do {
            for place in Layout.Place.allCases {
                for file in try calls.list(layout.folder(place)) {
                    guard case .audio(let name, let form) = FileKind(file),
                        let bytes = try? calls.size(layout.file(place, file))
                    else { continue }
                    listed.append(
                        OutboxListing(
                            name: name, place: place.rawValue, format: form.format, sealed: form.sealed,
                            bytes: bytes))
                }
            }
        } catch {
            throw OutboxError(error)
        }
        return listed.sorted { $0.name < $1.name }
    }
}
