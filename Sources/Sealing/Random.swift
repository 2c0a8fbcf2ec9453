import CSodium

/// `count` bytes from the kernel's generator.
package func randomBytes(_ count: Int) -> [UInt8] {
    precondition(count >= 0, "a count of random bytes is not negative")
    Sodium.ready
    var bytes = [UInt8](repeating: 0, count: count)
    randombytes_buf(&bytes, count)
    return bytes
}

/// A 128-bit random identity: 32 lower-case hexadecimal digits.
package func randomID() -> String { hexText(randomBytes(16)) }

/// Whether two secrets are the same, in a time that depends on their length only.
package func constantTimeEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    guard a.count == b.count else { return false }
    Sodium.ready
    return sodium_memcmp(a, b, a.count) == 0
}
