import CCurl
import Wire

/// One request at one place: a libcurl handle in a multi handle, with everything that libcurl refers to while it lasts.
final class Transfer {
    let place: HostAddress
    let context: TransferContext
    let handle: UnsafeMutableRawPointer
    private let ownsHandle: Bool
    private var headers: UnsafeMutablePointer<curl_slist>?
    private let text: UnsafeMutablePointer<CChar>
    private var isInside = false
    private var silence: Silence

    /// Begins it.
    ///
    /// - Parameter handle: lent; nil makes one for this transfer alone.
    init(
        _ client: borrowing Client, _ request: HTTPRequest, at place: HostAddress,
        handle: UnsafeMutableRawPointer?
    ) throws(HostLinkError) {
        guard let own = handle ?? curl_easy_init() else {
            throw .setup(operation: "begin", reason: "no memory")
        }
        self.handle = own
        ownsHandle = handle == nil
        self.place = place
        context = TransferContext(request)
        silence = Silence(limit: request.silence)
        text = .allocate(capacity: Int(CURL_ERROR_SIZE))
        text.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        var lines = request.headers
        if case .file(let file) = request.sink, let range = file.range { lines.append(range) }
        // "Expect:" removes curl's wait for 100-continue.
        for line in lines.map({ "\($0.name): \($0.value)" }) + ["Expect:"] {
            headers = curl_slist_append(headers, line)
        }
        let code = prepare(
            own, request, client.peer, place, list: headers, text: text,
            transfer: Unmanaged.passUnretained(self).toOpaque())
        guard code == CURLE_OK else {
            throw .setup(operation: "be set up", reason: reason(of: code, buffer: []))
        }
        guard curl_multi_add_handle(client.multi, own) == CURLM_OK else {
            throw .setup(operation: "begin", reason: "no memory")
        }
        isInside = true
    }

    /// Called before the multi handle goes; a transfer under way is broken off.
    func end(_ multi: UnsafeMutableRawPointer) {
        guard isInside else { return }
        isInside = false
        curl_multi_remove_handle(multi, handle)
        // A lent handle is used again: nothing of this transfer stays in it.
        if !ownsHandle { curl_easy_reset(handle) }
    }

    deinit {
        if ownsHandle { curl_easy_cleanup(handle) }
        curl_slist_free_all(headers)
        text.deallocate()
    }

    func answer() -> HTTPAnswer { context.finish(status: status) }

    /// Of the answer that comes; 0 before there is one.
    fileprivate var status: Int { number(CURLINFO_RESPONSE_CODE) }

    /// When nothing has moved for as long as the request bears: that it has stalled.
    func stall(now: Duration) -> Miss? {
        guard context.isUnderWay, silence.isOver(moved: moved, now: now) else { return nil }
        let words = "no byte moved for \(silence.limit.components.seconds) seconds"
        return Miss(failure: .stalled, place: place, reason: words)
    }

    /// Bytes that have gone to the connection and have come from it, without the request's head.
    private var moved: Int {
        var (up, down) = (curl_off_t(0), curl_off_t(0))
        _ = lapel_curl_get_off(handle, CURLINFO_SIZE_UPLOAD_T, &up)
        _ = lapel_curl_get_off(handle, CURLINFO_SIZE_DOWNLOAD_T, &down)
        return Int(up + down) + number(CURLINFO_HEADER_SIZE)
    }

    private func number(_ info: CURLINFO) -> Int {
        var value = 0
        _ = lapel_curl_get_long(handle, info, &value)
        return value
    }

    /// Why there is no answer.
    func miss(_ code: CURLcode) -> Miss {
        let words = Array(UnsafeBufferPointer(start: text, count: Int(CURL_ERROR_SIZE)))
        return Miss(
            failure: failure(of: code, connected: context.isUnderWay && !comesBeforeConnection(code)),
            place: place, reason: context.objection ?? reason(of: code, buffer: words))
    }

    /// Failures that say by themselves that there was no connection, new or reused.
    private func comesBeforeConnection(_ code: CURLcode) -> Bool {
        code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_CONNECT || code == CURLE_SSL_CONNECT_ERROR
            || code == CURLE_SSL_CERTPROBLEM
    }
}

/// Sets every option anew; only the connections of the multi handle are kept from the requests before.
private func prepare(
    _ easy: UnsafeMutableRawPointer, _ request: HTTPRequest, _ peer: Peer, _ place: HostAddress,
    list: UnsafeMutablePointer<curl_slist>?, text: UnsafeMutablePointer<CChar>,
    transfer: UnsafeMutableRawPointer
) -> CURLcode {
    curl_easy_reset(easy)
    let trust = peer.options
    var strings = trust.strings
    strings.append((CURLOPT_URL, "\(peer.scheme)://\(place)\(request.path)"))
    strings.append((CURLOPT_CUSTOMREQUEST, request.method.rawValue))
    strings.append((CURLOPT_PROTOCOLS_STR, peer.scheme))
    // No proxy from the environment: one that ends TLS would only break the pin.
    strings.append((CURLOPT_PROXY, ""))
    for (option, value) in strings {
        let code = lapel_curl_set_string(easy, option, value)
        guard code == CURLE_OK else { return code }
    }
    let always: [(CURLoption, Int)] = [
        (CURLOPT_NOSIGNAL, 1),
        (CURLOPT_HTTP_VERSION, 2),  // CURL_HTTP_VERSION_1_1
        (CURLOPT_QUICK_EXIT, 1),  // a name that is being looked up does not hold up the end
        (CURLOPT_CONNECTTIMEOUT, 10),
        (
            request.method == .head ? CURLOPT_NOBODY : request.body == nil ? CURLOPT_HTTPGET : CURLOPT_UPLOAD,
            1
        ),
    ]
    for (option, value) in trust.numbers + always {
        let code = lapel_curl_set_long(easy, option, value)
        guard code == CURLE_OK else { return code }
    }
    let length = curl_off_t(request.body?.length ?? 0)
    let codes = [
        request.body == nil ? CURLE_OK : lapel_curl_set_off(easy, CURLOPT_INFILESIZE_LARGE, length),
        lapel_curl_set_slist(easy, CURLOPT_HTTPHEADER, list),
        lapel_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, text),
        lapel_curl_set_pointer(easy, CURLOPT_READDATA, transfer),
        lapel_curl_set_pointer(easy, CURLOPT_SEEKDATA, transfer),
        lapel_curl_set_pointer(easy, CURLOPT_WRITEDATA, transfer),
        lapel_curl_set_pointer(easy, CURLOPT_HEADERDATA, transfer),
        lapel_curl_set_pointer(easy, CURLOPT_PREREQDATA, transfer),
        lapel_curl_set_io(easy, CURLOPT_READFUNCTION, readBody),
        lapel_curl_set_seek(easy, seekBody),
        lapel_curl_set_prereq(easy, requestBegins),
        lapel_curl_set_io(easy, CURLOPT_WRITEFUNCTION, takeBody),
        lapel_curl_set_io(easy, CURLOPT_HEADERFUNCTION, takeHeader),
    ]
    return codes.first { $0 != CURLE_OK } ?? CURLE_OK
}

extension Peer {
    /// What libcurl must know of whom it may talk to.
    fileprivate var options: (strings: [(CURLoption, String)], numbers: [(CURLoption, Int)]) {
        switch self {
        case .pinned(let pin, let credentials):
            let strings: [(CURLoption, String)] = [
                (CURLOPT_PINNEDPUBLICKEY, "sha256//" + Base64.encode(pin)),
                (CURLOPT_SSLCERT, credentials.certificatePath), (CURLOPT_SSLKEY, credentials.keyPath),
            ]
            return (
                strings,
                [
                    (CURLOPT_SSL_VERIFYPEER, 0), (CURLOPT_SSL_VERIFYHOST, 0),
                    (CURLOPT_SSLVERSION, 7),  // CURL_SSLVERSION_TLSv1_3
                ]
            )
        case .foreign:
            return (
                [],
                [
                    (CURLOPT_SSL_VERIFYPEER, 1), (CURLOPT_SSL_VERIFYHOST, 2),
                    (CURLOPT_SSLVERSION, 6),  // CURL_SSLVERSION_TLSv1_2
                ]
            )
        }
    }
}

// C callbacks: on the thread that performs, with their transfer as its user data.

private func transfer(_ user: UnsafeMutableRawPointer?) -> Transfer? {
    user.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

private func requestBegins(
    user: UnsafeMutableRawPointer?, to: UnsafeMutablePointer<CChar>?, from: UnsafeMutablePointer<CChar>?,
    toPort: Int32, fromPort: Int32
) -> Int32 {
    transfer(user)?.context.begins() == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

private func readBody(
    data: UnsafeMutablePointer<CChar>?, size: Int, count: Int, user: UnsafeMutableRawPointer?
) -> Int {
    guard let data, let body = transfer(user)?.context.request.body else { return Int(CURL_READFUNC_ABORT) }
    return body.read(into: UnsafeMutableRawBufferPointer(start: data, count: size * count))
        ?? Int(CURL_READFUNC_ABORT)
}

private func seekBody(user: UnsafeMutableRawPointer?, offset: curl_off_t, origin: Int32) -> Int32 {
    guard origin == SEEK_SET, let body = transfer(user)?.context.request.body, body.seek(to: Int(offset))
    else {
        return CURL_SEEKFUNC_FAIL
    }
    return CURL_SEEKFUNC_OK
}

private func takeBody(
    data: UnsafeMutablePointer<CChar>?, size: Int, count: Int, user: UnsafeMutableRawPointer?
) -> Int {
    guard let transfer = transfer(user) else { return 0 }
    let bytes = UnsafeRawBufferPointer(start: data, count: size * count)
    return transfer.context.takeBody(bytes, status: transfer.status) ? bytes.count : 0
}

private func takeHeader(
    data: UnsafeMutablePointer<CChar>?, size: Int, count: Int, user: UnsafeMutableRawPointer?
) -> Int {
    let bytes = UnsafeRawBufferPointer(start: data, count: size * count)
    transfer(user)?.context.takeHeader(String(decoding: bytes, as: UTF8.self))
    return bytes.count
}
