import DurableFiles

enum Program: String, CaseIterable { case device, host }

/// What a program is doing, in the words of the table.
enum Step: Hashable {
    // The device.
    case begin, append, sync, finish, commit, discard, giveUp, shipCreate, shipHead, shipPatch, letGo, park
    // The host, in the order of an upload's life.
    case create, write, ask, hash, shelve, record, answer, forget
    case shutDown
    // Both.
    case startUp

    static let device: [Step] = [
        .startUp, .begin, .append, .sync, .finish, .commit, .discard, .giveUp, .shipCreate, .shipHead,
        .shipPatch,
        .letGo, .park,
    ]
    var title: String {
        switch self {
        case .shipCreate: "ship-create"
        case .shipHead: "ship-head"
        case .shipPatch: "ship-patch"
        case .letGo: "let-go"
        case .giveUp: "give-up"
        case .startUp: "start-up"
        case .shutDown: "shut-down"
        case .shelve: "rename"
        case .record: "commit"
        case .begin, .append, .sync, .finish, .commit, .discard, .park, .create, .write, .ask, .hash,
            .answer, .forget:
            "\(self)"
        }
    }

    static let host: [Step] = [
        .startUp, .create, .write, .ask, .hash, .shelve, .record, .answer, .forget, .shutDown,
    ]
}

/// The call before which a program died.
enum Call: Hashable {
    case file(FileOperation)
    /// SQLite's own calls.
    case database(FileOperation)
    /// Between two packets.
    case network

    static let columns: [Call] =
        FileOperation.allCases.map(Call.file)
        + [.open, .create, .read, .write, .truncate, .sync, .syncFolder, .unlink, .size].map(Call.database)
        + [.network]

    var title: String {
        switch self {
        case .file(let operation): operation.rawValue
        case .database(let operation): "db " + operation.rawValue
        case .network: "network"
        }
    }
}

struct Site: Hashable {
    let program: Program
    let step: Step
    let call: Call

    /// So seldom reached that chance alone would leave it out.
    var isRare: Bool {
        switch (program, step, call) {
        case (.device, .giveUp, _), (.device, .park, _): true
        case (.device, .sync, .file(let operation)):
            [.create, .write, .reserve, .rename, .space, .truncate].contains(operation)
        case (.device, .finish, .file(let operation)): [.create, .read, .rename, .open].contains(operation)
        case (.device, .append, .file(let operation)): [.reserve, .space, .truncate].contains(operation)
        case (.device, .begin, .file(let operation)): [.sync, .syncFolder, .unlink].contains(operation)
        case (.device, .startUp, .file(.truncate)): true
        case (.host, .ask, .file), (.host, .forget, _), (.host, .shutDown, _): true
        case (.host, .hash, .file(.create)), (.host, .create, .file(.unlink)): true
        case (.host, .startUp, .file(let operation)):
            [.write, .sync, .rename, .unlink, .makeFolder].contains(operation)
        default: false
        }
    }

    var title: String { "\(program.rawValue) \(step.title) × \(call.title)" }
}

/// What happened in a run of worlds.
struct Tally {
    /// Calls made.
    var made: [Site: Int] = [:]
    /// Deaths before such a call, with an utterance in flight.
    var deaths: [Site: Int] = [:]
    /// Deaths while there was nothing to lose.
    var idleDeaths = 0
    var powerCuts = 0
    var events = 0
    var kept = 0
    var keptSealed = 0
    var stored = 0
    var recovered = 0
    var parked = 0
    var hostsReplaced = 0

    var crashes: Int { deaths.values.reduce(0, +) }

    mutating func add(_ other: Tally) {
        made.merge(other.made, uniquingKeysWith: +)
        deaths.merge(other.deaths, uniquingKeysWith: +)
        idleDeaths += other.idleDeaths
        powerCuts += other.powerCuts
        events += other.events
        kept += other.kept
        keptSealed += other.keptSealed
        stored += other.stored
        recovered += other.recovered
        parked += other.parked
        hostsReplaced += other.hostsReplaced
    }
}
