import DurableFiles
import Sealing
import Synchronization
import Wire

// Invariants
// 1. A recording is in the outbox from its commit to its receipt: the rename of its manifest into `out/`, after its
//    audio is there and both are on the card, is the commit point.
// 2. Nothing in `out/` is changed; it goes only by `letGo` (the host has it), `park` and `setAside` (it moves), or by
//    a drop that leaves a gap record. The first to claim an item decides; the others find it gone.
// 3. One process has an outbox: it holds `lock` as long as it lives.
// 4. Everything in it, running recordings with their reserved space included, takes at most `maxBytes`, and leaves
//    `reserveFraction` of the card free.
// 5. Start-up never deletes a recording.
// 6. Of a recording that is sealed nothing is ever in the clear on the card but its name and its length.
//
// `state` guards the index of what is on the card; no file call is made under it. `sequence` guards the file `seq`
// and is held while that is replaced.

/// The ring of finished recordings on the device.
package final class Outbox: Sendable {
    struct State {
        var waiting = ItemList()
        var sent = ItemList()
        /// By sequence number.
        var gaps: [OutboxGap] = []
        var parked = 0
        var parkedBytes = 0
        /// Bytes reserved by each running recording.
        var recording: [ItemName: Int] = [:]
        /// Bytes of what start-up could not deal with.
        var leftInRec = 0
        /// Bytes of the tail journal that waits for the next recording.
        var spareTail = 0

        var used: Int {
            waiting.bytes + sent.bytes + gaps.reduce(0) { $0 + $1.bytes }
                + recording.values.reduce(0, +) + parkedBytes + leftInRec + spareTail
        }
    }

    let layout: Layout
    let limits: Limits
    let calls: FileCalls
    let state: Mutex<State>
    private let salvage: Salvage
    private let sequence: Mutex<Sequence>
    /// Held, never used.
    private let lock: OpenFile
    /// What the start found and did.
    package let startup: StartupReport

    /// Makes the folders that are missing, takes the directory for this process, and mends what a crash left.
    /// Blocks while unfinished recordings are salvaged and hashed.
    package init(
        directory: String, limits: Limits = Limits(), calls: FileCalls = .system, salvage: @escaping Salvage
    ) throws(OutboxError) {
        let layout = Layout(directory: directory)
        let held = try Self.take(layout, calls)
        let found = StartUp(layout: layout, calls: calls, salvage: salvage)
        sequence = Mutex(Sequence(path: layout.seq, seen: found.largestSeq, calls: calls))
        self.layout = layout
        self.limits = limits
        self.calls = calls
        self.salvage = salvage
        lock = held
        startup = found.report
        state = Mutex(found.state)
    }

    private static func take(_ layout: Layout, _ calls: FileCalls) throws(OutboxError) -> OpenFile {
        do throws(DurableFileError) {
            for place in Layout.Place.allCases { try calls.makeFolders(layout.folder(place)) }
            let file = try calls.open(layout.lock, .update(creating: true))
            if try file.lock() { return file }
        } catch {
            throw OutboxError(error)
        }
        throw .inUse(directory: layout.directory)
    }

    package var directory: String { layout.directory }

    /// A name for a new recording: the next sequence number, which, used or not, never comes again, and a random
    /// identity, 32 hexadecimal digits. May wait for the card: while numbers are reserved.
    package func reserveName(id: String = randomID()) throws(OutboxError) -> ItemName {
        let seq = try sequence.withLock { (numbers) throws(OutboxError) in try numbers.take() }
        guard let name = ItemName(seq: seq, id: id) else { throw .namesExhausted }
        return name
    }

    /// Keeps sequence numbers ready, off the way of a press. A failure shows when the next press needs one.
    func topUpNames() {
        sequence.withLock { (numbers) in try? numbers.topUp() }
    }

    /// Does for one recording that is given up what the next start would do for it.
    func mend(_ name: ItemName) -> StartupReport {
        let found = StartUp(layout: layout, calls: calls, salvage: salvage, only: name)
        state.withLock { state in
            state.recording[name] = nil
            for item in found.state.waiting.items { state.waiting.insert(item) }
            state.parked += found.state.parked
            state.parkedBytes += found.state.parkedBytes
            state.leftInRec += found.state.leftInRec
        }
        return found.report
    }

    /// What waits to be sent, by sequence number.
    package func waiting() -> [OutboxItem] { state.withLock { $0.waiting.items } }

    /// What was dropped and the host does not know yet, by sequence number.
    package func gaps() -> [OutboxGap] { state.withLock { $0.gaps } }

    package func counts() -> Counts {
        state.withLock { state in
            var counts = Counts()
            counts.waiting = state.waiting.count
            counts.bytes = state.waiting.bytes
            counts.oldest = state.waiting.first?.name
            counts.parked = state.parked
            counts.sent = state.sent.count
            counts.gaps = state.gaps.count
            counts.recording = state.recording.count
            return counts
        }
    }
}
