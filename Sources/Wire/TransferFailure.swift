/// Why a request brought no answer.
package enum TransferFailure: Hashable, Sendable, CaseIterable {
    /// No connection: nothing was sent.
    case unreachable
    /// The connection closed or broke; any part of the request may have arrived.
    case cut
    /// No byte moved for as long as the request bears: 20 s, unless it waits for something.
    case stalled
    /// Whoever answered holds another key than the paired host. Nothing was sent.
    case mistrusted
}

/// Why a session waits, as a sentence for whoever holds the device.
package enum WaitReason: Hashable, Sendable, CustomStringConvertible {
    case unreachable
    case cut
    case stalled
    /// 423: the host is finishing this upload or another writer has it.
    case locked
    /// 507.
    case noRoom
    case notNow(status: Int)
    case notAnUploadServer(status: Int)
    /// 401, 403 of a foreign server.
    case notAllowed(status: Int)
    /// All bytes are at the host, its receipt is not written yet.
    case unfinished
    /// The host refused the checksum although the file is whole.
    case corruptedOnTheWay
    /// Answers that do not fit together.
    case nonsense

    /// True when the host or the way to it is in trouble, so that other uploads would fare no better; false when
    /// only this upload has to wait.
    package var concernsHost: Bool {
        switch self {
        case .unreachable, .stalled, .noRoom, .notNow, .notAnUploadServer, .notAllowed: true
        case .cut, .locked, .unfinished, .corruptedOnTheWay, .nonsense: false
        }
    }

    package var description: String {
        switch self {
        case .unreachable: "The host is not reachable."
        case .cut: "The connection to the host broke."
        case .stalled: "The connection to the host stood still for 20 seconds."
        case .locked: "The host is still busy with this recording."
        case .noRoom: "The host's disk is full."
        case .notNow(let status): "The host is not well (HTTP \(status))."
        case .notAnUploadServer(let status):
            "What answers at the host's address takes no recordings (HTTP \(status)): check the address and the host's version."
        case .notAllowed(let status):
            "The server does not let this device in (HTTP \(status)): it must take uploads without a login."
        case .unfinished: "The host has the recording and has not confirmed it yet."
        case .corruptedOnTheWay: "The recording arrives damaged at the host: check the network in between."
        case .nonsense: "The host's answers about this recording contradict each other."
        }
    }
}

/// Why an upload is given up for good and kept on the device.
package enum ParkReason: Hashable, Sendable, CustomStringConvertible {
    /// 422: the host cannot open it, or knows other bytes under this id.
    case refused
    case tooLarge
    /// Any other refusal that a repetition would not change.
    case permanent(status: Int)
    /// The file no longer has the hash it was finished with.
    case rotten
    /// The host has other bytes under this id.
    case otherBytesAtHost

    package var description: String {
        switch self {
        case .refused:
            "The host cannot open this recording (it may be sealed to another key); it stays on the device, parked."
        case .tooLarge: "The host takes no recording this large; it stays on the device, parked."
        case .permanent(let status):
            "The host refused this recording for good (HTTP \(status)); it stays on the device, parked."
        case .rotten:
            "The recording's file changed after it was finished: the memory card is failing. It stays on the device, parked."
        case .otherBytesAtHost:
            "The host holds other sound under this recording's name; the device's copy stays, parked."
        }
    }
}

/// Why nothing more is sent until the pairing changes.
package enum MistrustReason: Hashable, Sendable, CustomStringConvertible {
    /// The pin differs.
    case otherKey
    /// 401, 403: the host does not know this device's key (any more).
    case unknownDevice

    package var description: String {
        switch self {
        case .otherKey:
            "Somebody else answers at the host's address: nothing was sent. If the host was set up anew, pair again."
        case .unknownDevice:
            "The host does not know this device: pair again with `lapel-host pair` and `lapel pair URL`."
        }
    }
}
