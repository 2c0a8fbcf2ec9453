import CGnuTLS

/// How GnuTLS calls PEM and DER, so that only files with this import need to know.
let pemFormat = GNUTLS_X509_FMT_PEM
let derFormat = GNUTLS_X509_FMT_DER

/// The pin of whoever is at the other end of a GnuTLS session; nil when it sent no usable certificate.
///
/// `session` is a `gnutls_session_t` whose handshake is done. That the peer holds the key is the handshake's
/// proof; nothing else of the certificate is looked at.
package func peerPin(session: UnsafeMutableRawPointer) -> [UInt8]? {
    var count: UInt32 = 0
    guard let list = gnutls_certificate_get_peers(OpaquePointer(session), &count), count > 0,
        let data = list[0].data
    else { return nil }
    let bytes = Array(UnsafeBufferPointer(start: data, count: Int(list[0].size)))
    return try? Certificate.read(bytes, format: derFormat).pin()
}
