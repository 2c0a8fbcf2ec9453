import Wire

/// Where recordings go.
package enum Destination: Equatable, Sendable {
    /// The host, whose receipts let the device let go.
    case paired(PairedHost)
    /// A tus server that is not Lapel's; what it acknowledges is set aside in `sent/`.
    case foreign(ForeignServer)
}
