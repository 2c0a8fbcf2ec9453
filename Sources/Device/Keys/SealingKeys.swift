import Sealing
import Synchronization

/// Tells the recorder whom to seal to, asked anew for each recording: a pairing counts from the next one on.
final class SealingKeys: Sendable {
    private let keys: DeviceKeys
    private let isOn: Bool
    private let backup: AgeRecipient?
    private let last = Mutex<[AgeRecipient]>([])

    /// - Parameters:
    ///   - isOn: `seal = on`.
    ///   - backup: can open every recording, too.
    init(_ keys: DeviceKeys, isOn: Bool, backup: AgeRecipient?) {
        self.keys = keys
        self.isOn = isOn
        self.backup = backup
    }

    /// Empty only with `seal = off`. While the files cannot be read, whom the recording before was sealed to: a card
    /// that stumbles costs no speech. Where nothing is known at all, the unpaired key is made.
    func recipients() throws -> [AgeRecipient] {
        guard isOn else { return [] }
        do {
            let recipient = try keys.sealedTo() ?? keys.addUnpaired().recipient
            let now = [recipient] + [backup].compactMap { $0 }.filter { $0 != recipient }
            last.withLock { $0 = now }
            return now
        } catch {
            let known = last.withLock { $0 }
            if known.isEmpty { throw error }
            return known
        }
    }
}

extension DeviceKeys {
    /// Whom recordings are sealed to: the paired host, else the unpaired key; nil when there is neither.
    ///
    /// A pairing writes the host's file before it removes the unpaired key: where both seem to be missing, the host's
    /// is looked at once more.
    package func sealedTo() throws -> AgeRecipient? {
        // A damaged file is told where it is shipped from; speech is sealed meanwhile to a key of our own.
        func host() throws -> AgeRecipient? {
            do { return try PairedHostFile.load(folder.host)?.recipients.first } catch is PairedHostFile
                .Damaged
            {
                return nil
            }
        }
        return try host() ?? unpaired().first?.recipient ?? host()
    }
}
