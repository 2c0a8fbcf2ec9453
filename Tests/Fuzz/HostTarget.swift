import Glibc
import Host
import Inbox
import LocalInbox
import Sealing
import Synchronization
import Terminal
import Wire

@testable import HTTPServer
@testable import Receiver

extension FuzzTarget {
    /// Requests of a paired device, of a stranger and of nobody: the host answers each in a bounded way, gives receipts
    /// for what it holds and for nothing else, and its owner can look at whatever came.
    static let host = FuzzTarget(name: "host", longest: 1_024) {
        // A manifest and its audio, each in one request; in pieces; sealed; as a part with its tail; a pairing.
        let whole: [UInt8] = [1, 0, 0, 0, 1, 0, 0, 3, 0, 0, 1, 0, 1, 0, 0, 2, 0, 0]
        let tail: [UInt8] = [1, 0, 0, 8, 4, 0, 1, 2, 7, 0]
        return [
            whole, tail, [1, 1, 0, 4, 4, 0, 3, 0, 0, 0, 9, 200, 2, 0], [6, 1, 0, 0], [7, 0, 1, 200, 5, 3],
        ]
    } check: { input, folder in
        let path = folder + "/host"
        defer { Tree.remove(path) }
        try HostSample.shared.copy(to: path)
        let inbox = try Inbox(folder: path)
        let routes = Routes(inbox: inbox, hostName: "host", report: { _ in })
        var input = FuzzInput(input)
        for _ in 0..<8 where !input.isAtEnd {
            let (request, body) = HostSample.request(&input)
            let answer = try ask(routes, request, body)
            try check(answer, to: request, inbox)
        }
        let utterances = try inbox.utterances()
        if try utterances.isEmpty && inbox.plainFiles().isEmpty { return }
        for utterance in utterances { try look(at: utterance, in: path) }
        let list = run(["list", "--dir", path])
        try must(list.code == 0 && isPlain(list.out), "what the host keeps can be listed: \(list.log)")
        let damage = try inbox.check().problems.filter { $0.kind == .missing || $0.kind == .damaged }
        try must(damage.isEmpty, "what is stored is what was received: \(damage)")
    }

    private static func ask(_ routes: Routes, _ request: Request, _ body: [UInt8]) throws -> Answer {
        let exchange = Exchange(request, routes)
        if let early = exchange.early { return early }
        _ = body.withUnsafeBytes { exchange.take($0) }
        guard case .answered(let answer) = exchange.answer() else {
            throw Broken(description: "an upload waits for nothing")
        }
        return answer
    }

    private static func check(_ answer: Answer, to request: Request, _ inbox: Inbox) throws {
        try must((200...499).contains(answer.status), "the host is well: \(answer.status) \(answer.text)")
        if request.pin != HostSample.pin {
            let isRefused = answer.status == 401 || answer.status == 403 || request.path == HostPath.pair
            try must(isRefused, "a stranger is refused, not answered with \(answer.status)")
        }
        let receipts = answer.headers.filter { $0.name == TusHeader.reprDigest }
        guard let receipt = receipts.first else { return }
        let sha256 = try ReprDigest(parsing: receipt.value).hex
        let held = try inbox.holds(sha256)
        try must(held, "a receipt is given for what is stored")
    }

    /// As its owner does.
    private static func look(at utterance: StoredUtterance, in path: String) throws {
        for options in [[], ["--json"]] {
            let shown = run(["show", utterance.id, "--dir", path] + options)
            try must(shown.code == 0, "an utterance can be shown: \(shown.log)")
            try must(isPlain(shown.out), "nothing that a device sends controls a terminal")
        }
    }

    private static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control }
    }

    private static func run(_ arguments: [String]) -> (code: Int32, out: String, log: String) {
        let lines = Mutex<(out: String, log: String)>(("", ""))
        let console = Console(
            out: { line in lines.withLock { $0.out += line + "\n" } },
            log: { line in lines.withLock { $0.log += line + "\n" } })
        let code = HostProgram.run(arguments, console: console)
        return lines.withLock { (code, $0.out, $0.log) }
    }
}

extension Inbox {
    /// Whether an upload with this hash is complete, looked up by every id that the target's requests can have, and
    /// among the files without an utterance, whose ids are drawn.
    fileprivate func holds(_ sha256: String) throws -> Bool {
        let isUtterance = try HostSample.uploads.contains { id in
            guard let (upload, state) = try state(of: id) else { return false }
            return upload.sha256 == sha256 && state == .complete
        }
        return try isUtterance || plainFiles().contains { $0.sha256 == sha256 }
    }
}
