import DurableFiles
import Sealing

// Invariants
// 1. A key to which a recording in the outbox may be sealed is not removed before a host has said that it holds it.
// 2. A key is on the card before anything is sealed to it or signed with it.
// 3. Keys are made and renewed by the process that holds the outbox; `lapel pair` makes at most the signing key.
// 4. A key that opens recordings is overwritten before its blocks are free: who finds the card reads those, too.

/// The device's own keys for sealing, in `identity/`: the one that signs, and while no host holds it, the one that
/// opens what the device has sealed to itself.
package struct DeviceKeys: Sendable {
    package let folder: DeviceFolder
    let calls: FileCalls

    package init(folder: DeviceFolder, calls: FileCalls = .system) {
        self.folder = folder
        self.calls = calls
    }

    // MARK: the key that signs

    /// Nil before the first start.
    package func signing() throws -> SigningKey? {
        guard let bytes = try contents(folder.signingKey) else { return nil }
        guard let seed = hexBytes(String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)),
            let key = SigningKey(seed: seed)
        else { throw DeviceKeyError.damaged(path: folder.signingKey, reason: "it holds no key") }
        return key
    }

    func signingOrMade() throws -> SigningKey {
        if let key = try signing() { return key }
        let key = SigningKey.generate()
        try replace(folder.signingKey, Array((hexText(key.seed) + "\n").utf8), calls: calls)
        return key
    }

    // MARK: the keys of the time without a host

    /// Newest first: recordings are sealed to the first one. More than one on a card that has changed boards, none
    /// once a host holds them.
    package func unpaired() throws -> [AgeIdentity] {
        guard let bytes = try contents(folder.unpairedKey) else { return [] }
        // Overwritten, and cut off before its name was gone.
        if !bytes.isEmpty, bytes.allSatisfy({ $0 == 0 }) { return [] }
        do { return try AgeIdentity.parse(file: bytes) } catch {
            throw DeviceKeyError.damaged(path: folder.unpairedKey, reason: "\(error)")
        }
    }

    /// A new one in front of those that are there.
    @discardableResult
    func addUnpaired() throws -> AgeIdentity {
        let new = AgeIdentity.generate()
        let known = try unpaired()
        let bytes = ([new] + known.prefix(Self.mostUnpaired - 1)).flatMap { $0.file() }
        if known.isEmpty {
            try replace(folder.unpairedKey, bytes, calls: calls)
        } else {
            let old = try calls.open(folder.unpairedKey, .update(creating: false))
            try replace(folder.unpairedKey, bytes, calls: calls)
            try overwrite(old)
        }
        return new
    }

    /// What one pairing hands over at most (`PairRequest`).
    private static let mostUnpaired = 16

    /// Removes them if a host holds every one; false when it lacks one, and then none is removed.
    ///
    /// - Parameter held: the recipients of the host's keys.
    @discardableResult
    package func removeUnpaired(held: [AgeRecipient]) throws -> Bool {
        let unpaired = try unpaired()
        guard unpaired.allSatisfy({ held.contains($0.recipient) }) else { return false }
        guard try contents(folder.unpairedKey) != nil else { return true }
        try overwrite(try calls.open(folder.unpairedKey, .update(creating: false)))
        try remove(folder.unpairedKey)
        return true
    }

    /// Zeros in the place of what is there, on the card when this returns.
    private func overwrite(_ file: borrowing OpenFile) throws(DurableFileError) {
        try file.write([UInt8](repeating: 0, count: file.size()), at: 0)
        try file.syncData()
    }

    // MARK: files

    /// Nil for a file that is not there.
    package func contents(_ path: String) throws(DurableFileError) -> [UInt8]? {
        do { return try calls.contents(path) } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    /// The name is gone from the card when this returns.
    package func remove(_ path: String) throws(DurableFileError) {
        try calls.unlink(path)
        try calls.syncFolder(DurableFiles.folder(of: path))
    }
}
