import Glibc

/// Runs `body` so that a connection which the other side has closed does not end the process: OpenSSL writes with
/// write(2), which raises SIGPIPE. The signal of this thread is held back, and taken away if it came.
func withoutPipeSignal<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
    var pipe = sigset_t()
    var before = sigset_t()
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &pipe, &before)
    defer {
        if sigismember(&before, SIGPIPE) == 0 {
            // Let through now, a signal that waits would still end the process.
            var atOnce = timespec(tv_sec: 0, tv_nsec: 0)
            while sigtimedwait(&pipe, nil, &atOnce) < 0 && errno == EINTR {}
            pthread_sigmask(SIG_SETMASK, &before, nil)
        }
    }
    return try body()
}
