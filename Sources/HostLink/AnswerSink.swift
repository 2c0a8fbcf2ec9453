/// Where the body of an answer goes.
///
/// That is said of success (status 200 to 299). What another status says goes into the answer itself, as into `short`,
/// and a file or a closure hears nothing of it.
package enum AnswerSink {
    /// Into the answer. One of more than `limit` bytes is broken off: the request fails as cut.
    case memory(limit: Int)
    /// To the end of a file, as it comes.
    case file(AnswerFile)
    /// To a closure, as it comes, at most 16 KiB at a time (CURL_MAX_WRITE_SIZE): for a stream, which may have no end.
    /// Called on the asking thread; while it runs nothing else comes.
    case pieces((UnsafeRawBufferPointer) -> Void)

    /// What hosts say in words. They are short: more than this is no answer of a host.
    package static var short: AnswerSink { .memory(limit: 65_536) }
}
