/// Why a catalogue, a shelf or a feed did not do what was asked.
package struct StoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A sentence that says what to do about it.
    package let description: String
    /// There is no room: it may work once some was made.
    package let isFull: Bool

    package init(_ description: String, isFull: Bool = false) {
        self.description = description
        self.isFull = isFull
    }
}
