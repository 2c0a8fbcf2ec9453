import Glibc
import Inbox
import LocalInbox
import Sealing
import Wire

@testable import HTTPServer

/// A host's folder that was made once, with one paired device, and the requests that can be made of it.
struct HostSample: Sendable {
    static let shared = HostSample()
    static let pin = String(repeating: "5a", count: 32)
    private static let stranger = String(repeating: "6b", count: 32)
    private static let token = [UInt8](repeating: 7, count: 16)
    private static let utterances = [sampleID, String(repeating: "fedcba9876543210", count: 2)]
    /// Of every part of every utterance.
    static let uploads = utterances.flatMap { utterance in
        UploadKind.allCases.map { kind in
            SHA256.digest(of: Array(UploadKey.text(utterance: utterance, kind: kind).utf8)).hex
        }
    }

    private let database: [UInt8]
    private let key: [UInt8]

    private init() {
        let folder = "/tmp/lapel-fuzz-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
        defer { Tree.remove(folder) }
        do {
            let inbox = try Inbox(folder: folder)
            try inbox.addDevice(pin: Self.pin, name: "wrist")
            _ = try inbox.recipients()
        } catch {
            preconditionFailure("a host's folder can be made: \(error)")
        }
        // Closed by now: everything is in the one file.
        database = content(of: folder + "/lapel.db")
        key = Sample.one.identity.file()
    }

    func copy(to folder: String) throws {
        for part in ["", "/keys"] { mkdir(folder + part, 0o700) }
        put(database, at: folder + "/lapel.db")
        put(key, at: folder + "/keys/host.key")
    }

    /// One request as the input says.
    static func request(_ input: inout FuzzInput) -> (Request, body: [UInt8]) {
        let choice = input.byte()
        let place = input.byte()
        let utterance = utterances[place & 1]
        let kind = UploadKind.allCases[(place >> 1) % 3]
        let id = uploads[(place & 1) * 3 + (place >> 1) % 3]
        let who = input.byte()
        let pin: String? = who % 16 == 1 ? stranger : who % 16 == 2 ? nil : pin
        var headers = [
            TusHeader.resumable.lowercased(): TusHeader.protocolVersion,
            TusHeader.contentType.lowercased(): TusHeader.bytesType,
        ]
        var body: [UInt8] = []
        let method: String
        var path = HostPath.upload(id)
        switch choice % 8 {
        case 0, 1:
            method = "POST"
            path = HostPath.uploads
            body = bytes(of: kind, utterance, &input)
            let hash = SHA256.digest(of: body).hex
            let name = input.byte() & 1 == 0 ? "a.opus" : "a.opus.age"
            let metadata = UploadMetadata(
                filename: name, utterance: utterance, kind: kind, seq: 7, sha256: hash)
            headers[TusHeader.uploadMetadata.lowercased()] = metadata.header
            headers[TusHeader.uploadLength.lowercased()] = String(body.count)
            let cut = input.byte()
            if cut > 127 { body = Array(body.prefix(cut - 128)) }
        case 2, 3:
            method = "PATCH"
            let all = bytes(of: kind, utterance, &input)
            let from = input.byte()
            body = Array(all.dropFirst(from))
            headers[TusHeader.uploadOffset.lowercased()] = String(from)
        case 4: method = "HEAD"
        case 5: method = "DELETE"
        case 6:
            method = "POST"
            path = HostPath.pair
            body = PairRequest(token: token, deviceName: text(&input), keys: [text(&input)]).json.bytes
        default:
            method = ["GET", "PUT", "OPTIONS", "POST"][input.byte() % 4]
            path = text(&input)
        }
        headers["content-length"] = String(body.count)
        if who > 200 {
            let names = [
                TusHeader.lapelClock, TusHeader.uploadLength, TusHeader.uploadMetadata,
                TusHeader.uploadOffset,
                "Content-Length", TusHeader.contentType, "Transfer-Encoding", TusHeader.resumable,
            ]
            headers[names[input.byte() % names.count].lowercased()] = text(&input)
        }
        return (Request(method: method, path: path, pin: pin, headers: headers), body)
    }

    private static func text(_ input: inout FuzzInput) -> String {
        // An HTTP server hands over no line ends and no zeros.
        String(decoding: input.field().filter { $0 != 0 && $0 != 10 && $0 != 13 }, as: UTF8.self)
    }

    /// What an upload holds: as a device makes it, with lies in it, or anything.
    private static func bytes(of kind: UploadKind, _ utterance: String, _ input: inout FuzzInput) -> [UInt8] {
        let form = input.byte()
        var plain: [UInt8]
        switch form % 4 {
        case 0 where kind == .manifest: plain = manifest(utterance, &input)
        case 0, 1: plain = kind == .tail ? Part.sample.smallJournal : Array("Some sound".utf8)
        case 2: plain = input.field()
        default: plain = manifest(utterance, &input)
        }
        if form & 4 != 0 { plain = AgeSealer.seal(plain, to: [Sample.one.recipient]) }
        if form & 8 != 0 { edit(&plain, with: Part.sample.sealed, &input) }
        return plain
    }

    /// A manifest whose fields say what no device would.
    private static func manifest(_ utterance: String, _ input: inout FuzzInput) -> [UInt8] {
        var members = sampleManifest.json.members ?? []
        func set(_ name: String, _ value: JSON) {
            members.removeAll { $0.key == name }
            members.append((name, value))
        }
        set("utterance", .string(utterance))
        set("sha256", .string(input.byte() & 1 == 0 ? "" : SHA256.digest(of: Array("Some sound".utf8)).hex))
        let numbers: [JSON] = [
            .int(.max), .int(.min), .int(0), .int(-1), .double(1e300), .double(-1e300),
            .double(.leastNonzeroMagnitude),
            .int(1 << 40),
        ]
        for _ in 0..<(input.byte() % 4) {
            let field = members[input.byte() % members.count].key
            switch input.byte() % 5 {
            case 0, 1: set(field, numbers[input.byte() % numbers.count])
            case 2: set(field, .string(text(&input)))
            case 3:
                let number = numbers[input.byte() % numbers.count]
                set(field, ["monotonic_ns": number, "boot_ns": number, "wall_ns": .int(0)])
            default: set(field, .array([numbers[input.byte() % numbers.count], 3]))
            }
        }
        return JSON.object(members).bytes
    }
}

/// Folders and what is in them.
enum Tree {
    /// Removes all that is at `path`.
    static func remove(_ path: String) {
        if unlink(path) == 0 || errno == ENOENT { return }
        if let list = opendir(path) {
            var names: [String] = []
            while let entry = readdir(list) {
                names.append(
                    withUnsafePointer(to: &entry.pointee.d_name) {
                        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                    })
            }
            closedir(list)
            for name in names where name != "." && name != ".." { remove(path + "/" + name) }
        }
        rmdir(path)
    }
}
