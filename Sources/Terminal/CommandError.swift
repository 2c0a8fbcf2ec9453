/// Why a command did not do what was asked: one sentence.
package enum CommandError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The command line cannot be understood; exit code 2.
    case usage(String)
    /// Anything else; exit code 1.
    case failed(String)

    package var description: String {
        switch self {
        case .usage(let sentence), .failed(let sentence): sentence
        }
    }
}

/// Says any error of the layers below as the command's.
package func explained<Result>(_ body: () throws -> Result) throws(CommandError) -> Result {
    do { return try body() } catch let error as CommandError { throw error } catch {
        throw .failed("\(error)")
    }
}
