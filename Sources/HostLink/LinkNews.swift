/// What rtnetlink(7) tells of the network, kept so far that news can be told from repetition: a machine.
///
/// Routers repeat themselves for ever, and each time the kernel reports an address that was there all along; that must
/// not undo a back-off. Of addresses and routes that were there before this was made, the first repetition counts.
struct LinkNews: Equatable {
    /// Interfaces with a carrier, addresses and default routes that are there.
    private var there: Set<[UInt8]> = []
    /// More than any device has; a machine that makes them up is heard no longer.
    private static let most = 1_024

    /// Reads a datagram of netlink messages in the byte order of this machine. True when something came up: a carrier,
    /// an address, a default route.
    mutating func hear(_ datagram: [UInt8]) -> Bool {
        var isUp = false
        var at = 0
        while let length = Self.number(datagram, at, 4), length >= 16, at + length <= datagram.count,
            let type = Self.number(datagram, at + 4, 2)
        {
            let message = Array(datagram[(at + 16)..<(at + length)])
            if let (key, comes) = Self.fact(type, message) {
                if !comes {
                    there.remove(key)
                } else if there.count < Self.most, there.insert(key).inserted {
                    isUp = true
                }
            }
            at += (length + 3) & ~3
        }
        return isUp
    }

    /// What a message is about, and whether it comes or goes; nil for what does not matter here.
    private static func fact(_ type: Int, _ message: [UInt8]) -> (key: [UInt8], comes: Bool)? {
        switch type {
        case 16, 17:  // RTM_NEWLINK, RTM_DELLINK: ifinfomsg, its flag IFF_LOWER_UP
            guard let index = slice(message, 4, 4), let flags = number(message, 8, 4) else { return nil }
            return ([0] + index, type == 16 && flags & 0x10000 != 0)
        case 20, 21:  // RTM_NEWADDR, RTM_DELADDR: ifaddrmsg, index at 4, then attributes
            guard let index = slice(message, 4, 4), let scope = message.dropFirst(3).first, scope < 253,
                let address = attribute(1, in: message, from: 8)
            else { return nil }
            return ([1] + index + address, type == 20)
        case 24, 25:  // RTM_NEWROUTE, RTM_DELROUTE: rtmsg, 0 bits of destination are the default route
            guard message.count >= 12, message[1] == 0 else { return nil }
            let gateway = attribute(5, in: message, from: 12) ?? []
            return ([2, message[0]] + (attribute(4, in: message, from: 12) ?? []) + gateway, type == 24)
        default: return nil
        }
    }

    private static func attribute(_ wanted: Int, in message: [UInt8], from start: Int) -> [UInt8]? {
        var at = start
        while let length = number(message, at, 2), length >= 4, at + length <= message.count,
            let type = number(message, at + 2, 2)
        {
            if type == wanted { return Array(message[(at + 4)..<(at + length)]) }
            at += (length + 3) & ~3
        }
        return nil
    }

    private static func slice(_ bytes: [UInt8], _ at: Int, _ count: Int) -> [UInt8]? {
        at + count <= bytes.count ? Array(bytes[at..<(at + count)]) : nil
    }

    private static func number(_ bytes: [UInt8], _ at: Int, _ count: Int) -> Int? {
        guard let slice = slice(bytes, at, count) else { return nil }
        return slice.withUnsafeBytes {
            count == 2 ? Int($0.loadUnaligned(as: UInt16.self)) : Int($0.loadUnaligned(as: UInt32.self))
        }
    }
}
