import Glibc

extension Sweep {
    /// For whoever adds up the parts of a run: what was made and where it died, a line each.
    func report() {
        guard getenv("LAPEL_CUSTODY_CRASHES") != nil else { return }
        var lines: [String] = []
        for (site, made) in tally.made {
            let fields = [
                site.program.rawValue, site.step.title, site.call.title, "\(made)",
                "\(tally.deaths[site] ?? 0)",
            ]
            lines.append("cell\t" + fields.joined(separator: "\t"))
        }
        let sums: [(String, Int)] = [
            ("worlds", worlds), ("events", tally.events), ("crashes", tally.crashes),
            ("power cuts", tally.powerCuts), ("crashes with nothing in flight", tally.idleDeaths),
            ("kept", tally.kept), ("kept sealed", tally.keptSealed), ("recovered at start", tally.recovered),
            ("stored on a host", tally.stored), ("parked", tally.parked),
            ("hosts replaced", tally.hostsReplaced),
            ("broken promises", failure == nil ? 0 : 1),
        ]
        for (name, value) in sums { lines.append("sum\t\(name)\t\(value)") }
        print(lines.sorted().joined(separator: "\n"))
    }
}
