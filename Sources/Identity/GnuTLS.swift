import CGnuTLS

/// One place where GnuTLS's return codes become errors.
func gnutls(_ operation: String, _ code: Int32) throws(IdentityError) {
    guard code < 0 else { return }
    throw .failed(operation: operation, reason: String(cString: gnutls_strerror(code)))
}

/// A P-256 private key.
struct PrivateKey: ~Copyable {
    fileprivate let handle: gnutls_x509_privkey_t

    private init(empty operation: String) throws(IdentityError) {
        var handle: gnutls_x509_privkey_t?
        try gnutls(operation, gnutls_x509_privkey_init(&handle))
        guard let handle else { throw .failed(operation: operation, reason: "no memory") }
        self.handle = handle
    }

    deinit { gnutls_x509_privkey_deinit(handle) }

    /// A fresh one.
    static func make() throws(IdentityError) -> PrivateKey {
        let key = try PrivateKey(empty: "make a key")
        let code = gnutls_x509_privkey_generate(key.handle, GNUTLS_PK_ECDSA, lapel_gnutls_p256(), 0)
        try gnutls("make a key", code)
        return key
    }

    /// From PKCS #8 in PEM.
    static func read(_ pem: [UInt8]) throws(IdentityError) -> PrivateKey {
        let key = try PrivateKey(empty: "read the key")
        let code = withDatum(pem) { gnutls_x509_privkey_import(key.handle, $0, GNUTLS_X509_FMT_PEM) }
        try gnutls("read the key", code)
        return key
    }

    /// PKCS #8 in PEM, not encrypted: a device has nobody who could type a password.
    borrowing func pem() throws(IdentityError) -> [UInt8] {
        var out = gnutls_datum_t()
        let plain = GNUTLS_PKCS_PLAIN.rawValue
        let code = gnutls_x509_privkey_export2_pkcs8(handle, GNUTLS_X509_FMT_PEM, nil, plain, &out)
        try gnutls("write the key", code)
        return takeBytes(out)
    }

    borrowing func pin() throws(IdentityError) -> [UInt8] {
        let handle = handle
        return try keyID("read the key's public half") { gnutls_x509_privkey_get_key_id(handle, $0, $1, $2) }
    }
}

/// An X.509 certificate.
struct Certificate: ~Copyable {
    private let handle: gnutls_x509_crt_t

    private init(empty operation: String) throws(IdentityError) {
        var handle: gnutls_x509_crt_t?
        try gnutls(operation, gnutls_x509_crt_init(&handle))
        guard let handle else { throw .failed(operation: operation, reason: "no memory") }
        self.handle = handle
    }

    deinit { gnutls_x509_crt_deinit(handle) }

    /// Self-signed, valid from 1970 to 9999: a device without a clock stands at 1970 and must not be refused
    /// by anybody's date check (RFC 5280, 4.1.2.5: 99991231235959Z means "no end").
    static func make(for key: borrowing PrivateKey, name: String) throws(IdentityError) -> Certificate {
        let operation = "make a certificate"
        let certificate = try Certificate(empty: operation)
        let handle = certificate.handle
        var serial = [UInt8](repeating: 0, count: 16)
        try gnutls(operation, gnutls_rnd(GNUTLS_RND_NONCE, &serial, serial.count))
        serial[0] = serial[0] & 0x7F | 1  // positive and not zero (RFC 5280, 4.1.2.2)
        try gnutls(operation, gnutls_x509_crt_set_version(handle, 3))
        try gnutls(operation, gnutls_x509_crt_set_serial(handle, serial, serial.count))
        try gnutls(operation, gnutls_x509_crt_set_activation_time(handle, 0))
        try gnutls(operation, gnutls_x509_crt_set_expiration_time(handle, 253_402_300_799))
        let name = Array(name.utf8.prefix(64))  // RFC 5280, ub-common-name
        let named = gnutls_x509_crt_set_dn_by_oid(
            handle, GNUTLS_OID_X520_COMMON_NAME, 0, name, UInt32(name.count))
        try gnutls(operation, named)
        try gnutls(operation, gnutls_x509_crt_set_key(handle, key.handle))
        try gnutls(operation, gnutls_x509_crt_sign2(handle, handle, key.handle, GNUTLS_DIG_SHA256, 0))
        return certificate
    }

    static func read(_ bytes: [UInt8], format: gnutls_x509_crt_fmt_t) throws(IdentityError) -> Certificate {
        let certificate = try Certificate(empty: "read the certificate")
        let code = withDatum(bytes) { gnutls_x509_crt_import(certificate.handle, $0, format) }
        try gnutls("read the certificate", code)
        return certificate
    }

    borrowing func pem() throws(IdentityError) -> [UInt8] {
        var out = gnutls_datum_t()
        try gnutls("write the certificate", gnutls_x509_crt_export2(handle, GNUTLS_X509_FMT_PEM, &out))
        return takeBytes(out)
    }

    borrowing func pin() throws(IdentityError) -> [UInt8] {
        let handle = handle
        return try keyID("read the certificate's key") { gnutls_x509_crt_get_key_id(handle, $0, $1, $2) }
    }
}

/// GnuTLS's "key id" with SHA-256 is the hash of the SubjectPublicKeyInfo: what libcurl calls the pin.
private func keyID(
    _ operation: String, _ read: (UInt32, UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<Int>) -> Int32
) throws(IdentityError) -> [UInt8] {
    var pin = [UInt8](repeating: 0, count: 32)
    var count = pin.count
    let code = pin.withUnsafeMutableBufferPointer { bytes in
        bytes.baseAddress.map { read(GNUTLS_KEYID_USE_SHA256.rawValue, $0, &count) } ?? -1
    }
    try gnutls(operation, code)
    return pin
}

private func withDatum(_ bytes: [UInt8], _ body: (UnsafePointer<gnutls_datum_t>) -> Int32) -> Int32 {
    var bytes = bytes
    return bytes.withUnsafeMutableBufferPointer { bytes in
        var datum = gnutls_datum_t(data: bytes.baseAddress, size: UInt32(bytes.count))
        return body(&datum)
    }
}

private func takeBytes(_ datum: gnutls_datum_t) -> [UInt8] {
    let bytes = Array(UnsafeBufferPointer(start: datum.data, count: Int(datum.size)))
    lapel_gnutls_free(datum.data)
    return bytes
}
