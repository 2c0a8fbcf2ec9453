// Contract
//  1. An operation happens whole or not at all; one that throws has changed nothing, unless its error came from the
//     sync: then what it changed may be seen and is not promised until `settle` returns.
//  2. *Settled*: when it returns, what it changed, and everything that could be read before it, holds through a power
//     cut. An operation that does not say otherwise is settled.
//  3. *Lazily*: what it changed is seen at once, and holds with the next settled operation, or with `settle`. A power
//     cut before that may take it back, together with every lazy change that came after it.
//  4. Contacts that were noted travel with the next change of whatever kind.
//  5. Several programs may have one catalogue open; each sees what another one changed.
//  6. What was withdrawn or dropped, and a manifest that was replaced, stands nowhere in it any more once
//     `eraseRemains` has returned.
//  7. It knows of no file: that the bytes are where a row says is for `Inbox`.
//
// Used by several threads at once. Each operation blocks for the others' changes, and a settled one for a sync.
// Times are milliseconds since 1970 unless said otherwise.

/// The host's memory of what came from whom: rows in, rows out.
package protocol Catalogue: Sendable {
    // Uploads.

    /// Nil when there is none.
    func upload(_ id: String) throws(StoreError) -> Upload?

    /// In the order of their announcement where a selection names one.
    func uploads(_ selection: UploadSelection) throws(StoreError) -> [Upload]

    /// Makes a row, *lazily*; false when one with this id is there, which stays as it is. A part of an utterance that
    /// was withdrawn is made complete and withdrawn, so that its device lets go of it.
    func announce(_ announcement: AnnouncedUpload) throws(StoreError) -> Bool

    /// Removes the row of an upload that is not complete, *lazily*; of another one nothing.
    func drop(upload id: String) throws(StoreError)

    /// Says what a plain file is called for its content, unless it was withdrawn.
    func name(upload id: String, sha256: String) throws(StoreError)

    /// Notes that another pin has announced the same upload, *lazily*. Once more is no error.
    func hold(upload id: String, by pin: String) throws(StoreError)

    /// Whether a pin has announced an upload that another one created.
    func holds(upload id: String, pin: String) throws(StoreError) -> Bool

    /// Uploads of a device that are not complete.
    func halfCount(of device: String) throws(StoreError) -> Int

    /// The sum of the lengths of everything a device has announced and that is not withdrawn; at the cost of one row.
    func usage(of device: String) throws(StoreError) -> Int

    /// Makes an upload complete and changes its utterance, which it makes when it is the first part; adds `rung` (of
    /// a manifest) and `stored` to the feed. Of one that is complete already it changes nothing.
    func complete(_ upload: Upload, _ completion: Completion, at: Int64) throws(StoreError)
        -> CompletionOutcome

    // Utterances.

    func progress(of utterance: String) throws(StoreError) -> UtteranceProgress

    /// The clear bytes of its manifest; nil before it has rung.
    func manifest(of utterance: String) throws(StoreError) -> [UInt8]?

    /// The `limit` last ones whose id begins with `idPrefix`, in the order in which they came.
    func utterances(idPrefix: String, limit: Int) throws(StoreError) -> [CataloguedUtterance]

    /// The whole plain files whose id begins with `idPrefix`, in the order in which they came.
    func files(idPrefix: String) throws(StoreError) -> [CataloguedFile]

    // Withdrawal, and files that are nobody's.

    /// Marks every upload of an utterance as complete and withdrawn, deletes the utterance, and notes their files as
    /// loose; adds `forgotten` to the feed. False when nothing of it was ever announced. Once more changes nothing.
    func withdraw(utterance: String, at: Int64) throws(StoreError) -> Bool

    /// Tombstones whose id begins with `idPrefix`, the latest withdrawal last.
    func forgotten(idPrefix: String) throws(StoreError) -> [ForgottenUtterance]

    /// Overwrites what deleted rows held. As far as another program's reading allows; the next call does the rest.
    func eraseRemains() throws(StoreError)

    /// Notes that an object is on the shelf, or about to be, and is not its utterance's. Once more is no error.
    func noteLoose(_ name: ShelfName, of utterance: String) throws(StoreError)

    /// Of an utterance, or of all.
    func loose(of utterance: String?) throws(StoreError) -> [ShelfName]

    /// Ends what `noteLoose` and `withdraw` noted, of an utterance or of all.
    func endLoose(_ name: ShelfName, of utterance: String?) throws(StoreError)

    /// Runs `body` unless an utterance, or an upload that is not withdrawn, names the object. No such upload can be
    /// announced while `body` runs, which must not ask the catalogue. What `body` throws is thrown.
    func ifUnnamed(_ name: ShelfName, _ body: () throws(StoreError) -> Void) throws(StoreError)

    /// Runs `body` unless there is an upload with this id; none can be announced while it runs, and
    /// it must not ask the catalogue. What it throws is thrown.
    func ifUnknown(upload id: String, _ body: () throws(StoreError) -> Void) throws(StoreError)

    // Devices and tokens.

    func isPaired(_ pin: String) throws(StoreError) -> Bool

    /// Nil for a device that gave none, or is not paired.
    func signingKey(of pin: String) throws(StoreError) -> String?

    /// In the order of their pairing.
    func devices() throws(StoreError) -> [PairedDevice]

    /// Accepts a device; one that is known gets the new name. Adds `paired` to the feed.
    func add(_ device: NewDevice) throws(StoreError)

    /// What it sent stays. False when there is no such device.
    func removeDevice(pin: String) throws(StoreError) -> Bool

    /// Keeps a token by its hash until `expires`, nanoseconds of the host's boot time, and lets go of the old ones.
    func addToken(hash: String, expires: Int64, now: BootInstant) throws(StoreError)

    /// Spends a token for a device, and accepts the device as `add` does, in one. False for a token that is unknown,
    /// too old, of another boot, or spent by another device. By the same device it is spent again.
    func spendToken(hash: String, for device: NewDevice, now: BootInstant) throws(StoreError) -> Bool

    // Clocks of devices.

    /// Remembers a contact; it is not seen, nor kept, before the next change. Writes nothing and cannot fail.
    func note(_ contact: Contact, of key: ContactKey)

    /// Keeps what was noted: at the end of a program.
    func keepContacts() throws(StoreError)

    /// The boots in which a recorder, or whoever sent recordings of it, was in contact.
    func contactedBoots(of recorder: String) throws(StoreError) -> [ContactedBoot]

    /// The boots that manifests of a recorder name.
    func recordedBoots(of recorder: String) throws(StoreError) -> [RecordedBoot]

    // The whole.

    /// Returns when everything that can be read now holds through a power cut. Costs nothing when it does already.
    func settle() throws(StoreError)

    /// What is wrong with the catalogue's own file or server, a phrase each; reads all of it.
    func faults() throws(StoreError) -> [String]
}
