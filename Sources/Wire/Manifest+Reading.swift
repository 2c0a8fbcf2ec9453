extension Manifest {
    /// Reads what `encoded` wrote: unknown keys are passed over, a value of another type is an error, and only
    /// what every manifest has must be there.
    package init(parsing bytes: [UInt8]) throws(WireError) { try self.init(json: JSON(parsing: bytes)) }

    /// As `init(parsing:)`, from a value.
    package init(json: JSON) throws(WireError) {
        let fields = try JSONFields(json, document: "manifest")
        guard try fields.integer("version") == Manifest.version else {
            throw fields.wrong("version", "is not \(Manifest.version): another version of Lapel wrote it")
        }
        let utterance = try fields.text("utterance")
        guard let seq = UInt64(exactly: try fields.integer("seq")),
            let name = ItemName(seq: seq, id: utterance)
        else {
            throw fields.wrong("utterance", "is not 32 hexadecimal digits with a seq of at most 10 digits")
        }
        let rate = try fields.count("rate_hz")
        let channels = try fields.count("channels")
        self.init(
            utterance: name.id, seq: name.seq, start: try Self.stamp(fields, "start"),
            format: try fields.text("format"), rate: rate, channels: channels)
        kind = try Self.kind(fields)
        device = try fields.optionalText("device") ?? ""
        deviceName = try fields.optionalText("device_name") ?? ""
        bootID = try fields.optionalText("boot_id") ?? ""
        end = fields.has("end") ? try Self.stamp(fields, "end") : nil
        wallSynchronised = try fields.optionalBool("wall_synchronised")
        sha256 = try fields.optionalText("sha256") ?? ""
        guard sha256.isEmpty || Hex.isLowercase(sha256, digits: 64) else {
            throw fields.wrong("sha256", "is not 64 lower-case hexadecimal digits")
        }
        bytes = try fields.optionalCount("bytes") ?? 0
        frames = try fields.optionalCount("frames") ?? 0
        insertedFrames = try fields.optionalCount("inserted_frames") ?? 0
        overruns = try fields.optionalCount("overruns") ?? 0
        peak = try fields.optionalCount("peak") ?? 0
        clipped = try fields.optionalCount("clipped_samples") ?? 0
        firstSampleMicroseconds = try fields.optionalInteger("first_sample_us")
        endReason = try fields.optionalText("end_reason") ?? ""
        speechSeconds = try fields.optionalNumber("speech_s") ?? 0
        rule = try fields.optionalText("rule") ?? ""
        ruleParameters = try Self.parameters(fields)
        readings = try Self.readings(fields)
        mode = try fields.optionalText("mode") ?? ""
        language = try fields.optionalText("language") ?? ""
        participant = try fields.optionalText("participant") ?? ""
        session = try fields.optionalText("session") ?? ""
        software = try fields.optionalText("software") ?? ""
        recovered = try fields.optionalBool("recovered") ?? false
    }

    private static func kind(_ fields: JSONFields) throws(WireError) -> Kind {
        switch try fields.optionalText("kind") {
        case nil, "utterance": return .utterance
        case "gap":
            var lost: [UInt64] = []
            for value in try fields.list("lost_seqs") {
                guard let seq = value.int.flatMap({ UInt64(exactly: $0) }) else {
                    throw fields.wrong("lost_seqs", "holds something that is not a seq")
                }
                lost.append(seq)
            }
            return .gap(lost: lost)
        case .some(let other): throw fields.wrong("kind", "is \"\(other)\", which is not known")
        }
    }

    private static func stamp(_ fields: JSONFields, _ name: String) throws(WireError) -> Stamp {
        let stamp = try fields.object(name)
        return Stamp(
            monotonic: Int64(try stamp.integer("monotonic_ns")), boot: Int64(try stamp.integer("boot_ns")),
            wall: Int64(try stamp.integer("wall_ns")))
    }

    private static func parameters(_ fields: JSONFields) throws(WireError) -> [String: Double] {
        guard fields.has("rule_parameters") else { return [:] }
        var parameters: [String: Double] = [:]
        for (key, value) in try fields.members("rule_parameters") {
            // A parameter that was no number was written as null; it explains nothing.
            if value.isNull { continue }
            guard let number = value.double else { throw fields.wrong("rule_parameters", "holds no number") }
            parameters[key] = number
        }
        return parameters
    }

    private static func readings(_ fields: JSONFields) throws(WireError) -> [Reading] {
        let levels = fields.has("reading_dbfs") ? try fields.list("reading_dbfs") : []
        let marks = fields.has("reading_marks") ? try fields.text("reading_marks") : ""
        guard Hex.isLowercase(marks, digits: levels.count) else {
            throw fields.wrong("reading_marks", "has not one hexadecimal digit for each of reading_dbfs")
        }
        // A rule that goes by levels alone writes none.
        var speech = fields.has("reading_speech") ? try fields.text("reading_speech")[...] : ""
        let digits = Reading.noSpeech.utf8.count
        guard speech.isEmpty || speech.utf8.count == digits * levels.count else {
            throw fields.wrong("reading_speech", "has not 12 digits for each of reading_dbfs")
        }
        var readings: [Reading] = []
        readings.reserveCapacity(levels.count)
        for (level, digit) in zip(levels, marks.utf8) {
            guard let dbfs = level.double, let marks = Hex.value(of: digit) else {
                throw fields.wrong("reading_dbfs", "holds something that is not a number")
            }
            let heard = speech.prefix(digits)
            speech = speech.dropFirst(digits)
            guard heard.isEmpty || heard == Reading.noSpeech || Hex.isLowercase(heard, digits: digits) else {
                throw fields.wrong("reading_speech", "holds something that is not 12 hexadecimal digits")
            }
            let isHeard = !heard.isEmpty && heard != Reading.noSpeech
            readings.append(Reading(dbfs: dbfs, marks: Int(marks), speech: isHeard ? String(heard) : nil))
        }
        return readings
    }
}
