import AudioFiles
import EndOfSpeech
import Glibc

/// Something with levels in it.
enum EndpointInput: Equatable {
    case wav(path: String)
    case meter(path: String)

    var path: String {
        switch self {
        case .wav(let path), .meter(let path): path
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
        hasSuffix(path, ".csv") ? .meter(path: path) : .wav(path: path)
    }

    private static func hasSuffix(_ name: String, _ suffix: String) -> Bool {
        name.lowercased().hasSuffix(suffix)
    }

    /// Gives every observation in order until `observed` says no more.
    ///
    /// - Returns: the length of the whole input in seconds.
    func read(while observed: (Observation) -> Bool) throws -> Double {
        switch self {
        case .wav(let path): try Self.readWAV(path, while: observed)
        case .meter(let path): try MeterTrace.read(path, while: observed)
        }
    }

    /// All channels mixed to one, at the file's own rate; DC is left in.
    private static func readWAV(_ path: String, while observed: (Observation) -> Bool) throws -> Double {
        var reader = try WAVReader(path: path)
        let header = reader.header
        var frontEnd = LevelFrontEnd(rate: header.rate)
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
