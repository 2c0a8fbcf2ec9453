import CMicrohttpd
import Threads

/// A body that is read while it is sent. Lives with the response that it belongs to, on the connection's thread.
final class BodySource {
    enum Kind {
        case file(ServedFile, from: Int)
        case stream((Waker, UnsafeMutableRawBufferPointer) -> Answer.Pulled)
    }

    private let kind: Kind
    private let waker: Waker
    private let serving: Serving
    private let connection: OpaquePointer

    init(_ kind: Kind, _ waker: Waker, _ serving: Serving, _ connection: OpaquePointer) {
        self.kind = kind
        self.waker = waker
        self.serving = serving
        self.connection = connection
    }

    /// `size` in bytes; `UInt64.max` for a body that ends when it ends. Nil without memory.
    func response(size: UInt64) -> OpaquePointer? {
        // libmicrohttpd gives a body of known size a buffer of its own; chunks are made in the connection's memory.
        let block = size == .max ? 1024 : 32 << 10
        let owned = Unmanaged.passRetained(self)
        let response = MHD_create_response_from_callback(size, block, readBody, owned.toOpaque(), forgetBody)
        if response == nil { owned.release() }
        return response
    }

    /// The next bytes, from `position` of the body; 0 when the connection was suspended.
    fileprivate func read(_ position: UInt64, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        // Whoever does not take a piece in time is cut off; the time begins with each piece.
        serving.watch.idle(connection)
        switch kind {
        case .file(let file, let start):
            let count = file.read(buffer, at: start + Int(position))
            // A file that has become shorter cannot be served to the end that was promised.
            return count > 0 ? count : lapel_mhd_end_with_error()
        case .stream(let pull):
            while true {
                waker.clear()
                switch pull(waker, buffer) {
                case .bytes(let count):
                    precondition(count > 0 && count <= buffer.count, "what has nothing waits or ends")
                    return count
                case .end: return lapel_mhd_end_of_stream()
                case .failed: return lapel_mhd_end_with_error()
                case .waits(let until):
                    switch serving.rest(waker, on: connection, until: until) {
                    case .suspended: return 0
                    case .disturbed: continue
                    case .refused: return lapel_mhd_end_with_error()
                    }
                }
            }
        }
    }
}

private func readBody(
    source: UnsafeMutableRawPointer?, position: UInt64, buffer: UnsafeMutablePointer<CChar>?, room: Int
) -> Int {
    guard let source, let buffer else { return lapel_mhd_end_with_error() }
    return Unmanaged<BodySource>.fromOpaque(source).takeUnretainedValue()
        .read(position, UnsafeMutableRawBufferPointer(start: buffer, count: room))
}

private func forgetBody(source: UnsafeMutableRawPointer?) {
    if let source { Unmanaged<BodySource>.fromOpaque(source).release() }
}
