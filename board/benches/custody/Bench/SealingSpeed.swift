import DurableFiles
import Glibc
import Sealing

func writeKey(to path: String) throws {
    let identity = AgeIdentity.generate()
    try replace(path, identity.file())
    report(["recipient": identity.recipient.description])
}

/// Without files: what the format itself costs on this machine.
func memory(megabytes: Int) {
    let identity = AgeIdentity.generate()
    let piece = [UInt8](repeating: 0x55, count: 1 << 20)
    var sealer = AgeSealer(to: [identity.recipient])
    var sealed: [UInt8] = []
    sealed.reserveCapacity(megabytes << 20 + 1 << 20)
    sealed += sealer.header
    let before = residentKilobytes
    let sealing = stopwatch {
        for _ in 0..<megabytes { piece.withUnsafeBytes { sealer.seal($0) { sealed += $0 } } }
        sealed += sealer.finish()
    }
    var opened = 0
    let opening = stopwatch {
        var opener = AgeOpener(identities: [identity])
        do {
            try sealed.withUnsafeBytes { try opener.open($0) { opened += $0.count } }
            try opener.finish { opened += $0.count }
        } catch { opened = 0 }
    }
    precondition(opened == megabytes << 20, "what was sealed is opened")
    let size = Double(megabytes << 20) / 1e6
    report([
        "seal_mb_s": size / sealing, "open_mb_s": size / opening,
        "sealer_kb": residentKilobytes - before - sealed.count / 1024,
    ])
}

func seal(_ from: String, to recipient: String, into path: String) throws {
    guard let recipient = AgeRecipient(recipient) else {
        throw AgeError.badKey(reason: "\(recipient) is no age1 key")
    }
    let target = try FileCalls.system.open(path, .createOrEmpty)
    var sealer = AgeSealer(to: [recipient])
    try target.write(sealer.header)
    let taken = try stopwatch {
        try pieces(of: from) { piece in try sealer.seal(piece) { try target.write($0) } }
        try target.write(sealer.finish())
    }
    report(["seconds": taken, "rss_kb": residentKilobytes])
}

func open(_ from: String, with key: String, into path: String) throws {
    let identities = try AgeIdentity.parse(file: FileCalls.system.contents(key))
    let target = try FileCalls.system.open(path, .createOrEmpty)
    var opener = AgeOpener(identities: identities)
    let taken = try stopwatch {
        try pieces(of: from) { piece in try opener.open(piece) { try target.write($0) } }
        try opener.finish { try target.write($0) }
    }
    report(["seconds": taken, "rss_kb": residentKilobytes])
}

private func pieces(of path: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let file = try FileCalls.system.open(path, .read)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { buffer.deallocate() }
    var offset = 0
    while true {
        let count = try file.read(into: buffer, at: offset)
        if count == 0 { return }
        try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        offset += count
    }
}
