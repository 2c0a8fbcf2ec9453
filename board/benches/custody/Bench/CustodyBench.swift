import Glibc

/// What `board/bench custody` cannot measure from outside: it is built against the package's own targets.
/// Each command prints one line of JSON.
@main struct CustodyBench {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch (arguments.first, arguments.dropFirst().map { $0 }) {
            case ("key", let rest) where rest.count == 1: try writeKey(to: rest[0])
            case ("memory", let rest) where rest.count == 1: memory(megabytes: Int(rest[0]) ?? 0)
            case ("seal", let rest) where rest.count == 3: try seal(rest[0], to: rest[2], into: rest[1])
            case ("open", let rest) where rest.count == 3: try open(rest[0], with: rest[2], into: rest[1])
            case ("record", let rest) where rest.count == 7:
                try record(
                    in: rest[0], speech: rest[1], seconds: Int(rest[2]) ?? 0, utterances: Int(rest[3]) ?? 0,
                    recipients: Int(rest[4]) ?? 0, pace: Pace(rawValue: rest[5]) ?? .synced,
                    device: rest[6])
            case ("fill", let rest) where rest.count == 2: try fill(rest[0], utterances: Int(rest[1]) ?? 0)
            case ("start", let rest) where rest.count == 1: try start(rest[0])
            default:
                print("custody-bench key FILE | memory MB | seal FROM TO RECIPIENT | open FROM TO KEYFILE |")
                print(
                    "record DIR WAV SECONDS UTTERANCES RECIPIENTS paced|synced|unsynced DEVICE | fill DIR N | start DIR"
                )
                exit(2)
            }
        } catch {
            let line = Array("custody-bench: \(error)\n".utf8)
            _ = write(STDERR_FILENO, line, line.count)
            exit(1)
        }
    }
}

/// One line; values are numbers or text without quotes.
func report(_ fields: KeyValuePairs<String, any CustomStringConvertible>) {
    let parts = fields.map { "\"\($0.key)\": \($0.value is String ? "\"\($0.value)\"" : "\($0.value)")" }
    print("{\(parts.joined(separator: ", "))}")
}

func stopwatch(_ body: () throws -> Void) rethrows -> Double {
    let taken = try ContinuousClock().measure(body)
    return Double(taken.components.seconds) + Double(taken.components.attoseconds) / 1e18
}

/// A number from a file of `/proc/self`: the one that follows `name`.
func ownNumber(_ file: String, _ name: String) -> Int {
    guard let stream = fopen("/proc/self/\(file)", "r") else { return 0 }
    defer { fclose(stream) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), stream) != nil {
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if text.hasPrefix(name) { return Int(text.dropFirst(name.count).filter(\.isNumber)) ?? 0 }
    }
    return 0
}

var residentKilobytes: Int { ownNumber("status", "VmRSS:") }
