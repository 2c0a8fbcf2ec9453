import Device
import HostLink
import Shipper
import Threads
import Wire

extension DoctorProbe {
    func hostFacts(_ host: Result<PairedHostFile?, any Error>) -> HostFacts {
        let file: PairedHostFile
        do {
            guard let paired = try host.get() else {
                return settings.foreign.map { .foreign("\($0)") } ?? .unpaired
            }
            file = paired
        } catch {
            return .broken(Obstacle(ofFile: error, mend: "Pair again with `lapel pair URL`."))
        }
        if let own = try? DeviceKeys(folder: folder).signing(), !file.signingKey.isEmpty,
            own.publicKeyHex != file.signingKey
        {
            return .broken(
                Obstacle(
                    "\(folder.signingKey) is not the key that \(file.name) knows this device by: nothing is sent.",
                    mend: "Put it back from a copy, or pair again."))
        }
        let extra = settings.host.flatMap { HostAddress($0) }
        let addresses = file.addresses + (extra.map { [$0] } ?? []).filter { !file.addresses.contains($0) }
        let credentials = Credentials(folder: folder.identity)
        var tries = addresses.map { HostFacts.Try(address: "\($0)", end: end(file.pin, $0, credentials)) }
        if !tries.contains(where: \.end.isAnswer),
            let found = findHost(pin: file.pin, addresses: addresses, credentials: credentials),
            !addresses.contains(found)
        {
            tries.append(HostFacts.Try(address: "\(found)", end: end(file.pin, found, credentials)))
        }
        return .paired(name: file.name, tries: tries)
    }

    /// Name, port, TLS and key, one after the other.
    private func end(_ pin: [UInt8], _ address: HostAddress, _ credentials: Credentials) -> HostFacts.End {
        let places: [NetworkPlace]
        do { places = try NetworkPlace.resolve(address.host, port: address.port) } catch {
            return .noName(error.reason)
        }
        var refusals: [String] = []
        guard
            let open = places.first(where: { place in
                guard let refusal = place.refusal(patience: .seconds(3)) else { return true }
                refusals.append(refusal)
                return false
            })
        else {
            return .noPort(
                found: places.map(\.text).joined(separator: ", "), reason: refusals.first ?? "nothing")
        }
        switch askHost(pin: pin, at: address, credentials: credentials) {
        case .here(let after): return .answers(found: open.text, after: after)
        case .unknownDevice: return .notKnown(found: open.text)
        case .otherwise(let status): return .noHost(found: open.text, status: status)
        case .stranger: return .stranger(found: open.text)
        case .nothing(let reason): return .noTLS(found: open.text, reason: reason)
        }
    }
}
