import Hardware
import Turn

@testable import DeviceMachine

/// What came of it, in words.
extension DeviceBench {
    /// All actions but the lamp's and the motor's, as `file kept u1`.
    var story: [String] {
        happened.map(\.what.drawn).filter { !$0.hasPrefix("lamp ") && !$0.hasPrefix("motor ") }
    }

    /// Of the story, what begins with one of these.
    func story(_ beginnings: String...) -> [String] {
        story.filter { line in beginnings.contains { line.hasPrefix($0) } }
    }

    /// The motor's pulses, in milliseconds, from `start` on.
    func pulses(from start: Duration = .zero) -> [Int] {
        var pulses: [Int] = []
        var since: Duration?
        for entry in happened where entry.at >= start {
            guard case .motor(let on) = entry.what else { continue }
            if on {
                since = entry.at
            } else if let began = since {
                pulses.append((entry.at - began).inMilliseconds)
            }
            if !on { since = nil }
        }
        return pulses
    }

    /// The lamp's changes: milliseconds, with `+` for on and `-` for off.
    var light: [String] {
        happened.compactMap { entry in
            guard case .lamp(let on) = entry.what else { return nil }
            return "\(on ? "+" : "-")\(entry.at.inMilliseconds)"
        }
    }

    /// When the first action of that description was wanted.
    func time(of description: String) -> Duration? {
        happened.first { $0.what.drawn == description }?.at
    }

    var facts: [TakeFacts] {
        happened.compactMap { if case .finishRecording(_, let facts) = $0.what { facts } else { nil } }
    }
}

extension DeviceAction {
    var drawn: String {
        switch self {
        case .lamp(let on): "lamp \(on ? "on" : "off")"
        case .motor(let on): "motor \(on ? "on" : "off")"
        case .microphone(let step): "card \(step)"
        case .journal(.opening(let id, _, _, _)): "journal opening \(id)"
        case .journal(.firstSample(let id, _, _)): "journal first sample \(id)"
        case .journal(.closed(let id, let reason, _, _)): "journal closed \(id): \(reason.rawValue)"
        case .beginRecording(let id, _): "file begun \(id)"
        case .finishRecording(let id, let facts): "file finished \(id): \(facts.reason.rawValue)"
        case .commit(let id): "file kept \(id)"
        case .discard(let id): "file gone \(id)"
        case .wakeShipper: "wake shipper"
        case .stopReply: "stop reply"
        case .replayLastReply: "replay last reply"
        case .rereadButton: "reread button"
        case .checkRoom: "check room"
        case .readBattery: "read battery"
        case .awaitMicrophone: "await microphone"
        case .log(let level, let line): "\(level.rawValue): \(line)"
        case .end: "end"
        }
    }
}

extension Duration {
    var inMilliseconds: Int { Int(self / .milliseconds(1)) }
}
