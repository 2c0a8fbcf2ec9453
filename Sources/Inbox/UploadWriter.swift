import Catalogue
import DurableFiles

/// Writes the bytes of one request behind what an upload already holds.
///
/// A half-open connection of a device that has long come back must not write on: each writer has a generation,
/// and the newest one alone may write. Its descriptor is its own, so that putting it out closes nothing that
/// another one uses.
package final class UploadWriter: Sendable {
    /// Whose bytes it writes.
    package let upload: Upload
    private let live: LiveUpload
    private let generation: Int
    private let file: OpenFile

    init(upload: Upload, live: LiveUpload, generation: Int, file: consuming OpenFile) {
        self.upload = upload
        self.live = live
        self.generation = generation
        self.file = file
    }

    /// Appends; blocks for one write. Throws `superseded`, `tooMuch` or `file`; what was written before stays.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(InboxError) {
        try live.state.withLock { state throws(InboxError) in
            guard state.generation == generation, state.phase == .open else { throw .superseded }
            guard bytes.count <= upload.length - state.size else { throw .tooMuch(length: upload.length) }
            try files { () throws(DurableFileError) in try file.write(bytes, at: state.size) }
            state.size += bytes.count
        }
    }

    /// Bytes that the upload holds now.
    package var offset: Int { live.state.withLock { $0.size } }
}
