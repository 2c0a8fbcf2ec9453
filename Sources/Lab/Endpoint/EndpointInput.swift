import AudioFiles
import EndOfSpeech
import Glibc

/// Something with levels in it.
enum EndpointInput: Equatable {
    case wav(path: String)
    case meter(path: String)
    /// An utterance's manifest.
    case manifest(path: String)

    var path: String {
        switch self {
        case .wav(let path), .meter(let path), .manifest(let path): path
        }
    }

    /// The file's name without its folder.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The input at a path, or those in a folder, by name. Files that begin with a dot are left alone.
    static func all(at path: String) throws -> [EndpointInput] {
        guard let folder = opendir(path) else {
            // Not a folder; what else is wrong with it, its reader says.
            return [input(at: path)]
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: field.pointee)) {
                    String(cString: $0)
                }
            }
            if !name.hasPrefix("."), hasSuffix(name, ".wav") || hasSuffix(name, ".csv") { names.append(name) }
        }
        guard !names.isEmpty else { throw EndpointError.nothingInFolder(path: path) }
        let prefix = path.hasSuffix("/") ? path : path + "/"
        return names.sorted().map { input(at: prefix + $0) }
    }

    private static func input(at path: String) -> EndpointInput {
        if hasSuffix(path, ".csv") { return .meter(path: path) }
        return hasSuffix(path, ".json") ? .manifest(path: path) : .wav(path: path)
    }

    private static func hasSuffix(_ name: String, _ suffix: String) -> Bool {
        name.lowercased().hasSuffix(suffix)
    }

    /// Chooses the rule, then gives it every observation in order, with whether a device would have judged it, until
    /// `observed` says no more.
    ///
    /// - Returns: the length of the whole input in seconds.
    func read(
        for asked: EndpointAsked, rule: (EndOfSpeech) -> Void, while observed: (Observation, Bool) -> Bool
    ) throws -> Double {
        switch self {
        case .wav(let path):
            let fresh = asked.forSound
            rule(fresh)
            return try Self.readWAV(path, for: fresh.rule) { observed($0, true) }
        case .meter(let path):
            rule(try asked.forLevels(path: path))
            return try MeterTrace.read(path) { observed($0, true) }
        case .manifest(let path):
            let utterance = try UtteranceReadings(path: path)
            rule(try asked.forUtterance(utterance))
            return utterance.read(while: observed)
        }
    }

    /// All channels mixed to one, at the file's own rate; DC is left in.
    private static func readWAV(
        _ path: String, for rule: EndOfSpeech.Rule, while observed: (Observation) -> Bool
    ) throws -> Double {
        var reader = try WAVReader(path: path)
        let header = reader.header
        var frontEnd = rule.frontEnd(rate: header.rate)
        var going = true
        while going {
            let samples = try reader.read(frames: header.rate)
            if samples.isEmpty { break }
            WAVFile.mono(samples, channels: header.channels).withUnsafeBufferPointer { mono in
                frontEnd.take(mono) { observation in
                    if going { going = observed(observation) }
                }
            }
        }
        return header.seconds
    }
}

extension EndOfSpeech.Rule {
    /// What turns samples into what the rule judges.
    func frontEnd(rate: Int) -> any FrontEnd {
        switch self {
        case .reference: LevelFrontEnd(rate: rate)
        case .lapel: LapelFrontEnd(rate: rate)
        }
    }
}
