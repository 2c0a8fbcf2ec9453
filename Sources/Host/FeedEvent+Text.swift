import Catalogue
import Wire

extension FeedEntry.Event {
    /// A phrase for the log.
    var text: String {
        switch self {
        case .rung(let utterance, let seq, let device):
            "rang: utterance \(short(utterance)), number \(seq) of device \(short(device))"
        case .stored(let file, .file, let bytes, _, let device, _):
            "stored file \(short(file)) from client \(short(device)), \(bytes) bytes"
        case .stored(let utterance, let kind, let bytes, _, let device, let whole):
            "stored \(kind.rawValue) of utterance \(short(utterance)) from device \(short(device)), \(bytes) bytes"
                + (whole ? "; it is whole" : "")
        case .paired(let device, let name): "paired \(name ?? "a device") (pin \(short(device)))"
        case .forgotten(let utterance): "forgot utterance \(short(utterance))"
        }
    }

    /// The same for programs.
    var fields: [(String, JSON)] {
        switch self {
        case .rung(let utterance, let seq, let device):
            [
                ("event", "rang"), ("utterance", .string(utterance)), ("seq", .integer(seq)),
                ("device", .string(device)),
            ]
        case .stored(let utterance, let kind, let bytes, let sha256, let device, let whole):
            [
                ("event", "stored"), ("utterance", .string(utterance)), ("kind", .string(kind.rawValue)),
                ("bytes", .integer(bytes)), ("sha256", .string(sha256)), ("device", .string(device)),
                ("whole", .bool(whole)),
            ]
        case .paired(let device, let name):
            [("event", "paired"), ("device", .string(device)), ("device_name", .optional(name))]
        case .forgotten(let utterance): [("event", "forgotten"), ("utterance", .string(utterance))]
        }
    }

    private func short(_ id: String) -> Substring { id.prefix(8) }
}
