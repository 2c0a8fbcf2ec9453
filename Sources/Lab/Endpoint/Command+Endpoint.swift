import EndOfSpeech
import Terminal
import Wire

extension Command {
    /// Says of recordings and meter traces where a rule hears the end of speech. A file that cannot be read does not
    /// keep the others.
    static let endpoint = Command(
        name: "endpoint",
        synopsis: "[--rule NAME] [--patience P] [--hangover S] [--json] [--plot OUT.svg] FILE…",
        summary: "Say where a rule hears the end of speech in recordings.",
        options: [
            .init(
                name: "rule", value: "NAME",
                help:
                    "the rule to ask: \(EndpointOptions.names). Without it a recording is judged by lapel, as the\n"
                    + "device does it, a meter trace, which holds levels alone, by reference, and an\n"
                    + "utterance by the rule that judged it"),
            .init(
                name: "patience", value: "P",
                help: "calm (default), or quick: as short as lapel can be sure with"),
            .init(name: "hangover", value: "S", help: "another hangover than the rule's own, in seconds"),
            .init(
                name: "json", value: nil,
                help: "one object a line: file, rule, hangover_s, duration_s, end_s (null: never ends),\n"
                    + "speech_s, send, reason"),
            .init(
                name: "plot", value: "OUT.svg",
                help: "draw level, floor, threshold, probability, speech and the end; for several files\n"
                    + "one drawing each: OUT-NAME.svg, for example OUT-press.wav.svg"),
            .init(
                name: "replay", value: "FILE",
                help: "judge an utterance again from its manifest (.json), with the figures it was\n"
                    + "judged with unless others are named",
                repeats: true),
            .init(
                name: "score", value: "SET",
                help: "judge a made set (a folder with manifest.json and wav/) and print the shares of its\n"
                    + "turns that ended well, late, early or never",
                repeats: true),
            .init(name: "by", value: "scenario", help: "with --score: a line for each situation, too"),
        ],
        words: .max,
        notes: """
            FILE is a WAV file of any rate and channel count (channels are mixed to one, levels are taken as they
            are, every 100 ms), a meter trace (.csv with the columns time_s,dbfs; lines with # are comments), the
            manifest of a stored utterance (.json), or a folder: then every .wav and .csv in it, by name, but not in
            folders inside it.

            end_s is the time of the reading that ended the utterance, send is true when there was enough speech.
            Exit code: 0; 1 when a file could not be read (the others are still done); 2 for wrong arguments.
            """,
        run: { arguments, console throws(CommandError) in
            judge(try EndpointOptions(arguments), console)
        })

    private static func judge(_ options: EndpointOptions, _ console: Console) -> Int32 {
        var failed = false
        func report(_ failure: any Error) {
            console.log("lapel-lab: \(failure)")
            failed = true
        }

        for path in options.sets {
            do {
                let score = try EndpointScore(of: path, asked: options.asked)
                score.lines(byScenario: options.byScenario).forEach(console.out)
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
                if options.json { console.out(verdict.json) } else { table.add(verdict) }
                if let path = plotNames.next(for: input) {
                    try EndpointPlot(trace).write(to: path)
                }
            } catch {
                report(error)
            }
        }
        table.lines.forEach(console.out)
        return failed ? 1 : 0
    }
}
