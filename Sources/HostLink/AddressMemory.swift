import Wire

/// Where the host answered last, kept over restarts; a hint like every other.
package struct AddressMemory: Sendable {
    /// For the pin of a host (32 bytes); nil when nothing is known.
    package let recall: @Sendable (_ pin: [UInt8]) -> HostAddress?
    /// Called on the asking thread when the host was found elsewhere.
    package let keep: @Sendable (_ pin: [UInt8], HostAddress) -> Void

    package init(
        recall: @escaping @Sendable (_ pin: [UInt8]) -> HostAddress?,
        keep: @escaping @Sendable (_ pin: [UInt8], HostAddress) -> Void
    ) {
        self.recall = recall
        self.keep = keep
    }

    /// Remembers nothing.
    package static let none = AddressMemory(recall: { _ in nil }, keep: { _, _ in })
}
