import CSodium

/// libsodium, ready. `sodium_init` runs once for the process, at first use, on whichever thread comes first.
enum Sodium {
    /// Traps when the kernel gives no random bytes: no id made after that could be trusted to be unique.
    static let ready: Void = {
        precondition(sodium_init() >= 0, "libsodium found no source of random bytes")
    }()
}
