import DurableFiles
import Glibc

/// One run of a program, from its start to its death. Everything it does to the world passes through here, and from
/// the moment it dies nothing passes any more: what it believes after that nobody ever hears.
///
/// Used by one thread at a time.
final class Life: @unchecked Sendable {
    let program: Program
    var step = Step.startUp
    private(set) var isDead = false
    /// There was something to lose when it died.
    private(set) var mattered = false
    /// Where it died.
    private(set) var site: Site?
    /// Sees each call that is about to be made.
    var watch: ((FileCall) -> Void)?
    /// Calls that it made while there was something to lose.
    private(set) var made: [Site: Int] = [:]
    /// There is something to lose.
    var matters: () -> Bool = { false }
    private var callsLeft: Int?
    /// It dies at every other call that is rarely made.
    var isHunted = false
    private var rareCalls = 0
    private var tornAfter = 0

    init(_ program: Program) { self.program = program }

    /// It dies before its call after so many more; of a write so many bytes are taken.
    func die(after calls: Int, tearing bytes: Int) {
        callsLeft = calls
        tornAfter = bytes
    }

    var isDoomed: Bool { callsLeft != nil }

    /// No more trouble: it lives on.
    func pardon() {
        callsLeft = nil
        isHunted = false
    }

    func pass(_ call: FileCall) -> FileCalls.Interference? {
        if isDead { return .fail(ECANCELED) }
        let isDatabase = call.path.hasSuffix("lapel.db") || call.path.hasSuffix("lapel.db-wal")
        if program == .host { step = phase(of: call, isDatabase) }
        watch?(call)
        guard dies(isDatabase ? .database(call.operation) : .file(call.operation)) else { return nil }
        return call.operation == .write ? .tear(after: tornAfter, ECANCELED) : .fail(ECANCELED)
    }

    /// A packet is about to go or to come; false when the program dies instead.
    func passNetwork() -> Bool { !isDead && !dies(.network) }

    private func dies(_ call: Call) -> Bool {
        let here = Site(program: program, step: step, call: call)
        let counts = matters()
        if counts { made[here, default: 0] += 1 }
        guard comesToItsEnd(here, counts) else { return false }
        isDead = true
        mattered = counts
        site = here
        return true
    }

    private func comesToItsEnd(_ here: Site, _ counts: Bool) -> Bool {
        if isHunted, counts, here.isRare {
            rareCalls += 1
            if rareCalls % 2 == 1 { return true }
        }
        guard let left = callsLeft else { return false }
        callsLeft = left - 1
        return left == 0
    }

    /// The last steps of an upload are one call of the inbox; what they touch tells them apart.
    private func phase(of call: FileCall, _ isDatabase: Bool) -> Step {
        switch (step, call.operation) {
        case (.startUp, _), (.forget, _), (.shutDown, _): step
        case (.write, .write): step
        case (.answer, .open), (.answer, .read), (.answer, .size), (.ask, .open), (.ask, .read):
            isDatabase ? step : .hash
        case (.create, .open), (.create, .read): isDatabase ? step : .hash
        case (.hash, .sync), (.hash, .makeFolder), (.hash, .rename), (.hash, .syncFolder):
            isDatabase ? .record : .shelve
        case (.hash, _), (.shelve, _): isDatabase ? .record : step
        default: step
        }
    }
}
