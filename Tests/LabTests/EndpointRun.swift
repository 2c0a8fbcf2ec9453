import Foundation
import Lab
import Synchronization
import Terminal

/// One run of `lapel-lab endpoint`, and inputs for it drawn as strings: `.` a quiet room, `#` speech, 100 ms each.
struct EndpointRun {
    let code: Int32
    let lines: [String]
    let errors: [String]

    init(_ arguments: [String]) {
        let (lines, errors) = (Lines(), Lines())
        code = LabProgram.run(
            ["endpoint"] + arguments, console: Console(out: { lines.add($0) }, log: { errors.add($0) }))
        self.lines = lines.all
        self.errors = errors.all
    }

    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    func objects() throws -> [[String: Any]] {
        try lines.map { line in
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
        }
    }

    /// 16-bit PCM; a square wave of −60 or −20 dBFS.
    static func wav(_ drawing: String, rate: Int = 16_000, channels: Int = 1) -> [UInt8] {
        let symbols = Array(drawing.filter { $0 != " " })
        let frames = symbols.count * rate / 10
        var data: [UInt8] = []
        for frame in 0..<frames {
            let height: Int16 = symbols[min(frame * 10 / rate, symbols.count - 1)] == "#" ? 2317 : 23
            let sample = UInt16(bitPattern: frame % 20 < 10 ? height : -height)
            for _ in 0..<channels { data += [UInt8(truncatingIfNeeded: sample), UInt8(sample >> 8)] }
        }
        func little(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let format =
            little(1, 2) + little(channels, 2) + little(rate, 4) + little(rate * channels * 2, 4)
            + little(channels * 2, 2) + little(16, 2)
        return Array("RIFF".utf8) + little(36 + data.count, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
            + format
            + Array("data".utf8) + little(data.count, 4) + data
    }

    static func csv(_ drawing: String) -> [UInt8] {
        var text = "time_s,dbfs\n"
        for (index, symbol) in drawing.filter({ $0 != " " }).enumerated() {
            text += "\((Double(index) + 1) / 10),\(symbol == "#" ? -20.0 : -60.0)\n"
        }
        return Array(text.utf8)
    }
}

/// By the reference rule, unless another is named.
func lapelEndpoint(_ arguments: String...) -> EndpointRun {
    EndpointRun(
        arguments.contains { $0.hasPrefix("--rule") } ? arguments : ["--rule", "reference"] + arguments)
}
