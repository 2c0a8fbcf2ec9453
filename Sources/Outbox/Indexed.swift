import DurableFiles
import Wire

/// The outbox's index as start-up builds it from names and sizes. Files come folder by folder, sorted by name, so that
/// those of one item follow each other.
struct Indexed {
    let layout: Layout
    let calls: FileCalls
    private(set) var largestSeq: UInt64 = 0
    /// What could not be read, a sentence each.
    private(set) var problems: [String] = []
    private var counts = Outbox.State()
    private var waiting: [OutboxItem] = []
    private var sent: [OutboxItem] = []

    /// The files of the item that is being put together.
    private struct Gathered {
        var name: ItemName
        var audio: (form: Form, bytes: Int)?
        var manifestBytes: Int?
        var tailBytes: Int?
        /// The card did not say how long one of its files is: an item without it would be let go without it.
        var isUnread = false
    }

    private var gathered: Gathered?

    init(layout: Layout, calls: FileCalls) {
        self.layout = layout
        self.calls = calls
    }

    var state: Outbox.State {
        var state = counts
        state.waiting = ItemList(waiting)
        state.sent = ItemList(sent)
        return state
    }

    /// A folder. What cannot be read is left out, and said.
    mutating func take(_ place: Layout.Place, where isConcerned: (String) -> Bool) {
        do {
            for file in try calls.list(layout.folder(place)) where isConcerned(file) {
                take(file, in: place)
            }
        } catch { problems.append("\(error)") }
        endOfName(in: place)
    }

    private mutating func take(_ file: String, in place: Layout.Place) {
        let size: Int
        do { size = try calls.size(layout.file(place, file)) } catch {
            problems.append("\(error)")
            leaveOut(file, in: place)
            return
        }
        switch place {
        case .parked: takeParked(file, size)
        case .rec: takeLeft(file, size)
        case .out, .sent: takeWaiting(file, size, in: place)
        }
    }

    private mutating func leaveOut(_ file: String, in place: Layout.Place) {
        switch FileKind(file) {
        case .audio(let name, _), .manifest(let name, _), .tail(let name):
            gather(name, in: place)
            gathered?.isUnread = true
        case .head, .gap, .unfinished, .copy, .spareTail, .note, .unknown: break
        }
    }

    private mutating func takeParked(_ file: String, _ size: Int) {
        counts.parkedBytes += size
        switch FileKind(file) {
        case .audio(let name, _):
            note(name)
            counts.parked += 1
        case .unknown: counts.parked += 1
        case .manifest, .head, .tail, .gap, .unfinished, .copy, .spareTail, .note: break
        }
    }

    /// Start-up could not deal with it; it takes its room all the same.
    private mutating func takeLeft(_ file: String, _ size: Int) {
        switch FileKind(file) {
        case .audio(let name, _):
            note(name)
            counts.leftInRec += size
        case .tail: counts.leftInRec += size
        case .spareTail: counts.spareTail = size
        case .manifest, .head, .gap, .unfinished, .copy, .note, .unknown: break
        }
    }

    private mutating func takeWaiting(_ file: String, _ size: Int, in place: Layout.Place) {
        switch FileKind(file) {
        case .audio(let name, let form):
            gather(name, in: place)
            gathered?.audio = (form, size)
        case .manifest(let name, _):
            gather(name, in: place)
            gathered?.manifestBytes = size
        case .tail(let name):
            gather(name, in: place)
            gathered?.tailBytes = size
        case .gap(let name):
            note(name)
            counts.gaps.append(OutboxGap(name: name, manifestPath: layout.gap(name), bytes: size))
        case .head, .unfinished, .copy, .spareTail, .note, .unknown: break
        }
    }

    private mutating func gather(_ name: ItemName, in place: Layout.Place) {
        if gathered?.name == name { return }
        endOfName(in: place)
        note(name)
        gathered = Gathered(name: name)
    }

    /// The files of the last item, or of the folder, have all come.
    private mutating func endOfName(in place: Layout.Place) {
        defer { gathered = nil }
        guard let gathered, !gathered.isUnread, let audio = gathered.audio,
            let manifestBytes = gathered.manifestBytes
        else { return }
        let item = layout.item(
            place, gathered.name, audio.form, audioBytes: audio.bytes, manifestBytes: manifestBytes,
            tailBytes: gathered.tailBytes)
        if place == .out { waiting.append(item) } else { sent.append(item) }
    }

    private mutating func note(_ name: ItemName) { largestSeq = max(largestSeq, name.seq) }
}
