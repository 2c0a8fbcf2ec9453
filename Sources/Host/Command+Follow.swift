import Catalogue
import Glibc
import Inbox
import Terminal
import Wire

extension Command {
    /// Tells what happens until a signal ends the program, or nobody reads any more. The first line says that it
    /// follows; whatever is done after it is told.
    static func follow(_ inbox: Inbox, json: Bool, _ console: Console) throws(CommandError) -> Never {
        var follower = try explained { try Follower(inbox) }
        if json {
            console.out(["event": "following", "number": .integer(follower.number)])
        } else {
            console.log("following \(inbox.folder.path); an interrupt (Ctrl-C) ends it")
        }
        let (seconds, attoseconds) = FeedLimit.pause.components
        var pause = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        while true {
            let entries = try explained { try follower.next() }
            for entry in entries { console.out(json ? entry.json.text : entry.line) }
            if entries.isEmpty { nanosleep(&pause, nil) }
        }
    }
}

/// Reads a feed from where it stood.
struct Follower {
    private let inbox: Inbox
    /// Of the last entry that was read, or was there at the begin.
    private(set) var number: Int64

    init(_ inbox: Inbox) throws(InboxError) {
        self.inbox = inbox
        number = try inbox.newestEvent()
    }

    /// What happened since the last call, or a part of it; nothing when all is told.
    mutating func next() throws(InboxError) -> [FeedEntry] {
        let entries = try inbox.events(after: number)
        number = entries.last?.number ?? number
        return entries
    }
}

extension FeedEntry {
    /// For people: when, and what.
    var line: String { LocalTime.text(milliseconds: at) + "  " + event.text }

    /// One line of `list --follow --json`.
    var json: JSON {
        .object([("number", .integer(number)), ("at_ms", .integer(at))] + event.fields)
    }
}
