import Outbox
import Wire

/// What lies in the outbox, read from its folders: with or without a running device. With a host, what it could not
/// open is marked as held back.
package func outboxListing(_ folder: DeviceFolder) throws(OutboxError) -> JSON {
    let host = try? PairedHostFile.load(folder.host)
    let items = try Outbox.listing(directory: folder.path)
    let held = host.map { heldBack(among: items, folder, held: $0.recipients) } ?? []
    return .array(
        items.map { item in
            [
                "utterance": .string(item.name.id), "seq": .integer(item.name.seq),
                "place": .string(item.place), "format": .string(item.format),
                "bytes": .integer(item.bytes), "sealed": .bool(item.sealed),
                "held_back": .bool(held.contains(item.name.id)),
            ]
        })
}
