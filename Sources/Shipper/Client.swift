import CCurl
import Glibc
import Wire

/// HTTPS to one host that must hold a given key: one connection, kept between requests, closed in `deinit`.
///
/// Used from one thread. No certificate authority and no date is asked; the pin is checked instead, and a wrong one
/// ends the handshake before anything of ours is sent.
struct Client: ~Copyable {
    private let multi: UnsafeMutableRawPointer
    private let easy: UnsafeMutableRawPointer
    let host: PairedHost
    private let credentials: Credentials

    init(host: PairedHost, credentials: Credentials) throws(ShipperError) {
        guard curlReady, let multi = curl_multi_init() else {
            throw .setup(operation: "start", reason: "no memory")
        }
        guard let easy = curl_easy_init() else {
            curl_multi_cleanup(multi)
            throw .setup(operation: "start", reason: "no memory")
        }
        self.multi = multi
        self.easy = easy
        self.host = host
        self.credentials = credentials
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_multi_cleanup(multi)
    }

    /// Blocks until the answer is here, the transfer fails, or `isStopped`, which is looked at whenever `doorbell` is
    /// readable, and once a second.
    func exchange(
        _ request: HTTPRequest, at address: HostAddress, doorbell: Int32, isStopped: () -> Bool
    ) throws(ShipperError) -> HTTPAnswer {
        let exchange = Exchange(body: request.body)
        var list: UnsafeMutablePointer<curl_slist>?
        // "Expect:" removes curl's wait for 100-continue.
        for line in request.headers.map({ "\($0.name): \($0.value)" }) + ["Expect:"] {
            list = curl_slist_append(list, line)
        }
        defer { curl_slist_free_all(list) }
        var text = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
        let url = "https://\(address)\(request.path)"
        // libcurl keeps both addresses during the transfer: the array's storage and the exchange stay alive.
        let code: CURLcode? = text.withUnsafeMutableBufferPointer { text in
            withExtendedLifetime(exchange) {
                let set = prepare(
                    request, url: url, list: list, text: text.baseAddress,
                    context: Unmanaged.passUnretained(exchange).toOpaque())
                return set == CURLE_OK ? perform(doorbell: doorbell, isStopped: isStopped) : set
            }
        }
        guard let code else { throw .stopped }
        guard code == CURLE_OK else {
            if let trouble = request.body?.trouble { throw trouble }
            var handshake: curl_off_t = 0
            _ = lapel_curl_get_off(easy, CURLINFO_APPCONNECT_TIME_T, &handshake)
            var connections = 0
            _ = lapel_curl_get_long(easy, CURLINFO_NUM_CONNECTS, &connections)
            // A reused connection reports no new handshake.
            let connected = handshake > 0 || connections == 0
            throw .noAnswer(
                failure(of: code, connected: connected && !comesBeforeConnection(code)),
                address: address.description,
                reason: reason(of: code, buffer: text))
        }
        var status = 0
        _ = lapel_curl_get_long(easy, CURLINFO_RESPONSE_CODE, &status)
        return exchange.finish(status: status)
    }

    /// Failures that say by themselves that there was no connection, new or reused.
    private func comesBeforeConnection(_ code: CURLcode) -> Bool {
        code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_CONNECT || code == CURLE_SSL_CONNECT_ERROR
            || code == CURLE_SSL_CERTPROBLEM
    }

    private func perform(doorbell: Int32, isStopped: () -> Bool) -> CURLcode? {
        // OpenSSL writes with write(2): a connection that the host closed would kill the process.
        var pipe = sigset_t()
        var before = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &pipe, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        guard curl_multi_add_handle(multi, easy) == CURLM_OK else { return CURLE_FAILED_INIT }
        defer { curl_multi_remove_handle(multi, easy) }
        while true {
            var running: Int32 = 0
            guard curl_multi_perform(multi, &running) == CURLM_OK else { return CURLE_FAILED_INIT }
            var code = CURLE_OK
            if lapel_curl_done(multi, &code) == 1 { return code }
            if isStopped() { return nil }
            guard lapel_curl_poll(multi, doorbell, 1000) == CURLM_OK else { return CURLE_FAILED_INIT }
        }
    }
}

extension Client {
    /// Sets every option anew; only the connection is kept from the request before.
    private func prepare(
        _ request: HTTPRequest, url: String, list: UnsafeMutablePointer<curl_slist>?,
        text: UnsafeMutablePointer<CChar>?, context: UnsafeMutableRawPointer
    ) -> CURLcode {
        curl_easy_reset(easy)
        let pin = "sha256//" + Base64.encode(host.pin)
        let strings: [(CURLoption, String)] = [
            (CURLOPT_URL, url), (CURLOPT_CUSTOMREQUEST, request.method), (CURLOPT_PINNEDPUBLICKEY, pin),
            (CURLOPT_SSLCERT, credentials.certificatePath), (CURLOPT_SSLKEY, credentials.keyPath),
            // No proxy from the environment: one that ends TLS would only break the pin.
            (CURLOPT_PROXY, ""), (CURLOPT_PROTOCOLS_STR, "https"),
        ]
        for (option, value) in strings {
            let code = lapel_curl_set_string(easy, option, value)
            guard code == CURLE_OK else { return code }
        }
        var numbers: [(CURLoption, Int)] = [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_SSL_VERIFYPEER, 0), (CURLOPT_SSL_VERIFYHOST, 0),
            (CURLOPT_SSLVERSION, 7),  // CURL_SSLVERSION_TLSv1_3
            (CURLOPT_HTTP_VERSION, 2),  // CURL_HTTP_VERSION_1_1
            (CURLOPT_QUICK_EXIT, 1),  // a name that is being looked up does not hold up the end
            (CURLOPT_CONNECTTIMEOUT, 10), (CURLOPT_LOW_SPEED_LIMIT, 1),
            (CURLOPT_LOW_SPEED_TIME, Int(TransferLimit.stall.components.seconds)),
        ]
        if request.body == nil {
            numbers.append((CURLOPT_NOBODY, 1))
        } else {
            numbers.append((CURLOPT_UPLOAD, 1))
        }
        for (option, value) in numbers {
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
            lapel_curl_set_io(easy, CURLOPT_READFUNCTION, readBody),
            lapel_curl_set_seek(easy, seekBody),
            lapel_curl_set_io(easy, CURLOPT_WRITEFUNCTION, takeBody),
            lapel_curl_set_io(easy, CURLOPT_HEADERFUNCTION, takeHeader),
        ]
        return codes.first { $0 != CURLE_OK } ?? CURLE_OK
    }
}

// C callbacks: on the thread that performs, with the exchange as their context.

private func exchange(_ user: UnsafeMutableRawPointer?) -> Exchange? {
    user.map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
}

private func readBody(
    data: UnsafeMutablePointer<CChar>?, size: Int, count: Int, user: UnsafeMutableRawPointer?
) -> Int {
    guard let data, let body = exchange(user)?.body else { return Int(CURL_READFUNC_ABORT) }
    return body.read(into: UnsafeMutableRawBufferPointer(start: data, count: size * count))
        ?? Int(CURL_READFUNC_ABORT)
}

private func seekBody(user: UnsafeMutableRawPointer?, offset: curl_off_t, origin: Int32) -> Int32 {
    guard origin == SEEK_SET, let body = exchange(user)?.body, body.seek(to: Int(offset)) else {
        return CURL_SEEKFUNC_FAIL
    }
    return CURL_SEEKFUNC_OK
}

private func takeBody(
    data: UnsafeMutablePointer<CChar>?, size: Int, count: Int, user: UnsafeMutableRawPointer?
) -> Int {
    let bytes = UnsafeRawBufferPointer(start: data, count: size * count)
    return exchange(user)?.takeBody(bytes) == true ? bytes.count : 0
}

private func takeHeader(
    data: UnsafeMutablePointer<CChar>?, size: Int, count: Int, user: UnsafeMutableRawPointer?
) -> Int {
    let bytes = UnsafeRawBufferPointer(start: data, count: size * count)
    exchange(user)?.takeHeader(String(decoding: bytes, as: UTF8.self))
    return bytes.count
}
