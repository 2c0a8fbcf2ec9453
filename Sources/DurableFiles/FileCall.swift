import Glibc

/// One call, as a test sees it just before it is made.
package struct FileCall: Hashable, Sendable, CustomStringConvertible {
    package let operation: FileOperation
    package let path: String
    /// Where a rename goes; nil for every other call.
    package let to: String?

    package init(_ operation: FileOperation, _ path: String, to: String? = nil) {
        self.operation = operation
        self.path = path
        self.to = to
    }

    /// `rename rec/a out/a`.
    package var description: String { "\(operation.rawValue) \(path)" + (to.map { " \($0)" } ?? "") }
}

/// The one way to the file system for everything durable, and the one place where an error number becomes an error.
///
/// 1. Every call is shown to the seam first; what the seam answers happens instead of the call.
/// 2. EINTR is never seen outside: the call is made again.
/// 3. A write is whole or throws; a short one is continued.
///
/// The seam follows swift-system's mocking: a test records the order of the calls, makes the k-th fail, or lets
/// every call from the k-th on fail, which is what a process that died there would have left behind.
package struct FileCalls: Sendable {
    /// What a seam makes of a call.
    package enum Interference: Sendable {
        /// The call is not made and fails with this `errno`.
        case fail(Int32)
        /// Of a write, this many bytes reach the file, then it fails with this `errno`.
        case tear(after: Int, Int32)
        /// The call is not made and succeeds: for syncs, which a process that only dies does not need.
        case skip
    }

    package typealias Seam = @Sendable (FileCall) -> Interference?

    /// Calls that nobody watches.
    package static let system = FileCalls()

    /// What answers the calls that the seam lets pass.
    let files: any FileSystem
    private let seam: Seam?

    package init(seam: Seam? = nil) { self.init(on: KernelFiles(), seam: seam) }

    /// Calls that another file system answers: a test's.
    package init(on files: any FileSystem, seam: Seam? = nil) {
        self.files = files
        self.seam = seam
    }

    /// Makes a call that answers −errno when it fails.
    @discardableResult
    func make(_ call: FileCall, _ body: () -> Int) throws(DurableFileError) -> Int {
        switch seam?(call) {
        case nil: break
        case .skip: return 0
        case .fail(let code), .tear(_, let code): throw DurableFileError(call.operation, call.path, code)
        }
        return try repeated(call, body)
    }

    /// Makes as many writes as it takes; `body` writes from an offset into the bytes.
    func makeWrite(_ call: FileCall, count: Int, _ body: (Range<Int>) -> Int) throws(DurableFileError) {
        var end = count
        var failure: Int32?
        switch seam?(call) {
        case nil: break
        case .skip: return
        case .fail(let code): (end, failure) = (0, code)
        case .tear(let after, let code): (end, failure) = (min(after, count), code)
        }
        var done = 0
        while done < end {
            let range = done..<end
            done += try repeated(call) { body(range) }
        }
        if let failure { throw DurableFileError(call.operation, call.path, failure) }
    }

    private func repeated(_ call: FileCall, _ body: () -> Int) throws(DurableFileError) -> Int {
        while true {
            let result = body()
            if result >= 0 { return result }
            let code = Int32(-result)
            if code != EINTR { throw DurableFileError(call.operation, call.path, code) }
        }
    }
}
