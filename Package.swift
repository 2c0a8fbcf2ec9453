// swift-tools-version:6.0
import PackageDescription

let strict: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny")]

func target(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies + ["TestSupport"], swiftSettings: strict)
}

let package = Package(
    name: "lapel",
    products: [
        .executable(name: "lapel", targets: ["lapel"]),
        .executable(name: "lapel-host", targets: ["lapel-host"]),
        .executable(name: "lapel-lab", targets: ["lapel-lab"]),
        // SwiftPM adds "lib" and ".so": libasound looks for libasound_module_pcm_<type>.so.
        .library(name: "asound_module_pcm_card", type: .dynamic, targets: ["PacedMicrophone"]),
    ],
    targets: [
        // Pure: decides.
        target("Hardware"),
        target("Turn"),
        target("EndOfSpeech", ["CMath"]),
        target("Cues", ["Turn"]),
        target("DeviceMachine", ["Hardware", "Turn", "EndOfSpeech", "Cues"]),
        target("Wire"),
        target("Catalogue", ["Wire"]),

        // C libraries, one owner each.
        .target(name: "CMath"),
        .systemLibrary(name: "CALSA"),
        .systemLibrary(name: "CSpeexDSP"),
        .target(name: "COpus"),
        .systemLibrary(name: "CFLAC"),
        .systemLibrary(name: "CSodium"),
        .systemLibrary(name: "CFileSpace"),
        .systemLibrary(name: "CCurl"),
        .systemLibrary(name: "CMicrohttpd"),
        .systemLibrary(name: "CGnuTLS"),
        .systemLibrary(name: "CSQLite"),
        .systemLibrary(name: "CInih"),
        .systemLibrary(name: "CQRencode"),
        .systemLibrary(name: "CSystemd"),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CGPIOD"),
        .systemLibrary(name: "CInput"),

        // Adapters: touch.
        target("ALSAAudio", ["Hardware", "Threads", "SystemFiles", "CALSA", "CSpeexDSP", "CMath"]),
        target("GPIOPanel", ["Hardware", "Threads", "SystemFiles", "CGPIOD"]),
        target("InputButton", ["Hardware", "Threads", "SystemFiles", "CInput"]),
        target("AudioFiles", ["COpus", "CFLAC"]),
        target("Sealing", ["CSodium"]),
        target("SQLiteStore", ["Catalogue", "CSQLite"]),
        target("SettingsFile", ["CInih"]),
        target("Identity", ["CGnuTLS"]),
        target("Service", ["Threads", "CSystemd"]),
        .target(
            name: "PacedMicrophone",
            cSettings: [.define("PIC")],  // the plugin exports its version symbol only with it
            // Plain C: without these it would need Swift's library, and arecord could not load it where no Swift is.
            linkerSettings: [
                .linkedLibrary("asound"), .unsafeFlags(["-nostartfiles", "-static-stdlib"]),
            ]),
        target("Simulator", ["Hardware", "Threads", "Wire"]),
        target("Terminal", ["Wire"]),

        target("Threads", ["CLinux"]),
        target("SystemFiles", ["Hardware"]),

        // Durable.
        target("DurableFiles", ["CFileSpace"]),
        target("Outbox", ["DurableFiles", "Wire", "Sealing"]),
        target("Inbox", ["DurableFiles", "Wire", "Sealing", "Catalogue", "Identity"]),
        target("MemoryStore", ["Catalogue"]),
        target("LocalInbox", ["Catalogue", "DurableFiles", "Inbox", "SQLiteStore"]),

        // Transfer.
        target("HostLink", ["Wire", "Identity", "Threads", "CCurl"]),
        target("Shipper", ["Wire", "Sealing", "Outbox", "Threads", "HostLink"]),
        target("HTTPServer", ["Identity", "Threads", "CMicrohttpd"]),
        target("Receiver", ["Wire", "Identity", "Catalogue", "Inbox", "HTTPServer"]),

        // Compose.
        target(
            "DeviceSettings",
            [
                "DeviceMachine", "EndOfSpeech", "Hardware", "Turn", "Wire", "AudioFiles", "Sealing",
                "Service",
                "SettingsFile",
            ]),
        target(
            "Device",
            [
                "Hardware", "Turn", "EndOfSpeech", "DeviceMachine", "Wire", "ALSAAudio", "AudioFiles",
                "Sealing",
                "Identity", "Service", "DurableFiles", "Outbox", "HostLink", "Shipper", "Threads",
                "GPIOPanel",
                "InputButton", "DeviceSettings", "SystemFiles",
            ]),
        target(
            "DeviceTools",
            [
                "Hardware", "Turn", "EndOfSpeech", "Cues", "DeviceMachine", "Wire", "ALSAAudio", "AudioFiles",
                "Sealing",
                "Identity", "Service", "Simulator", "DurableFiles", "Outbox", "HostLink", "Shipper",
                "Threads",
                "GPIOPanel", "InputButton", "Terminal",
                "DeviceSettings", "Device", "SystemFiles",
            ]),
        target(
            "Host",
            [
                "Wire", "AudioFiles", "SettingsFile", "Identity", "Service",
                "DurableFiles", "Inbox", "Receiver", "Terminal", "HTTPServer", "CQRencode", "Catalogue",
                "LocalInbox",
            ]),
        target("Lab", ["Hardware", "EndOfSpeech", "Wire", "AudioFiles", "Terminal", "Host"]),

        // Programs.
        .executableTarget(name: "lapel", dependencies: ["DeviceTools"], swiftSettings: strict),
        .executableTarget(name: "lapel-host", dependencies: ["Host"], swiftSettings: strict),
        .executableTarget(name: "lapel-lab", dependencies: ["Lab"], swiftSettings: strict),

        // Tests.
        .target(name: "AllocationCount", path: "Tests/AllocationCount"),
        .target(
            name: "TestSupport", dependencies: ["Hardware"], path: "Tests/TestSupport", swiftSettings: strict),
        tests("LayeringTests", []),
        tests("TurnTests", ["Turn"]),
        tests("ThreadsTests", ["Threads"]),
        tests("DeviceMachineTests", ["DeviceMachine", "Hardware", "Turn", "EndOfSpeech"]),
        tests("CuesTests", ["Cues", "Turn"]),
        tests("EndOfSpeechTests", ["EndOfSpeech", "AllocationCount"]),
        tests("WireTests", ["Wire", "Simulator"]),
        tests("ALSAAudioTests", ["ALSAAudio", "Hardware", "SystemFiles", "AllocationCount"]),
        tests(
            "GPIOPanelTests",
            [
                "GPIOPanel", "InputButton", "Simulator", "Hardware", "Threads",
                "Turn", "Cues",
            ]),
        tests("AudioFilesTests", ["AudioFiles"]),
        tests("SealingTests", ["Sealing", "AllocationCount"]),
        tests("OutboxTests", ["Outbox", "DurableFiles", "Sealing", "Wire"]),
        tests(
            "TransferTests",
            [
                "HostLink", "Shipper", "Receiver", "Outbox", "Inbox", "SQLiteStore", "Identity", "CGnuTLS",
                "Sealing", "HTTPServer", "Catalogue", "LocalInbox",
                "Wire",
                "DurableFiles", "Threads",
            ]),
        tests(
            "CustodyTests",
            [
                "HostLink", "Shipper", "Receiver", "Outbox", "Inbox", "SQLiteStore", "CSQLite", "Sealing",
                "CSodium", "HTTPServer", "Catalogue", "LocalInbox", "MemoryStore",
                "Wire",
                "DurableFiles",
            ]),
        tests("HostTests", ["Host", "Lab", "Terminal", "Inbox", "Wire", "AudioFiles", "Sealing"]),
        tests(
            "DeviceTests",
            [
                "Device", "Simulator", "Turn", "EndOfSpeech", "Cues", "Outbox", "Wire", "AudioFiles",
                "Hardware", "Sealing", "DurableFiles", "Threads", "AllocationCount",
                "ALSAAudio", "GPIOPanel", "InputButton", "SystemFiles",
            ]),
        tests("DeviceSettingsTests", ["DeviceSettings", "SettingsFile"]),
        tests(
            "DeviceToolsTests",
            [
                "DeviceTools", "Device", "DeviceSettings", "Simulator", "Turn", "Cues", "EndOfSpeech",
                "Wire",
                "Hardware", "DurableFiles", "ALSAAudio", "GPIOPanel", "Terminal", "DeviceMachine",
            ]),
        tests("LabTests", ["Lab", "Terminal", "EndOfSpeech", "AudioFiles", "Wire"]),
        // Also built by board/checks/fuzz, as a program.
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "Wire", "AudioFiles", "Sealing", "SettingsFile", "Device", "DeviceSettings", "Shipper",
                "Outbox", "HostLink", "Inbox",
                "Receiver", "HTTPServer",
                "Host", "TestSupport", "Terminal",
            ],
            path: "Tests/Fuzz", exclude: ["corpus", "regressions", "Driver"], swiftSettings: strict),
        tests(
            "EndToEndTests",
            ["Device", "Host", "Lab", "AudioFiles", "Wire", "Outbox", "Inbox", "Hardware", "Sealing"]),
    ],
    swiftLanguageModes: [.v6]
)
