import DurableFiles
import HostLink
import Wire

/// Where the paired host answered last, in a file of its own: a running device writes it while `lapel pair` may be
/// replacing `host.json`. A hint; the pin beside it tells whose address it was.
struct LastAddress: Equatable, Sendable {
    let pin: [UInt8]
    let address: HostAddress

    /// Nil when there is none, and when it cannot be read: it is found anew.
    static func load(_ path: String) -> LastAddress? {
        guard let bytes = try? FileCalls.system.contents(path), let json = try? JSON(parsing: bytes),
            let pin = json["pin"]?.string.flatMap({ Hex.decode($0) }), pin.count == 32,
            let address = json["address"]?.string.flatMap({ HostAddress($0) })
        else { return nil }
        return LastAddress(pin: pin, address: address)
    }

    /// Replaces the file durably.
    func save(to path: String) throws(DurableFileError) {
        let json: JSON = ["pin": .string(Hex.encode(pin)), "address": .string(address.description)]
        try replace(path, Array((json.text + "\n").utf8))
    }

    /// The file as what the transfer remembers by.
    static func memory(in folder: DeviceFolder, log: Log) -> AddressMemory {
        AddressMemory(
            recall: { pin in load(folder.lastAddress).flatMap { $0.pin == pin ? $0.address : nil } },
            keep: { pin, address in
                let new = LastAddress(pin: pin, address: address)
                guard new != load(folder.lastAddress) else { return }
                log.write(.notice, "the host answers at \(address)")
                do { try new.save(to: folder.lastAddress) } catch {
                    log.write(.error, "\(error)")
                }
            })
    }
}
