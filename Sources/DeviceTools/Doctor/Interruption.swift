import Device
import Glibc
import Hardware
import Synchronization
import Threads

/// What Ctrl-C and SIGTERM do to the doctor: lines that it drives go out, an open microphone is closed and noted, and
/// the program ends. Some kernels keep a line driven after the program that drove it has died.
final class Interruption: Sendable {
    private struct State {
        var outputs: [any Output] = []
        var events: EventQueue?
        var isInterrupted = false
    }

    private let state = Mutex(State())

    /// Somebody broke the command off.
    var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    /// Watches for the signals from now on. Called before any other thread begins, which would inherit the mask.
    func watch() {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGINT)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        _ = NamedThread("signals") { [self] in
            var set = sigset_t()
            sigemptyset(&set)
            sigaddset(&set, SIGTERM)
            sigaddset(&set, SIGINT)
            var number: Int32 = 0
            while sigwait(&set, &number) == 0 { happen() }
        }
    }

    /// Goes out with the program.
    func putOut(_ output: any Output) { state.withLock { $0.outputs.append(output) } }

    func forget(_ output: any Output) {
        state.withLock { state in state.outputs.removeAll { $0 === output } }
    }

    /// Who closes the microphone; nil while it is closed.
    func listening(_ events: EventQueue?) { state.withLock { $0.events = events } }

    /// With an open microphone its owner ends the program, in order; else it ends here.
    private func happen() {
        let (outputs, events) = state.withLock { state in
            state.isInterrupted = true
            return (state.outputs, state.events)
        }
        if let events { return events.post(.endAsked(.shutdown, at: MonotonicClock.now)) }
        for output in outputs { output.set(false) }
        _exit(130)
    }
}
