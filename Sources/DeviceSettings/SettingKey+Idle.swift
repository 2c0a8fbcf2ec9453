extension SettingKey {
    /// Keys of parts that this version does not have, each with what is missing: written down they would do nothing,
    /// so they are refused.
    static let idle: [String: String] = {
        let noReplies = "no host offers replies"
        let noSound = "the device plays no sound"
        return [
            "press_while_thinking": noReplies, "replies": noReplies, "thinking_s": noReplies,
            "reply_volume": noReplies, "speaker": noSound, "sounds": noSound, "cue_volume": noSound,
            "announcements": noSound, "cue_dir": noSound,
        ]
    }()

    /// Whether somebody who writes `name` means a setting, be it one that is refused.
    package static func isKnown(_ name: String) -> Bool { named(name) != nil || idle[name] != nil }
}
