import DurableFiles
import Sealing
import Synchronization

// Invariants
//  1. `host.key` is made once and never replaced: whatever was sealed to it would be lost.
//  2. A key that a device handed over is durable before the device is answered, because the device then lets go of it.
//  3. A key that cannot be read is never taken for one that does not fit: that would refuse recordings for good.
//  4. No key stands in an error.

/// One of the keys with which a host opens recordings.
package struct HostKey: Sendable {
    /// Its file in keys/, without `.key`.
    package let name: String
    /// Secret.
    package let identity: AgeIdentity

    /// The one that devices seal to.
    package var isOwn: Bool { name == HostKeys.ownName }
    /// `age1…`: what files are sealed to, to be opened by this key.
    package var recipient: String { identity.recipient.description }
}

/// The age identities of a host: its own, those that devices handed over at their pairing, those that were imported.
///
/// They are read from their files each time: another program may have added one. Files are as age-keygen writes
/// them, 0600, so that `age -d -i keys/host.key FILE` works.
package final class HostKeys: Sendable {
    static let ownName = "host"
    private static let ending = ".key"

    private let folder: String
    private let calls: FileCalls
    /// Two writers of one file at a time would share its temporary name.
    private let writing = Mutex(())

    init(folder: String, calls: FileCalls) {
        self.folder = folder
        self.calls = calls
    }

    /// All keys, the host's own first. Throws `ownKeys` for a file that is no key, `file`.
    package func all() throws(InboxError) -> [HostKey] {
        let (keys, problem) = try read()
        if let problem { throw problem }
        return keys
    }

    /// All keys as one file for `age -d -i` and for `keep(file:)`. Secret. Throws `ownKeys`, `file`.
    package func exported() throws(InboxError) -> [UInt8] { try all().flatMap { $0.identity.file() } }

    /// Stores the keys of such a file, as `keep` does; their recipients. Throws `badKey`, `file`.
    package func keep(file: [UInt8]) throws(InboxError) -> [String] {
        let identities: [AgeIdentity]
        do throws(AgeError) { identities = try AgeIdentity.parse(file: file) } catch {
            throw .badKey(reason: error.description)
        }
        try keep(identities)
        return identities.map(\.recipient.description)
    }

    /// The host's own key, made and stored durably when there is none. For the program that serves the folder alone:
    /// of two that make one at once, one would be lost. Throws `ownKeys`, `file`.
    package func makeOwn() throws(InboxError) -> HostKey {
        try writing.withLock { _ throws(InboxError) in
            if let own = try all().first(where: \.isOwn) { return own }
            let own = HostKey(name: Self.ownName, identity: .generate())
            try store(own)
            return own
        }
    }

    /// Stores keys durably; one that is here already is stored again, because the first time may not have come to
    /// its end. Throws `file`.
    package func keep(_ identities: [AgeIdentity]) throws(InboxError) {
        try writing.withLock { _ throws(InboxError) in
            let (known, _) = try read()
            for identity in identities {
                // The host's own key keeps its one file.
                if known.contains(where: { $0.isOwn && $0.identity.recipient == identity.recipient }) {
                    continue
                }
                try store(HostKey(name: identity.recipient.description, identity: identity))
            }
        }
    }

    /// What can be read, and the first problem with what cannot.
    func read() throws(InboxError) -> (keys: [HostKey], problem: InboxError?) {
        var keys: [HostKey] = []
        var problem: InboxError?
        for file in try names() {
            let path = folder + "/" + file
            let bytes = try files { () throws(DurableFileError) in try calls.contents(path) }
            do throws(AgeError) {
                let name = String(file.dropLast(Self.ending.count))
                keys += try AgeIdentity.parse(file: bytes).map { HostKey(name: name, identity: $0) }
            } catch {
                problem = problem ?? .ownKeys(reason: "\(path): \(error) Restore it from a back-up.")
            }
        }
        return (keys.filter(\.isOwn) + keys.filter { !$0.isOwn }, problem)
    }

    private func names() throws(InboxError) -> [String] {
        try files { () throws(DurableFileError) in
            do throws(DurableFileError) {
                return try calls.list(folder).filter { $0.hasSuffix(Self.ending) }
            } catch {
                guard error.isMissing else { throw error }
                return []
            }
        }
    }

    private func store(_ key: HostKey) throws(InboxError) {
        try files { () throws(DurableFileError) in
            try calls.makeFolders(folder)
            try replace(folder + "/" + key.name + Self.ending, key.identity.file(), calls: calls)
        }
    }
}
