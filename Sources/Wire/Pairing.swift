/// The body of `POST /v1/pair`. The device's pin is not in it: it is the key of the client certificate.
package struct PairRequest: Equatable, Sendable {
    /// The one-time token of the pairing URL, 16 bytes.
    package var token: [UInt8]
    /// What the host shows for this device.
    package var deviceName: String
    /// The Ed25519 public key that signs its hashes, 64 hexadecimal digits; nil for none.
    package var signingKey: String?

    package init(token: [UInt8], deviceName: String, signingKey: String? = nil) {
        self.token = token
        self.deviceName = deviceName
        self.signingKey = signingKey
    }

    package var json: JSON {
        [
            "token": .string(Hex.encode(token)), "device_name": .string(deviceName),
            "signing_key": .optional(signingKey),
        ]
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
        self.init(token: token, deviceName: try fields.text("device_name"), signingKey: key)
    }
}

/// The host's answer to a good `PairRequest`.
package struct PairAnswer: Equatable, Sendable {
    /// What the host calls itself.
    package var hostName: String
    /// Whether this host answers utterances with replies.
    package var replies: Bool
    /// Keys to seal recordings to, as age recipients (`age1…`); none: recordings travel unsealed.
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
        self.init(
            hostName: try fields.text("host_name"), replies: try fields.optionalBool("replies") ?? false,
            recipients: recipients)
    }
}
