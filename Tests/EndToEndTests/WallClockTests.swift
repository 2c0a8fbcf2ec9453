import Foundation
import Testing
import Wire

/// The device's wall clock is wrong, or is set while somebody speaks: nothing is lost, longer, shorter or out of order.
///
/// One after another: each runs in real time.
@Suite(.serialized) struct WallClockTests {
    struct Wall: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Seconds that the device's wall clock is off, and from the middle of each recording on.
        let before: Int
        let after: Int
    }

    private static let year = 31_556_952
    private static let now = Int(Date().timeIntervalSince1970)

    @Test(arguments: [
        Wall(testDescription: "it is set from 1970", before: -now, after: 0),
        Wall(testDescription: "a day on", before: 0, after: 86_400),
        Wall(testDescription: "26 years back", before: 0, after: -26 * year),
        Wall(testDescription: "summer time ends", before: 3600, after: 0),
    ])
    func lengthEndAndOrderAreTheSame(wall: Wall) async throws {
        let study = try await Study.withHost()
        let clock = try await ShiftedClock(study)
        try clock.shift(by: wall.before)
        let device = try await pairedDevice(study, clock)
        let running = try await device.start(
            try study.wav(.phrase()), "--mode", "hold", environment: clock.environment)
        for round in 1...2 {
            _ = try await running.press()
            try await running.until("first_sample", count: round)
            try await running.untilRecorded(bytes: 2_000)
            try clock.shift(by: round == 1 ? wall.after : wall.before)
            try running.panel.send("release")
            try await running.until("closed", count: round)
        }
        try await study.untilStored(2)
        try await running.until("all is let go") { device.files("out").isEmpty }
        try await running.end()

        let stored = try await study.utterances()
        let presses = device.ledger().filter { $0["record"] == "opening" }.compactMap { $0["press"] }
        #expect(stored.compactMap { $0["utterance"] } == presses)
        let frames = device.ledger().filter { $0["record"] == "closed" }.compactMap { $0["frames"]?.int }
        #expect(frames.count == 2)
        for (utterance, frames) in zip(stored, frames) {
            #expect(utterance["end_reason"] == "release")
            let seconds = try #require(utterance["seconds"]?.double)
            #expect(abs(seconds - Double(frames) / 16_000) < 0.001)
        }
    }

    /// The three seconds of quiet are counted in frames, whatever the clock is set to meanwhile.
    @Test(arguments: [-26 * year, 26 * year])
    func aTurnEndsByItsOwnTime(jump: Int) async throws {
        let study = try await Study.withHost()
        let clock = try await ShiftedClock(study)
        let device = try await pairedDevice(study, clock)
        let running = try await device.start(
            try study.wav(.phrase()), "--press", "0.2", environment: clock.environment)
        try await running.untilRecorded(bytes: 2_000)
        try clock.shift(by: jump)
        try await running.until("closed")
        #expect(device.ledger().last?["reason"] == "hangover")
        // Two seconds of the phrase and three of quiet.
        let seconds = Double(device.ledger().last?["frames"]?.int ?? 0) / 16_000
        #expect((4.0...6.5).contains(seconds), "\(seconds) s")
        try await study.untilStored(1)
        try await running.end()
    }

    /// Paired under the wrong clock, too.
    private func pairedDevice(_ study: Study, _ clock: ShiftedClock) async throws -> Device {
        let device = study.device()
        let paired = try study.start(
            "lapel", ["pair", try await study.pairingURL(), "--outbox-dir", device.path],
            environment: clock.environment)
        let finished = try await paired.finished()
        guard finished.status == 0 else { throw Broken("pair: \(finished.errors)") }
        return device
    }
}

/// A wall clock that is off by what a file says, for programs that are started with it.
private struct ShiftedClock {
    private let library: String
    private let file: String

    var environment: [String] { ["LD_PRELOAD=\(library)", "LAPEL_TEST_WALL=\(file)"] }

    init(_ study: Study) async throws {
        library = study.folder.file("wall.so")
        file = study.folder.file("wall")
        let source = try study.folder.write("wall.c", Array(Self.source.utf8))
        let made = try await study.tool("cc", "-shared", "-fPIC", "-O1", "-o", library, source)
        guard made.status == 0 else { throw Broken("cc: \(made.errors)") }
        try shift(by: 0)
    }

    /// In one step, as somebody sets a clock.
    func shift(by seconds: Int) throws {
        try Data("\(seconds)\n".utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
    }

    private static let source = """
        #define _GNU_SOURCE
        #include <fcntl.h>
        #include <stdlib.h>
        #include <sys/syscall.h>
        #include <sys/time.h>
        #include <time.h>
        #include <unistd.h>
        static long shift(void) {
            char text[32] = "";
            const char *path = getenv("LAPEL_TEST_WALL");
            int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
            if (file < 0) return 0;
            if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
            close(file);
            return atol(text);
        }
        int clock_gettime(clockid_t clock, struct timespec *at) {
            long result = syscall(SYS_clock_gettime, clock, at);
            if (result == 0 && clock == CLOCK_REALTIME) at->tv_sec += shift();
            return (int)result;
        }
        int gettimeofday(struct timeval *restrict at, void *restrict zone) {
            struct timespec now;
            clock_gettime(CLOCK_REALTIME, &now);
            at->tv_sec = now.tv_sec;
            at->tv_usec = now.tv_nsec / 1000;
            return 0;
        }
        time_t time(time_t *at) {
            struct timespec now;
            clock_gettime(CLOCK_REALTIME, &now);
            if (at) *at = now.tv_sec;
            return now.tv_sec;
        }
        """
}
