/// Why the command could not do a file, as a sentence for whoever named it. What is wrong with a WAV file says
/// `AudioFileError`.
enum EndpointError: Error, Equatable, CustomStringConvertible {
    case unreadable(path: String, reason: String)
    case nothingInFolder(path: String)
    case badLine(path: String, line: Int, why: String)
    case noReadings(path: String)
    case plotNotWritten(path: String, reason: String)

    var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)."
        case .nothingInFolder(let path): "The folder \(path) holds no .wav and no .csv file."
        case .badLine(let path, let line, let why):
            "The meter trace \(path) is wrong in line \(line): \(why)."
        case .noReadings(let path): "The meter trace \(path) holds no reading."
        case .plotNotWritten(let path, let reason): "The drawing \(path) cannot be written: \(reason)."
        }
    }
}
