import SystemFiles

/// The program that holds a capture device, as the kernel tells it: `/proc/asound/card*/pcm*c/sub*/status` has a
/// line `owner_pid   : 1234` while a substream is open.
struct Holder: Equatable, CustomStringConvertible {
    let process: Int
    /// The program's short name; nil when it is gone by now, or hidden.
    let program: String?

    var description: String { program.map { "\($0) (process \(process))" } ?? "process \(process)" }

    /// The first holder on `card`, or on any card. `root` is the `proc` file system.
    static func find(card: Int?, root: String = "/proc") -> Holder? {
        let sound = root + "/asound"
        let cards = folderEntries(sound).filter { entry in
            entry.hasPrefix("card") && entry.dropFirst(4).allSatisfy(\.isNumber) && entry.count > 4
                && (card == nil || entry == "card\(card ?? 0)")
        }
        for card in cards.sorted() {
            for pcm in folderEntries("\(sound)/\(card)").sorted()
            where pcm.hasPrefix("pcm") && pcm.hasSuffix("c") {
                for sub in folderEntries("\(sound)/\(card)/\(pcm)").sorted() where sub.hasPrefix("sub") {
                    let status = smallFile("\(sound)/\(card)/\(pcm)/\(sub)/status") ?? ""
                    guard let process = owner(inStatus: status) else { continue }
                    let name = smallFile("\(root)/\(process)/comm")
                    return Holder(process: process, program: name.map { $0.filter { $0 != "\n" } })
                }
            }
        }
        return nil
    }

    /// The process in a substream's status; nil for a closed one.
    static func owner(inStatus text: String) -> Int? {
        for line in text.split(separator: "\n") where line.hasPrefix("owner_pid") {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return Int(line[line.index(after: colon)...].filter { $0 != " " })
        }
        return nil
    }
}
