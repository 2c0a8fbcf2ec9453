import DurableFiles
import Sealing

// What Lapel writes into the headers of its sealed files, as stanzas that every age reader passes over and that the
// header's tag protects:
//   lapel-to age1…            one for each recipient, in every file: a header does not name its recipients otherwise
//   lapel-audio SHA256 BYTES  in the manifest of a finished recording: of the sealed audio file
//   lapel-head BYTES          in a head manifest: its own length before sealing, so that a torn one is told apart

/// What the header of an item's sealed manifest says to somebody who cannot open it.
package struct SealedNote: Equatable, Sendable {
    /// What the manifest stands beside.
    package enum Audio: Equatable, Sendable {
        /// A finished recording: of its sealed audio file.
        case whole(sha256: Digest, bytes: Int)
        /// What a crash left of a recording; the manifest is the one of the press, and a tail journal belongs to it.
        case part
    }

    /// The keys that open it, each of them alone; the host's own first. Empty when Lapel did not seal the file.
    package let recipients: [AgeRecipient]
    package let audio: Audio

    package init(recipients: [AgeRecipient], audio: Audio) {
        self.recipients = recipients
        self.audio = audio
    }

    /// What a sealed manifest's header says.
    package init(_ header: AgeHeader) {
        recipients = header.note(AgeStanza.recipientNote).compactMap {
            $0.arguments.count == 1 ? AgeRecipient($0.arguments[0]) : nil
        }
        let whole = header.note(Self.audio).first.flatMap { note -> Audio? in
            guard note.arguments.count == 2, let digest = Digest(hex: note.arguments[0]),
                let bytes = Int(note.arguments[1]), bytes >= 0
            else { return nil }
            return .whole(sha256: digest, bytes: bytes)
        }
        audio = whole ?? .part
    }

    private static let audio = "lapel-audio"
    private static let head = "lapel-head"

    /// For every file.
    static func notes(to recipients: [AgeRecipient]) -> [AgeStanza] {
        recipients.map { AgeStanza(type: AgeStanza.recipientNote, arguments: ["\($0)"]) }
    }

    /// A finished recording's manifest, sealed.
    static func manifest(
        _ plain: [UInt8], to recipients: [AgeRecipient], sha256: Digest, bytes: Int
    ) -> [UInt8] {
        let note = AgeStanza(type: audio, arguments: [sha256.hex, "\(bytes)"])
        return AgeSealer.seal(plain, to: recipients, notes: notes(to: recipients) + [note])
    }

    /// A head manifest, sealed.
    static func head(_ plain: [UInt8], to recipients: [AgeRecipient]) -> [UInt8] {
        let note = AgeStanza(type: head, arguments: ["\(plain.count)"])
        return AgeSealer.seal(plain, to: recipients, notes: notes(to: recipients) + [note])
    }

    /// Whether a sealed head manifest is all there, as far as its length tells. Nobody vouches for what it says.
    static func isWholeHead(_ sealed: [UInt8]) -> Bool {
        guard let header = try? AgeHeader.parse(sealed),
            let plain = header.note(head).first?.arguments.first.flatMap({ Int($0) }),
            (0...sealed.count).contains(plain)
        else { return false }
        return sealed.count == AgeSealer.sealedSize(of: plain, header: header.payloadStart)
    }
}

extension FileCalls {
    /// The header of a sealed file; nil for one that ends within it or has none.
    func sealedHeader(_ path: String) throws(DurableFileError) -> AgeHeader? {
        let file = try open(path, .read)
        var prefix: [UInt8] = []
        // Four kilobytes hold a dozen recipients; only a strange file makes this read on.
        var wanted = 4 << 10
        while prefix.count < AgeHeader.longest {
            let before = prefix.count
            try file.read(onto: &prefix, upTo: wanted)
            do {
                if let header = try AgeHeader.parse(prefix) { return header }
            } catch { return nil }
            if prefix.count == before { return nil }
            wanted = AgeHeader.longest
        }
        return nil
    }
}

extension OpenFile {
    /// Reads on from where `bytes` ends, until there are `count` or the file ends.
    func read(onto bytes: inout [UInt8], upTo count: Int) throws(DurableFileError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(1, count - bytes.count), alignment: 16)
        defer { buffer.deallocate() }
        while bytes.count < count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[..<(count - bytes.count)])
            let got = try read(into: rest, at: bytes.count)
            if got == 0 { return }
            bytes += buffer[..<got]
        }
    }
}

extension Outbox {
    /// What a sealed item's manifest says in its header: reads a few kilobytes. Nil for an item that is not sealed.
    /// - Throws: `file` when it cannot be read, or is damaged.
    package func sealedNote(of item: OutboxItem) throws(OutboxError) -> SealedNote? {
        guard item.sealed else { return nil }
        do throws(DurableFileError) {
            guard let header = try calls.sealedHeader(item.manifestPath) else {
                throw DurableFileError(.read, item.manifestPath, DurableFileError.damaged)
            }
            return SealedNote(header)
        } catch {
            throw OutboxError(error)
        }
    }
}
