import Catalogue
import Sealing
import Wire

extension Inbox {
    /// age says who can open a file, and nothing of who made it: a device that gave a signing key at its pairing signs
    /// each upload. Throws `unsigned`, `store`.
    func checkSignature(_ new: NewUpload) throws(InboxError) {
        let key = try store { () throws(StoreError) in try catalogue.signingKey(of: new.device) }
        guard let key else { return }
        let part = "The \(new.kind.rawValue) of utterance \(new.utterance)"
        guard let signature = new.signature else {
            throw .unsigned(
                reason:
                    "\(part) is not signed, and this device signs what it sends: pair it again if its key is lost."
            )
        }
        let text = UploadKey.signedText(utterance: new.utterance, kind: new.kind, sha256: new.sha256)
        guard let bytes = Hex.decode(signature), signatureFits(bytes, Array(text.utf8), publicKeyHex: key)
        else {
            throw .unsigned(
                reason: "\(part) is not signed by the key that this device was paired with: pair it again.")
        }
    }
}
