import CSodium

/// Memory that is wiped before it is given back.
struct Wiped: ~Copyable, @unchecked Sendable {
    // Unchecked: a raw pointer with one owner. Whoever holds this value alone may touch what it points to.
    let bytes: UnsafeMutableRawBufferPointer

    /// `count` zero bytes.
    init(count: Int) {
        bytes = .allocate(byteCount: count, alignment: 16)
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit {
        // Unlike memset before free, this one is not optimised away.
        sodium_memzero(bytes.baseAddress, bytes.count)
        bytes.deallocate()
    }
}

/// Secret bytes that several values share; they do not change, and are wiped with the last of those values.
final class Secret: Sendable {
    private let memory: Wiped

    /// `count` bytes as `fill` leaves them.
    init(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
        Sodium.ready
        memory = Wiped(count: count)
        fill(memory.bytes)
    }

    convenience init(copying bytes: UnsafeRawBufferPointer) {
        self.init(count: bytes.count) { $0.copyMemory(from: bytes) }
    }

    convenience init(copying bytes: [UInt8]) {
        self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    static func random(count: Int) -> Secret {
        Secret(count: count) { randombytes_buf($0.octets, count) }
    }

    var count: Int { memory.bytes.count }

    /// The bytes, for the time of `body`.
    func read<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        defer { withExtendedLifetime(self) {} }
        return body(UnsafeRawBufferPointer(memory.bytes))
    }
}

/// libsodium reads and writes nothing at the address of an empty buffer, but declares that there is one.
private var nowhere: UnsafeMutableRawPointer {
    guard let address = UnsafeMutableRawPointer(bitPattern: 16) else { preconditionFailure("16 is not null") }
    return address
}

extension UnsafeRawBufferPointer {
    /// As libsodium reads bytes.
    var octets: UnsafePointer<UInt8> {
        (baseAddress ?? UnsafeRawPointer(nowhere)).assumingMemoryBound(to: UInt8.self)
    }
}

extension UnsafeMutableRawBufferPointer {
    /// As libsodium writes bytes.
    var octets: UnsafeMutablePointer<UInt8> { (baseAddress ?? nowhere).assumingMemoryBound(to: UInt8.self) }
}
