import Wire

/// Proves the one-time token to the host and makes this device one of its own, wherever it is of the URL's addresses
/// and of those that the network knows.
///
/// Blocks for some 10 s when there is no host. Returns the answer, which names the keys that the host has, and the
/// addresses to remember: the one that answered, then the others of the URL.
///
/// - Parameters:
///   - keys: age identities that the host is to keep; it has them when this returns and names them.
///   - discovery: how the network is asked for the host.
package func pair(
    url: PairingURL, credentials: Credentials, deviceName: String, signingKey: String? = nil,
    keys: [String] = [], discovery: Discovery = .off
) throws(HostLinkError) -> (answer: PairAnswer, addresses: [HostAddress]) {
    let request = PairRequest(
        token: url.token, deviceName: deviceName, signingKey: signingKey, keys: keys)
    let client = try Client(.pinned(url.pin, credentials))
    let headers = [(name: TusHeader.contentType, value: "application/json"), machineClockHeader()]
    let post = HTTPRequest(.post, HostPath.pair, headers: headers, body: RequestBody(request.json.bytes))
    let heard: HTTPAnswer
    let place: HostAddress
    do throws(HostLinkError) {
        // No doorbell: -1 is passed over.
        (heard, place) = try client.exchange(
            post, at: url.hosts, discovery: discovery, doorbell: -1, isStopped: { false })
    } catch .noAnswer(.unreachable, let place, let reason) {
        throw .hostNotReachable(
            reason: HostLinkError.noAnswer(.unreachable, address: place, reason: reason).description)
    }
    switch heard.status {
    case 200...299: break
    case 401, 403: throw .tokenRefused
    case 408, 425, 429, 500...599:
        throw .hostBusy(address: place.description, status: heard.status, sentence: heard.sentence)
    default: throw .notAHost(address: place.description, reason: "it answers with HTTP \(heard.status)")
    }
    let answer: PairAnswer
    do { answer = try PairAnswer(json: JSON(parsing: heard.body)) } catch {
        throw .notAHost(address: place.description, reason: "\(error)")
    }
    return (answer, [place] + url.hosts.filter { $0 != place })
}
