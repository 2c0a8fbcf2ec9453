import Inbox
import Terminal
import Wire

extension Command {
    static let show = Command(
        name: "show", synopsis: "ID [--dir DIR] [--json]",
        summary: "Show everything known of one utterance; the beginning of its id suffices.",
        options: [folderOption, jsonOption], words: 1,
        run: { arguments, console throws(CommandError) in
            let inbox = try HostFolder.inbox(arguments)
            let utterance = try one(arguments, inbox, command: "show")
            var times = inbox.times()
            let time = try explained { try UtteranceTime(of: utterance, in: &times) }
            if arguments.has("json") {
                var members = utterance.summary(time).members ?? []
                members.append(("manifest", utterance.manifest?.json ?? .null))
                console.out(.object(members))
                return 0
            }
            for (name, value) in facts(utterance, time) where !value.isEmpty {
                console.out(name + String(repeating: " ", count: 13 - name.count) + value.plain)
            }
            if let plot = utterance.manifest.flatMap({ LevelPlot($0, columns: console.columns) }) {
                console.out("\n" + plot.lines.map(\.plain).joined(separator: "\n"))
            }
            return 0
        })

    /// The one utterance whose id begins with the command's first word.
    static func one(_ arguments: Arguments, _ inbox: Inbox, command: String) throws(CommandError)
        -> StoredUtterance
    {
        guard let prefix = arguments.words.first?.lowercased(), !prefix.isEmpty else {
            throw .usage("`lapel-host \(command)` wants an utterance's id; see `lapel-host list`.")
        }
        let found = try explained { try inbox.utterances(idPrefix: prefix, limit: 2) }
        guard let utterance = found.first else {
            throw .failed("There is no utterance whose id begins with \(prefix); see `lapel-host list`.")
        }
        guard found.count == 1 else {
            throw .failed("Several utterances have ids that begin with \(prefix): give more of it.")
        }
        return utterance
    }

    private static func facts(_ utterance: StoredUtterance, _ time: UtteranceTime) -> [(String, String)] {
        var facts = [
            ("utterance", utterance.id),
            ("began", LocalTime.text(milliseconds: time.milliseconds) + remark(time)),
        ]
        facts.append(
            (
                "device",
                (utterance.deviceName ?? "removed")
                    + " (pin \(utterance.device.prefix(12)), number \(utterance.seq))"
            ))
        facts.append(("state", explanation(utterance)))
        if let manifest = utterance.manifest { facts += Self.facts(manifest) }
        if let audio = utterance.audio {
            facts += [
                ("file", audio.path + (audio.isSealed ? " (sealed; `lapel-host play` opens it)" : "")),
                ("size", Figures.bytes(audio.bytes)), ("sha256", audio.sha256),
            ]
        }
        return facts
    }

    private static func facts(_ manifest: Manifest) -> [(String, String)] {
        let rule = manifest.ruleParameters.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        let lost =
            manifest.overruns > 0
            ? "\(manifest.overruns) overruns, \(manifest.insertedFrames) frames of silence put in" : "nothing"
        return [
            (
                "length",
                "\(Figures.seconds(manifest.seconds)), \(Figures.seconds(manifest.speechSeconds)) of speech"
            ),
            ("ended by", manifest.endReason + (manifest.recovered ? ", recovered after a crash" : "")),
            (
                "sound",
                "\(manifest.format), \(manifest.rate) Hz, \(manifest.channels) channel\(manifest.channels == 1 ? "" : "s")"
            ),
            ("peak", "\(manifest.peak) of 32768, \(manifest.clipped) samples at full scale"), ("lost", lost),
            (
                "first sample",
                manifest.firstSampleMicroseconds.map {
                    Figures.fixed(Double($0) / 1000, places: 1) + " ms after the press"
                } ?? ""
            ),
            ("rule", ([manifest.rule] + rule).filter { !$0.isEmpty }.joined(separator: ", ")),
            ("mode", manifest.mode), ("language", manifest.language), ("participant", manifest.participant),
            ("session", manifest.session), ("software", manifest.software),
        ]
    }

    private static func remark(_ time: UtteranceTime) -> String {
        switch time.source {
        case .contact: time.uncertaintyMilliseconds.map { " (to \($0) ms)" } ?? ""
        case .neighbours:
            " (\(uncertainty(time)), by the device's boots before and after)"
        case .device: " (\(uncertainty(time)), by the device's clock)"
        case .unsure: " (by the device's clock, which was not synchronised)"
        case .arrival: " (or before: nothing else is known)"
        }
    }

    private static func uncertainty(_ time: UtteranceTime) -> String {
        time.uncertaintyMilliseconds.map { "give or take " + Figures.seconds(Double($0) / 1000) }
            ?? "not sure"
    }

    private static func explanation(_ utterance: StoredUtterance) -> String {
        switch utterance.state {
        case .stored: "stored" + (utterance.storedAt.map { " " + LocalTime.text(milliseconds: $0) } ?? "")
        case .rung: "rung; its recording is still on the device"
        case .unexplained: "its recording is here, its manifest still on the device"
        case .mismatched: "the manifest names another recording than the one that came"
        case .gap: "a record of utterances that the device had to drop"
        }
    }
}
