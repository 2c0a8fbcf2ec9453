import Wire

/// A request that brought no answer from a place.
struct Miss {
    let failure: TransferFailure
    let place: HostAddress
    let reason: String

    var error: HostLinkError { .noAnswer(failure, address: place.description, reason: reason) }
}
