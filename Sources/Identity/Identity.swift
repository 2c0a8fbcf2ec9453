/// Who a device or a host is: a P-256 key, its self-signed certificate, and the pin by which the other side knows
/// it. There is no authority and no date: the pin is all that is trusted.
package struct Identity: Equatable, Sendable {
    /// PKCS #8.
    package let keyPEM: [UInt8]
    /// X.509, valid 1970–9999.
    package let certificatePEM: [UInt8]
    /// SHA-256 of the DER SubjectPublicKeyInfo, 32 bytes (RFC 7469, 2.4 defines the same pin).
    package let pin: [UInt8]

    /// A fresh key and its certificate; `name` is what the certificate calls its holder (64 bytes count).
    package static func make(name: String) throws(IdentityError) -> Identity {
        try Identity(key: PrivateKey.make(), name: name)
    }

    /// From the two PEM files' bytes. Throws `.failed` for what GnuTLS cannot read; nil when the certificate was
    /// made for another key.
    package init?(keyPEM: [UInt8], certificatePEM: [UInt8]) throws(IdentityError) {
        let pin = try PrivateKey.read(keyPEM).pin()
        guard try Certificate.read(certificatePEM, format: pemFormat).pin() == pin else { return nil }
        self.keyPEM = keyPEM
        self.certificatePEM = certificatePEM
        self.pin = pin
    }

    init(key: consuming PrivateKey, name: String) throws(IdentityError) {
        keyPEM = try key.pem()
        certificatePEM = try Certificate.make(for: key, name: name).pem()
        pin = try key.pin()
    }

    /// 64 lower-case hexadecimal digits: how the pin is shown and stored.
    package var pinHex: String { Self.hex(pin) }

    /// A pin's bytes as they are shown and stored.
    package static func hex(_ pin: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let text = pin.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }
}
