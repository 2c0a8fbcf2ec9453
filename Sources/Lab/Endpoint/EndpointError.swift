/// Why the command could not do a file, as a sentence for whoever named it. What is wrong with a WAV file says
/// `AudioFileError`.
enum EndpointError: Error, Equatable, CustomStringConvertible {
    case unreadable(path: String, reason: String)
    case nothingInFolder(path: String)
    case badLine(path: String, line: Int, why: String)
    case noReadings(path: String)
    case plotNotWritten(path: String, reason: String)
    /// The rule wants more than levels.
    case levelsAlone(path: String)
    /// An utterance of the reference rule asked for quick.
    case calmRule(path: String)
    case notAnUtterance(path: String, why: String)
    case notASet(path: String, why: String)

    var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)."
        case .nothingInFolder(let path): "The folder \(path) holds no .wav and no .csv file."
        case .badLine(let path, let line, let why):
            "The meter trace \(path) is wrong in line \(line): \(why)."
        case .noReadings(let path): "The meter trace \(path) holds no reading."
        case .plotNotWritten(let path, let reason): "The drawing \(path) cannot be written: \(reason)."
        case .levelsAlone(let path):
            "\(path) holds levels alone, and the rule lapel hears the sound: name the WAV file, or ask for --rule reference."
        case .calmRule(let path):
            "\(path) was judged by the rule reference, which is always calm: leave --patience quick out."
        case .notAnUtterance(let path, let why):
            "\(path) is no manifest of an utterance that can be judged again: \(why)."
        case .notASet(let path, let why):
            "\(path) is no made set (\(why)): the folder that `make_set.py` writes has manifest.json and wav/."
        }
    }
}
