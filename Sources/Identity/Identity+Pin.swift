/// A device hands its two PEM files to libcurl by path and needs of its identity nothing but the pin. Reading that
/// from a file of its own leaves GnuTLS unused, which is 1 MB of resident memory (measured, Debian 12, amd64).
extension Identity {
    /// Beside key and certificate: the pin, 64 hexadecimal digits and a line end, and then the certificate that
    /// it was computed from.
    package static let pinFile = "pin"

    package static func pinPath(in folder: String) -> String { folder + "/" + pinFile }

    /// The pin of the identity in `folder`, 64 lower-case hexadecimal digits; makes the identity when there is
    /// none, as `loadOrMake` does.
    ///
    /// The pin file counts only while the certificate is, byte for byte, the one that it was made from. Whether
    /// the key still fits the certificate is then left to the first handshake.
    package static func pinHex(
        folder: String, name: String, save: (String, [UInt8]) throws -> Void
    ) throws(IdentityError) -> String {
        let path = pinPath(in: folder)
        if let pin = try contents(path), let certificate = try contents(certificatePath(in: folder)),
            exists(keyPath(in: folder)), pin.count == 65 + certificate.count,
            pin[65...].elementsEqual(certificate)
        {
            return String(decoding: pin[..<64], as: UTF8.self)
        }
        let identity = try loadOrMake(folder: folder, name: name, save: save)
        let pin = identity.pinHex
        try write(Array((pin + "\n").utf8) + identity.certificatePEM, to: path, save)
        return pin
    }
}
