extension Manifest {
    /// The version of the coding; a reader refuses any other. New keys do not change it.
    package static let version = 1

    /// As JSON: keys in snake case, units last, absent values left out or null.
    package var json: JSON {
        var members: [(key: String, value: JSON)] = [("version", .integer(Self.version))]
        switch kind {
        case .utterance: members.append(("kind", "utterance"))
        case .gap(let lost):
            members.append(("kind", "gap"))
            members.append(("lost_seqs", .array(lost.map { JSON.integer($0) })))
        }
        members += [
            ("utterance", .string(utterance)), ("seq", .integer(seq)), ("device", .string(device)),
            ("device_name", .string(deviceName)), ("boot_id", .string(bootID)), ("start", Self.json(start)),
            ("end", end.map(Self.json) ?? .null), ("wall_synchronised", .optional(wallSynchronised)),
            ("sha256", .string(sha256)), ("bytes", .integer(bytes)), ("format", .string(format)),
            ("rate_hz", .integer(rate)), ("channels", .integer(channels)), ("frames", .integer(frames)),
            ("inserted_frames", .integer(insertedFrames)), ("overruns", .integer(overruns)),
            ("peak", .integer(peak)), ("clipped_samples", .integer(clipped)),
            ("first_sample_us", .optional(firstSampleMicroseconds)), ("end_reason", .string(endReason)),
            ("speech_s", .double(speechSeconds)), ("rule", .string(rule)),
        ]
        let parameters = ruleParameters.sorted { $0.key < $1.key }
        members += [
            ("rule_parameters", .object(parameters.map { (key: $0.key, value: JSON.double($0.value)) })),
            ("reading_dbfs", .array(readings.map { .double(Self.rounded($0.dbfs)) })),
            ("reading_marks", .string(readings.map { String($0.marks & 15, radix: 16) }.joined())),
        ]
        if readings.contains(where: { $0.speech != nil }) {
            let speech = readings.map { $0.speech ?? Reading.noSpeech }
            members.append(("reading_speech", .string(speech.joined())))
        }
        members += [
            ("mode", .string(mode)), ("language", .string(language)), ("participant", .string(participant)),
            ("session", .string(session)), ("software", .string(software)), ("recovered", .bool(recovered)),
        ]
        return .object(members)
    }

    /// `json` as UTF-8: the manifest file, and the ring's body.
    package func encoded() -> [UInt8] { json.bytes }

    private static func json(_ stamp: Stamp) -> JSON {
        [
            "monotonic_ns": .int(stamp.monotonic), "boot_ns": .int(stamp.boot), "wall_ns": .int(stamp.wall),
        ]
    }

    /// Digital silence for what is no number, or too large to be rounded, because JSON has none.
    private static func rounded(_ dbfs: Double) -> Double {
        let hundredths = (dbfs * 100).rounded()
        return hundredths.isFinite ? hundredths / 100 : -120
    }
}
