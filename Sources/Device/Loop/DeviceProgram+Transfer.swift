import DeviceMachine
import DeviceSettings
import HostLink
import Identity
import Outbox
import Shipper
import Threads
import Turn
import Wire

extension DeviceProgram {
    /// The transfer of this device's outbox; what happens to it comes back as events.
    func makeShipper() -> Shipper {
        let (folder, events, log, foreign) = (self.folder, self.events, self.log, settings.foreign)
        let extra = settings.host.flatMap { HostAddress($0) }
        let own = keys.signing.publicKeyHex
        tellForeign()
        return Shipper(
            outbox: outbox, credentials: Credentials(folder: folder.identity), signing: keys.signing,
            ways: Shipper.Ways(
                memory: LastAddress.memory(in: folder, log: log), discovery: .multicast)
        ) {
            destination(folder, signingKey: own, extra: extra, foreign: foreign, log: log)
        } report: {
            for event in custodyEvents($0) { events.post(.host(event)) }
        }
    }

    /// What the setting `foreign` means for this device now.
    private func tellForeign() {
        guard let foreign = settings.foreign else { return }
        if let host = try? PairedHostFile.load(folder.host) {
            log.write(.error, foreignUnused(foreign, host.name))
        } else {
            log.write(
                .notice,
                "sealed recordings go to \(foreign), whose word is no receipt: what it acknowledges stays in sent/ while there is room"
            )
        }
    }
}

/// A paired host and the setting `foreign` at once: the host's receipt is the one that counts.
package func foreignUnused(_ foreign: ForeignServer, _ host: String) -> String {
    "The setting `foreign` (\(foreign)) is not used: this device is paired with \(host). Take the setting out, or `lapel unpair`."
}

/// Where recordings go now; nil for nowhere.
private func destination(
    _ folder: DeviceFolder, signingKey: String, extra: HostAddress?, foreign: ForeignServer?, log: Log
) -> Destination? {
    do {
        guard let file = try PairedHostFile.load(folder.host) else { return foreign.map(Destination.foreign) }
        return pairedHost(file, folder, signingKey: signingKey, extra: extra, log: log).map(
            Destination.paired)
    } catch {
        log.write(.error, "\(error)")
        return nil
    }
}

/// The paired host as it is remembered now; nil when nothing can be sent to it, which is told.
private func pairedHost(
    _ file: PairedHostFile, _ folder: DeviceFolder, signingKey: String, extra: HostAddress?, log: Log
) -> PairedHost? {
    guard file.signingKey.isEmpty || file.signingKey == signingKey else {
        // The host would refuse each recording for good.
        log.write(
            .error,
            "\(folder.signingKey) is not the key that the host knows this device by: nothing is sent. Put it back from a copy, or pair again."
        )
        return nil
    }
    let addresses = file.addresses + (extra.map { [$0] } ?? []).filter { !file.addresses.contains($0) }
    return PairedHost(addresses: addresses, pin: file.pin, recipients: Set(file.recipients))
}

/// The transfer's events as facts for the machine; none for what only concerns the transfer itself.
private func custodyEvents(_ event: ShipperEvent) -> [CustodyEvent] {
    let now = MonotonicClock.now
    switch event {
    case .rung(let name, let at): return [.rung(UtteranceID(name.id), at: at)]
    case .stored(let name, let at): return [.stored(UtteranceID(name.id), at: at)]
    case .letGo(let name, let at): return [.letGo(UtteranceID(name.id), at: at)]
    case .setAside(let name, let at): return [.setAside(UtteranceID(name.id), at: at)]
    case .gapTold: return []
    case .parked(let name, let reason): return [.parked(UtteranceID(name.id), reason: reason, at: now)]
    case .delayed(let name, let reason, let retryIn):
        let sentence = "utterance=\(name.id) waits: \(reason); next try in \(retryIn.components.seconds) s"
        return [.unreachable(sentence, at: now)]
    case .unreachable(let reason, let retryIn):
        return [.unreachable("\(reason) Next try in \(retryIn.components.seconds) s.", at: now)]
    case .heldBack(let count): return [.heldBack(count: count, at: now)]
    case .heldInTheClear(let count):
        guard count > 0 else { return [] }
        let sentence =
            "\(count) recording\(count == 1 ? " lies" : "s lie") in the clear and \(count == 1 ? "goes" : "go") to no foreign server: pair with a host, or copy everything out with `lapel outbox export DIR`."
        return [.unreachable(sentence, at: now)]
    case .mistrusted(let reason): return [.mistrusted(reason, at: now)]
    case .problem(let name, let reason): return [.unreachable("utterance=\(name.id): \(reason)", at: now)]
    case .idle: return []
    }
}
