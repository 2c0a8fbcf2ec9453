/// The body of `POST /v1/pair`. The device's pin is not in it: it is the key of the client certificate.
package struct PairRequest: Equatable, Sendable {
    /// The one-time token of the pairing URL, 16 bytes.
    package var token: [UInt8]
    /// What the host shows for this device.
    package var deviceName: String
    /// The Ed25519 public key that signs its hashes, 64 hexadecimal digits; nil for none.
    package var signingKey: String?
    /// age identities (`AGE-SECRET-KEY-1…`) that the device sealed to while it was not paired: the host keeps them
    /// before it answers, and the device then lets go of them. They are secret: never in a log or an error.
    package var keys: [String]

    /// More keys than this in one request are refused: a device makes one, and one more when its card was cloned.
    package static let mostKeys = 16

    package init(token: [UInt8], deviceName: String, signingKey: String? = nil, keys: [String] = []) {
        self.token = token
        self.deviceName = deviceName
        self.signingKey = signingKey
        self.keys = keys
    }

    package var json: JSON {
        var members: [(key: String, value: JSON)] = [
            ("token", .string(Hex.encode(token))), ("device_name", .string(deviceName)),
            ("signing_key", .optional(signingKey)),
        ]
        if !keys.isEmpty { members.append(("keys", .array(keys.map(JSON.string)))) }
        return .object(members)
    }

    package init(json: JSON) throws(WireError) {
        let fields = try JSONFields(json, document: "pairing request")
        guard let token = Hex.decode(try fields.text("token")), token.count == 16 else {
            throw fields.wrong("token", "is not 32 hexadecimal digits")
        }
        let key = try fields.optionalText("signing_key")
        if let key, !Hex.isLowercase(key, digits: 64) {
            throw fields.wrong("signing_key", "is not 64 hexadecimal digits")
        }
        var keys: [String] = []
        for value in fields.has("keys") ? try fields.list("keys") : [] {
            guard let key = value.string else { throw fields.wrong("keys", "holds no text") }
            keys.append(key)
        }
        guard keys.count <= Self.mostKeys else {
            throw fields.wrong("keys", "holds more than \(Self.mostKeys) keys")
        }
        self.init(token: token, deviceName: try fields.text("device_name"), signingKey: key, keys: keys)
    }
}

/// The host's answer to a good `PairRequest`.
package struct PairAnswer: Equatable, Sendable {
    /// What the host calls itself.
    package var hostName: String
    /// Whether this host answers utterances with replies.
    package var replies: Bool
    /// What the host can open, as age recipients (`age1…`): first the one to seal to, then every other key it
    /// holds, so that the device knows which of its waiting recordings this host can take. None: recordings travel
    /// unsealed.
    package var recipients: [String]

    package init(hostName: String, replies: Bool = false, recipients: [String] = []) {
        self.hostName = hostName
        self.replies = replies
        self.recipients = recipients
    }

    package var json: JSON {
        [
            "host_name": .string(hostName), "replies": .bool(replies),
            "recipients": .array(recipients.map(JSON.string)),
        ]
    }

    package init(json: JSON) throws(WireError) {
        let fields = try JSONFields(json, document: "pairing answer")
        var recipients: [String] = []
        for value in fields.has("recipients") ? try fields.list("recipients") : [] {
            guard let recipient = value.string else { throw fields.wrong("recipients", "holds no text") }
            recipients.append(recipient)
        }
        let name = try fields.text("host_name")
        // It is shown in a terminal and stands in the log.
        guard name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw fields.wrong("host_name", "holds a control character")
        }
        self.init(
            hostName: name, replies: try fields.optionalBool("replies") ?? false, recipients: recipients)
    }
}
