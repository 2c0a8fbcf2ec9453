import Catalogue
import Sealing
import Wire

extension Inbox {
    /// The commit after which the receipt may be given; true when the utterance became whole by it.
    ///
    /// What was withdrawn meanwhile is not brought back: then only its file is removed.
    func complete(_ upload: Upload, _ completion: Completion) throws(InboxError) -> Bool {
        let now = clock.now().milliseconds
        let outcome = try store { () throws(StoreError) in
            try beforeCommit?()
            return try catalogue.complete(upload, completion, at: now)
        }
        switch outcome {
        case .stored(let madeWhole): return madeWhole
        case .withdrawn:
            try removeWithdrawn(upload)
            return false
        }
    }
}

extension KeptManifest {
    /// A manifest that was read, and its clear bytes; `device` is the pin that sent it.
    init(_ manifest: Manifest, _ bytes: [UInt8], sentBy device: String) {
        let needsAudio = if case .gap = manifest.kind { false } else { true }
        self.init(
            bytes: bytes, sha256: SHA256.digest(of: bytes).hex,
            recorder: manifest.device.isEmpty ? device : manifest.device, bootID: manifest.bootID,
            startBoot: manifest.start.boot, startWall: manifest.start.wall,
            wallSynchronised: manifest.wallSynchronised, needsAudio: needsAudio)
    }
}
