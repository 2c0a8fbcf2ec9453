import CMath
import Hardware

/// Cuts the recording into blocks of 100 ms and reads the level of each (SPECIFICATION.md, "End of speech").
struct CaptureMeter {
    private let block: Int
    private let channels: Int
    /// The high-pass is off: DC is still in the samples, and taken out of the level alone.
    private let holdsDC: Bool
    private var index = 0
    private var frames = 0
    private var squares: Int64 = 0
    private var sums: (Int64, Int64) = (0, 0)
    private var marks: UInt8 = 0

    init(rate: Int, channels: Int, holdsDC: Bool) {
        block = rate / 10
        self.channels = channels
        self.holdsDC = holdsDC
    }

    /// Frames that the running block still takes.
    var room: Int { block - frames }

    /// Adds `count` frames, at most `room`. The reading, when the block is full.
    mutating func add(
        _ samples: UnsafePointer<Int16>, count: Int, marks: LevelReading.Marks, at now: Duration
    ) -> LevelReading? {
        var (first, second, squares) = (Int64(0), Int64(0), Int64(0))
        // A block is at most 4,800 frames: 32 bits hold a sum, 64 a sum of squares.
        if channels == 1 {
            for i in 0..<count {
                let x = Int64(samples[i])
                first &+= x
                squares &+= x &* x
            }
        } else {
            for i in 0..<count {
                let (x, y) = (Int64(samples[2 &* i]), Int64(samples[2 &* i &+ 1]))
                first &+= x
                second &+= y
                squares &+= x &* x &+ y &* y
            }
        }
        sums = (sums.0 + first, sums.1 + second)
        self.squares += squares
        self.marks |= marks.rawValue
        frames += count
        guard frames >= block else { return nil }

        var power = Double(self.squares)
        if holdsDC {
            let (a, b) = (Double(sums.0), Double(sums.1))
            power = max(power - (a * a + b * b) / Double(frames), 0)
        }
        let level = lapel_dbfs(power, Double(frames * channels))
        let reading = LevelReading(index: index, dbfs: level, marks: .init(rawValue: self.marks), at: now)
        index += 1
        (frames, self.squares, sums, self.marks) = (0, 0, (0, 0), 0)
        return reading
    }
}
