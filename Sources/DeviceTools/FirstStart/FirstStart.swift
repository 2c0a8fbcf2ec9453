import Turn

/// What to do with the files that somebody put on the boot partition. Pure: it is given what was found and says what
/// follows, in order.
enum FirstStart {
    /// The files' names there; `problem` is what this program writes.
    static let settings = "lapel.conf"
    static let pairing = "lapel-pair.txt"
    static let problem = "lapel-problem.txt"

    /// Larger files are not what they are named after.
    static let mostBytes = 65_536

    /// One of the two files, read and checked.
    enum Found: Equatable {
        case absent
        /// What is to be kept of it.
        case usable([UInt8])
        /// The sentence says what is wrong with it.
        case refused(String)
    }

    /// One thing to do. A file is taken over durably before it is removed: cut in between, the next start does the
    /// same once more.
    enum Step: Equatable {
        case takeSettings([UInt8])
        case takePairing([UInt8])
        case remove(String)
        case writeProblem(String)
        case blink(Fault)
    }

    /// The steps for what was found. A refused file stays where it is, to be mended; the other one is taken all the
    /// same. A problem of an earlier start goes as soon as there is none.
    static func steps(settings: Found, pairing: Found, problemIsThere: Bool) -> [Step] {
        var steps: [Step] = []
        var problems: [(sentence: String, fault: Fault)] = []
        switch settings {
        case .absent: break
        case .usable(let bytes): steps += [.takeSettings(bytes), .remove(Self.settings)]
        case .refused(let sentence): problems.append((sentence, .service))
        }
        switch pairing {
        case .absent: break
        case .usable(let bytes): steps += [.takePairing(bytes), .remove(Self.pairing)]
        case .refused(let sentence): problems.append((sentence, .mistrusted))
        }
        if problems.isEmpty {
            if problemIsThere { steps.append(.remove(problem)) }
        } else {
            steps.append(.writeProblem(problemText(problems.map(\.sentence))))
            steps += problems.map { .blink($0.fault) }
        }
        return steps
    }

    /// A text file for whoever reads the card, on any system: lines end as every editor understands them.
    static func problemText(_ sentences: [String]) -> String {
        (["Lapel could not use what was put on this card:", ""] + sentences + [
            "", "Mend or replace the file, put the card back and start the board again.",
        ]).joined(separator: "\r\n") + "\r\n"
    }

    /// Settings as they are taken over: without what editors of other systems add. The lines keep their numbers.
    static func settingsText(_ bytes: [UInt8]) -> [UInt8] {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes[...]
        return text.filter { $0 != 0x0D }
    }
}
