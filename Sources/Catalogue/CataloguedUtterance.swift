/// An utterance as its row says.
package struct CataloguedUtterance: Equatable, Sendable {
    /// 32 hexadecimal digits.
    package let id: String
    /// Its place in the device's order.
    package let seq: UInt64
    /// The pin that sent its first part.
    package let device: String
    /// The device's name; nil for one that was removed.
    package let deviceName: String?
    /// Clear bytes as they were kept; nil until it has rung.
    package let manifest: [UInt8]?
    /// What they must hash to; nil in rows of an older program, whose manifest's upload says it.
    package let manifestSHA256: String?
    /// Nil until the recording is here.
    package let audio: StoredFile?
    package let part: PartState
    /// When its first part was stored, milliseconds since 1970.
    package let firstAt: Int64
    /// When it was whole, milliseconds since 1970; nil until then.
    package let storedAt: Int64?

    package init(
        id: String, seq: UInt64, device: String, deviceName: String?, manifest: [UInt8]?,
        manifestSHA256: String?, audio: StoredFile?, part: PartState, firstAt: Int64, storedAt: Int64?
    ) {
        self.id = id
        self.seq = seq
        self.device = device
        self.deviceName = deviceName
        self.manifest = manifest
        self.manifestSHA256 = manifestSHA256
        self.audio = audio
        self.part = part
        self.firstAt = firstAt
        self.storedAt = storedAt
    }
}

/// How far an utterance has come.
package struct UtteranceProgress: Equatable, Sendable {
    /// Its manifest is here.
    package let hasRung: Bool
    package let part: PartState

    package init(hasRung: Bool, part: PartState) {
        self.hasRung = hasRung
        self.part = part
    }

    /// Nothing is known of it.
    package static let unknown = UtteranceProgress(hasRung: false, part: .no)
}

/// The tombstone of an utterance.
package struct ForgottenUtterance: Equatable, Sendable {
    /// 32 hexadecimal digits.
    package let id: String
    /// Its place in the device's order.
    package let seq: UInt64
    /// The pin that sent it.
    package let device: String
    /// Milliseconds since 1970.
    package let forgottenAt: Int64

    package init(id: String, seq: UInt64, device: String, forgottenAt: Int64) {
        self.id = id
        self.seq = seq
        self.device = device
        self.forgottenAt = forgottenAt
    }
}
