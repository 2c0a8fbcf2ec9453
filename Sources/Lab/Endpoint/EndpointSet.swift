import Wire

/// A made set: turns whose truth is known, as `make_set.py` writes it.
struct EndpointSet {
    struct Turn {
        let wav: String
        let scenario: String
        /// When the wearer finished, in seconds; nil in a turn of noise alone.
        let end: Double?
        /// Other people are heard, too.
        let hasOtherTalkers: Bool
    }

    let turns: [Turn]

    /// - Throws: `EndpointError`.
    init(path: String) throws {
        let json: JSON
        let file = path + "/manifest.json"
        do { json = try JSON(parsing: try EndpointFile.read(file)) } catch let error as WireError {
            throw EndpointError.notASet(path: path, why: "\(error)")
        }
        guard let items = json.elements, !items.isEmpty else {
            throw EndpointError.notASet(path: path, why: "manifest.json lists no turns")
        }
        turns = try items.map { item in
            guard let id = item["id"]?.string, let scenario = item["scenario"]?.string else {
                throw EndpointError.notASet(path: path, why: "a turn without id or scenario")
            }
            let talkers = scenario == "far" || scenario == "n_far" || item["noise"]?.string == "babble"
            return Turn(
                wav: "\(path)/wav/\(id).wav", scenario: scenario, end: item["end"]?.double,
                hasOtherTalkers: talkers)
        }
    }
}
