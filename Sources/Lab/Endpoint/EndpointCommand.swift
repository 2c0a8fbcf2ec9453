import EndOfSpeech
import Wire

/// `lapel-lab endpoint`: says of recordings and meter traces where a rule hears the end of speech.
///
/// - Parameters:
///   - arguments: what follows the word `endpoint`.
///   - output: takes the results, a line at a time, without line end.
///   - error: takes sentences about what went wrong, likewise.
/// - Returns: the exit code: 0; 1 when a file could not be read or a plot not written (the others are still
///   done); 2 when the arguments cannot be understood.
package func endpointCommand(
    arguments: [String], output: (String) -> Void, error: (String) -> Void
) -> Int32 {
    let options: EndpointOptions
    switch EndpointOptions.parse(arguments) {
    case .help:
        output(EndpointOptions.help)
        return 0
    case .misuse(let sentence):
        error("lapel-lab endpoint: \(sentence)")
        error(EndpointOptions.usage)
        return 2
    case .run(let parsed):
        options = parsed
    }

    var failed = false
    func report(_ failure: any Error) {
        error("lapel-lab endpoint: \(failure)")
        failed = true
    }

    for path in options.sets {
        do {
            let score = try EndpointScore(of: path, asked: options.asked)
            score.lines(byScenario: options.byScenario).forEach(output)
        } catch { report(error) }
    }

    var inputs: [EndpointInput] = []
    for path in options.paths {
        do { inputs += try EndpointInput.all(at: path) } catch { report(error) }
    }
    var plotNames = EndpointPlotNames(pattern: options.plot, several: inputs.count > 1)
    var table = EndpointTable()
    for input in inputs {
        do {
            let trace = try EndpointTrace(input, asked: options.asked, tail: options.plot != nil)
            let verdict = trace.verdict
            if options.json { output(verdict.json.text) } else { table.add(verdict) }
            if let path = plotNames.next(for: input) {
                try EndpointPlot(trace).write(to: path)
            }
        } catch {
            report(error)
        }
    }
    table.lines.forEach(output)
    return failed ? 1 : 0
}
