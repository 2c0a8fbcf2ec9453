import CSodium
import Synchronization
import TestSupport

/// Random numbers for libsodium that come again: without them no world with sealed recordings could be seen twice.
/// For a process that runs worlds one after the other and nothing else.
enum SeededSodium {
    private static let generator = Mutex(SeededGenerator(seed: 0))

    static func seed(_ seed: UInt64) {
        _ = installed
        generator.withLock { $0 = SeededGenerator(seed: seed) }
    }

    private static let installed: Bool = {
        let made = UnsafeMutablePointer<randombytes_implementation>.allocate(capacity: 1)
        made.initialize(to: randombytes_implementation())
        made.pointee.implementation_name = { nil }
        made.pointee.random = { SeededSodium.next() }
        made.pointee.buf = { buffer, count in
            guard let buffer else { return }
            let bytes = UnsafeMutableRawBufferPointer(start: buffer, count: count)
            for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: SeededSodium.next()) }
        }
        return randombytes_set_implementation(made) == 0
    }()

    private static func next() -> UInt32 {
        generator.withLock { UInt32(truncatingIfNeeded: $0.next() >> 16) }
    }
}
