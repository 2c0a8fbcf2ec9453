import Sealing
import Wire

@testable import Device

extension FuzzTarget {
    /// The device's note of its host is taken or refused with a way out; what was taken is the same when written.
    static let pairedHost = FuzzTarget(name: "paired-host", longest: 2_048) {
        let members: [(key: String, value: JSON)] = [
            ("name", "study"), ("addresses", ["host.local:8443", "[fe80::1]:99"]),
            ("pin", .string(sampleHash)),
            ("replies", false), ("recipients", [.string(Sample.one.recipient.description)]),
            ("signing_key", .string(sampleHash)),
        ]
        return [JSON.object(members).bytes, JSON.object(Array(members.prefix(3))).bytes]
    } check: { input, folder in
        let path = folder + "/host.json"
        put(input, at: path)
        let first: PairedHostFile?
        do { first = try PairedHostFile.load(path) } catch {
            return try must("\(error)".contains("pair again"), "a refusal tells the way out")
        }
        guard let first else { throw Broken(description: "a file that is there is a host or damage") }
        try first.save(to: path)
        try must(try PairedHostFile.load(path) == first, "a paired host reads back")
        try must(first.pin.count == 32, "a host has a pin")
    }
}
