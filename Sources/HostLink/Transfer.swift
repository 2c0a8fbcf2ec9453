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
        context = TransferContext(body: request.body)
        text = .allocate(capacity: Int(CURL_ERROR_SIZE))
        text.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        // "Expect:" removes curl's wait for 100-continue.
        for line in request.headers.map({ "\($0.name): \($0.value)" }) + ["Expect:"] {
            headers = curl_slist_append(headers, line)
        }
        let code = prepare(own, request, client.peer, place, list: headers, text: text, context: context)
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

    func answer() -> HTTPAnswer {
        var status = 0
        _ = lapel_curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
        return context.finish(status: status)
    }

    /// Why there is no answer.
    func miss(_ code: CURLcode) -> Miss {
        let words = Array(UnsafeBufferPointer(start: text, count: Int(CURL_ERROR_SIZE)))
        return Miss(
            failure: failure(of: code, connected: context.isUnderWay && !comesBeforeConnection(code)),
            place: place, reason: reason(of: code, buffer: words))
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
    context: TransferContext
) -> CURLcode {
    curl_easy_reset(easy)
    let context = Unmanaged.passUnretained(context).toOpaque()
    let trust = peer.options
    var strings = trust.strings
    strings.append((CURLOPT_URL, "\(peer.scheme)://\(place)\(request.path)"))
    strings.append((CURLOPT_CUSTOMREQUEST, request.method))
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
        (CURLOPT_CONNECTTIMEOUT, 10), (CURLOPT_LOW_SPEED_LIMIT, 1),
        (CURLOPT_LOW_SPEED_TIME, Int(TransferLimit.stall.components.seconds)),
        (request.body == nil ? CURLOPT_NOBODY : CURLOPT_UPLOAD, 1),
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
        lapel_curl_set_pointer(easy, CURLOPT_READDATA, context),
        lapel_curl_set_pointer(easy, CURLOPT_SEEKDATA, context),
        lapel_curl_set_pointer(easy, CURLOPT_WRITEDATA, context),
        lapel_curl_set_pointer(easy, CURLOPT_HEADERDATA, context),
        lapel_curl_set_pointer(easy, CURLOPT_PREREQDATA, context),
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

// C callbacks: on the thread that performs, with what their transfer reads and writes as their context.

private func context(_ user: UnsafeMutableRawPointer?) -> TransferContext? {
    user.map { Unmanaged<TransferContext>.fromOpaque($0).takeUnretainedValue() }
}

private func requestBegins(
    user: UnsafeMutableRawPointer?, to: UnsafeMutablePointer<CChar>?, from: UnsafeMutablePointer<CChar>?,
    toPort: Int32, fromPort: Int32
) -> Int32 {
    context(user)?.begins() == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

private func readBody(
    data: UnsafeMutablePointer<CChar>?, size: Int, count: Int, user: UnsafeMutableRawPointer?
) -> Int {
    guard let data, let body = context(user)?.body else { return Int(CURL_READFUNC_ABORT) }
    return body.read(into: UnsafeMutableRawBufferPointer(start: data, count: size * count))
        ?? Int(CURL_READFUNC_ABORT)
}

private func seekBody(user: UnsafeMutableRawPointer?, offset: curl_off_t, origin: Int32) -> Int32 {
    guard origin == SEEK_SET, let body = context(user)?.body, body.seek(to: Int(offset)) else {
        return CURL_SEEKFUNC_FAIL
    }
    return CURL_SEEKFUNC_OK
}

private func takeBody(
    data: UnsafeMutablePointer<CChar>?, size: Int, count: Int, user: UnsafeMutableRawPointer?
) -> Int {
    let bytes = UnsafeRawBufferPointer(start: data, count: size * count)
    return context(user)?.takeBody(bytes) == true ? bytes.count : 0
}

private func takeHeader(
    data: UnsafeMutablePointer<CChar>?, size: Int, count: Int, user: UnsafeMutableRawPointer?
) -> Int {
    let bytes = UnsafeRawBufferPointer(start: data, count: size * count)
    context(user)?.takeHeader(String(decoding: bytes, as: UTF8.self))
    return bytes.count
}
