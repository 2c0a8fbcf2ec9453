import DurableFiles
import Outbox
import Sealing

/// The recordings in `out/` that are sealed to none of the keys of the paired host: by their utterances' ids. Reads the
/// head of each sealed manifest; what leaves the outbox meanwhile is left out.
///
/// - Parameter held: the recipients of the host's keys.
package func heldBack(among listed: [OutboxListing], _ folder: DeviceFolder, held: [AgeRecipient]) -> Set<
    String
> {
    var ids: Set<String> = []
    for item in listed where item.sealed && item.place == "out" {
        let path = "\(folder.path)/out/\(item.name).json.age"
        guard let bytes = try? FileCalls.system.contents(path), let header = try? AgeHeader.parse(bytes),
            Set(held).isDisjoint(with: SealedNote(header).recipients)
        else { continue }
        ids.insert(item.name.id)
    }
    return ids
}
