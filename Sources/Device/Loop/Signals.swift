import Glibc
import Threads

/// SIGTERM and SIGINT as an event: the turn ends, what was recorded is kept, the program ends.
///
/// Called before any other thread begins, because a thread inherits the mask. A write to a peer that is gone is an
/// error code, not a signal.
package enum Signals {
    /// What ends the program comes as `endAsked(.shutdown)` from now on.
    package static func deliver(to events: EventQueue) {
        signal(SIGPIPE, SIG_IGN)
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGINT)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        _ = NamedThread("signals") {
            var set = sigset_t()
            sigemptyset(&set)
            sigaddset(&set, SIGTERM)
            sigaddset(&set, SIGINT)
            var number: Int32 = 0
            while sigwait(&set, &number) == 0 {
                events.post(.endAsked(.shutdown, at: MonotonicClock.now))
            }
        }
    }
}
