import Glibc
import Wire

/// Proves the one-time token to the host and makes this device one of its own. Tries each address of the URL.
///
/// Blocks up to 10 s for each address that does not answer. Returns the answer and the host to remember, with the
/// address that answered first; the keys that the host names are in the answer alone.
///
/// - Parameter keys: age identities that the host is to keep; it has them when this returns and names them.
package func pair(
    url: PairingURL, credentials: Credentials, deviceName: String, signingKey: String? = nil,
    keys: [String] = []
) throws(ShipperError) -> (answer: PairAnswer, host: PairedHost) {
    let request = PairRequest(
        token: url.token, deviceName: deviceName, signingKey: signingKey, keys: keys)
    let client = try Client(host: PairedHost(addresses: url.hosts, pin: url.pin), credentials: credentials)
    var failures: [ShipperError] = []
    for address in url.hosts {
        do throws(ShipperError) {
            let answer = try pair(request, with: client, at: address)
            let others = url.hosts.filter { $0 != address }
            return (answer, PairedHost(addresses: [address] + others, pin: url.pin))
        } catch .noAnswer(let failure, let place, let reason) {
            failures.append(.noAnswer(failure, address: place, reason: reason))
        }
    }
    // A wrong key is the more telling answer: it is why the right host was not found.
    for case .noAnswer(.mistrusted, let place, let reason) in failures {
        throw .noAnswer(.mistrusted, address: place, reason: reason)
    }
    throw .hostNotReachable(reasons: failures.map(\.description))
}

private func pair(
    _ request: PairRequest, with client: borrowing Client, at address: HostAddress
) throws(ShipperError) -> PairAnswer {
    let headers = [(name: TusHeader.contentType, value: "application/json"), machineClockHeader()]
    let post = HTTPRequest("POST", HostPath.pair, headers: headers, body: RequestBody(request.json.bytes))
    // No doorbell: -1 is passed over by poll(2).
    let answer = try client.exchange(post, at: address, doorbell: -1, isStopped: { false })
    switch answer.status {
    case 200...299: break
    case 401, 403: throw .tokenRefused
    default: throw .notAHost(address: address.description, reason: "it answers with HTTP \(answer.status)")
    }
    do {
        return try PairAnswer(json: JSON(parsing: answer.body))
    } catch {
        throw .notAHost(address: address.description, reason: "\(error)")
    }
}
