import Catalogue

/// The rows of a catalogue in memory.
struct MemoryRows: Sendable {
    struct UploadRow: Sendable {
        var announced: AnnouncedUpload
        var sha256: String
        var completedAt: Int64?
        var forgottenAt: Int64?

        var upload: Upload {
            Upload(
                id: announced.id, utterance: announced.utterance, kind: announced.kind, seq: announced.seq,
                device: announced.device, length: announced.length, sha256: sha256, ext: announced.ext,
                complete: completedAt != nil, forgotten: forgottenAt != nil, metadata: announced.metadata)
        }
    }

    struct UtteranceRow: Sendable {
        let seq: UInt64
        let device: String
        let firstAt: Int64
        var manifest: KeptManifest?
        var rangAt: Int64?
        var audio: StoredFile?
        var part = PartState.no
        var storedAt: Int64?
    }

    struct DeviceRow: Sendable {
        var name: String
        var signingKey: String?
        let pairedAt: Int64
        var lastSeen: Int64?
    }

    struct TokenRow: Sendable {
        let bootID: String
        let expires: Int64
        var spentBy: String?
    }

    struct Loose: Hashable, Sendable {
        let name: ShelfName
        let utterance: String
    }

    struct Hold: Hashable, Sendable {
        let upload: String
        let pin: String
    }

    var uploads: [String: UploadRow] = [:]
    var utterances: [String: UtteranceRow] = [:]
    var devices: [String: DeviceRow] = [:]
    var tokens: [String: TokenRow] = [:]
    var contacts: [ContactKey: Contact] = [:]
    var holds: Set<Hold> = []
    var loose: Set<Loose> = []
    var feed: [FeedEntry] = []
    var newest: Int64 = 0

    mutating func keep(_ contact: Contact, of key: ContactKey) {
        if let seen = devices[key.device]?.lastSeen {
            devices[key.device]?.lastSeen = max(seen, contact.seenAt)
        } else {
            devices[key.device]?.lastSeen = contact.seenAt
        }
        if key.bootID.isEmpty { return }
        contacts[key] = contacts[key].map { $0.merged(with: contact) } ?? contact
    }

    mutating func add(_ device: NewDevice) {
        if devices[device.pin] == nil {
            devices[device.pin] = DeviceRow(name: device.name, pairedAt: device.at)
        }
        devices[device.pin]?.name = device.name
        if let key = device.signingKey { devices[device.pin]?.signingKey = key }
        happened(.paired(device: device.pin, name: nil), at: device.at)
    }

    mutating func happened(_ event: FeedEntry.Event, at: Int64) {
        newest += 1
        feed.append(FeedEntry(number: newest, at: at, event: event))
    }

    mutating func prune(keeping entries: Int) {
        if feed.count > entries { feed.removeFirst(feed.count - entries) }
    }
}
