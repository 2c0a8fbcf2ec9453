import Threads
import Wire

/// What a host says when it is asked whether it is there.
package enum HostAnswer: Equatable, Sendable {
    /// It is the host, and knows this device. After so long, connection and TLS included.
    case here(after: Duration)
    /// It holds the key, and does not know this device.
    case unknownDevice
    /// It holds the key, and answers something else than a host does.
    case otherwise(status: Int)
    /// Another key.
    case stranger
    case nothing(reason: String)
}

/// Asks one address of the host with this pin (32 bytes) for its versions, which changes nothing there. Blocks for some
/// 10 s where nobody answers.
package func askHost(pin: [UInt8], at address: HostAddress, credentials: Credentials) -> HostAnswer {
    let began = MonotonicClock.now
    do throws(HostLinkError) {
        let (answer, _) = try exchange(pin, [address], .off, credentials)
        switch answer.status {
        case 200...299 where answer[TusHeader.version] != nil:
            return .here(after: MonotonicClock.now - began)
        case 401, 403: return .unknownDevice
        default: return .otherwise(status: answer.status)
        }
    } catch .noAnswer(.mistrusted, _, _) {
        return .stranger
    } catch .noAnswer(_, _, let reason) {
        return .nothing(reason: reason)
    } catch {
        return .nothing(reason: error.description)
    }
}

/// Asks these addresses and the network where the host is; nil when nobody who holds its key answers in some seconds.
package func findHost(pin: [UInt8], addresses: [HostAddress], credentials: Credentials) -> HostAddress? {
    try? exchange(pin, addresses, .multicast, credentials).place
}

private func exchange(
    _ pin: [UInt8], _ places: [HostAddress], _ discovery: Discovery, _ credentials: Credentials
) throws(HostLinkError) -> (answer: HTTPAnswer, place: HostAddress) {
    let headers = [(name: TusHeader.resumable, value: TusHeader.protocolVersion), machineClockHeader()]
    let request = HTTPRequest(.options, HostPath.uploads, headers: headers)
    let client = try Client(.pinned(pin, credentials))
    // No doorbell: -1 is passed over.
    return try client.exchange(request, at: places, discovery: discovery, doorbell: -1, isStopped: { false })
}
