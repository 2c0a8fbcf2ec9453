/// What each target of `Sources` may import. A target that is not here does not exist.
///
/// The compiler holds our own modules apart, but it lets every target import Glibc and Foundation:
/// that line is held by this table alone.
enum Layers {
    /// The modules of the toolchain that an adapter may use. Pure targets use none.
    static let system: Set<String> = ["Glibc", "Synchronization"]

    static let allowed: [String: Set<String>] = [
        // Pure: decides. No I/O, no clock, no logger.
        "Hardware": [],
        "Turn": [],
        "EndOfSpeech": ["CMath"],
        "Cues": ["Turn"],
        "DeviceMachine": ["Hardware", "Turn", "EndOfSpeech", "Cues"],
        "Wire": [],
        "Catalogue": ["Wire"],

        // Adapters: touch.
        "Threads": system.union(["CLinux"]),
        "SystemFiles": system.union(["Hardware"]),
        "ALSAAudio": system.union(["Hardware", "Threads", "SystemFiles", "CALSA", "CSpeexDSP", "CMath"]),
        "GPIOPanel": system.union(["Hardware", "Threads", "SystemFiles", "CGPIOD"]),
        "InputButton": system.union(["Hardware", "Threads", "SystemFiles", "CInput"]),
        "AudioFiles": system.union(["COpus", "CFLAC"]),
        "Sealing": system.union(["CSodium"]),
        "SQLiteStore": system.union(["Catalogue", "CSQLite"]),
        "SettingsFile": system.union(["CInih"]),
        "Identity": system.union(["CGnuTLS"]),
        "Service": system.union(["Threads", "CSystemd"]),
        "PacedMicrophone": [],
        "Simulator": system.union(["Hardware", "Threads", "Wire"]),
        "Terminal": system.union(["Wire"]),

        // Durable.
        "DurableFiles": system.union(["CFileSpace"]),
        "Outbox": system.union(["DurableFiles", "Wire", "Sealing"]),
        "Inbox": system.union(["DurableFiles", "Wire", "Sealing", "Catalogue", "Identity"]),
        "MemoryStore": system.union(["Catalogue"]),
        "LocalInbox": system.union(["Catalogue", "DurableFiles", "Inbox", "SQLiteStore"]),

        // Transfer.
        "HostLink": system.union(["Wire", "Identity", "Threads", "CCurl"]),
        "Shipper": system.union(["Wire", "Sealing", "Outbox", "Threads", "HostLink"]),
        "HTTPServer": system.union(["Identity", "Threads", "CMicrohttpd"]),
        "Receiver": system.union(["Wire", "Identity", "Catalogue", "Inbox", "HTTPServer"]),

        // Compose. The device never links Foundation: it more than doubles a resident program.
        "DeviceSettings": system.union([
            "DeviceMachine", "EndOfSpeech", "Turn", "Wire", "AudioFiles", "Sealing", "Service",
            "SettingsFile", "Hardware",
        ]),
        "Device": system.union([
            "FoundationEssentials",
            "Hardware", "Turn", "EndOfSpeech", "DeviceMachine", "Wire", "Threads", "ALSAAudio",
            "AudioFiles",
            "Sealing", "Identity", "Service", "DurableFiles", "Outbox", "HostLink", "Shipper", "GPIOPanel",
            "InputButton", "DeviceSettings", "SystemFiles",
        ]),
        "DeviceTools": system.union([
            "FoundationEssentials",
            "Hardware", "Turn", "EndOfSpeech", "Cues", "DeviceMachine", "Wire", "Threads", "ALSAAudio",
            "AudioFiles",
            "Sealing", "Identity", "Service", "Simulator", "DurableFiles", "Outbox", "HostLink", "Shipper",
            "GPIOPanel", "InputButton", "Terminal", "SystemFiles",
            "DeviceSettings", "Device",
        ]),
        "Host": system.union([
            "Foundation", "FoundationEssentials",
            "Wire", "AudioFiles", "SettingsFile", "Identity", "Service", "DurableFiles", "Inbox",
            "Receiver", "Terminal", "HTTPServer", "CQRencode", "Catalogue", "LocalInbox",
        ]),
        "Lab": system.union(["Hardware", "EndOfSpeech", "Wire", "AudioFiles", "Terminal", "Host"]),

        // Programs.
        "lapel": system.union(["DeviceTools"]),
        "lapel-host": system.union(["Foundation", "FoundationEssentials", "Host"]),
        "lapel-lab": system.union(["Lab"]),
    ]

    /// The one target that may import a C module: whoever else wants the library asks its owner.
    static let owner: [String: String] = [
        "CALSA": "ALSAAudio",
        "CSpeexDSP": "ALSAAudio",
        "COpus": "AudioFiles",
        "CFLAC": "AudioFiles",
        "CSodium": "Sealing",
        "CSQLite": "SQLiteStore",
        "CInih": "SettingsFile",
        "CGnuTLS": "Identity",
        "CSystemd": "Service",
        "CQRencode": "Host",
        "CLinux": "Threads",
        "CGPIOD": "GPIOPanel",
        "CInput": "InputButton",
        "CFileSpace": "DurableFiles",
        "CCurl": "HostLink",
        "CMicrohttpd": "HTTPServer",
    ]

    /// C modules without an owner: scalar functions that hold nothing and touch nothing.
    static let shared: Set<String> = ["CMath"]

    /// Targets that decide and do nothing else.
    static let pure: Set<String> = [
        "Hardware", "Turn", "EndOfSpeech", "Cues", "DeviceMachine", "Wire", "Catalogue",
    ]

    /// What stands at the top of the repository, besides dotfiles.
    static let topLevel: Set<String> = [
        "Package.swift", "Sources", "Tests", "board", "cross", "README.md", "LICENSE", "CHANGELOG.md",
    ]
}
