extension TusSession {
    /// The host's answer to the request that is out.
    package mutating func answered(_ response: Response) -> Action {
        guard case .asked(let request) = state else { preconditionFailure("no request is out") }
        switch response.meaning {
        case .done: return done(request, response)
        case .missing: return missing(request, response)
        case .wrongOffset: return ask(.nonsense, request)
        case .locked:
            return wait(.locked, retryAfter: response.retryAfter, then: question(after: request))
        case .refusedChecksum: return refusedChecksum(request)
        case .unprocessable: return end(.parked(.refused))
        case .tooLarge: return end(.parked(.tooLarge))
        case .unknownDevice:
            if upload.paired { return end(.mistrusted(.unknownDevice)) }
            // A foreign host knows no device; its doors may be set otherwise tomorrow.
            let reason = WaitReason.notAllowed(status: response.status)
            return wait(reason, retryAfter: response.retryAfter, then: same(request))
        case .noRoom:
            return wait(.noRoom, retryAfter: response.retryAfter, then: same(request))
        case .notNow:
            let reason = WaitReason.notNow(status: response.status)
            return wait(reason, retryAfter: response.retryAfter, then: same(request))
        case .notTus: return wait(.notAnUploadServer(status: response.status), then: same(request))
        case .malformed:
            if case .head = request { return createAgain(request) }
            return end(.parked(.permanent(status: response.status)))
        case .permanent: return end(.parked(.permanent(status: response.status)))
        }
    }

    /// The request brought no answer.
    package mutating func failed(_ failure: TransferFailure) -> Action {
        guard case .asked(let request) = state else { preconditionFailure("no request is out") }
        switch failure {
        case .mistrusted: return end(.mistrusted(.otherKey))
        case .unreachable: return wait(.unreachable, then: same(request))
        case .cut: return ask(.cut, request)
        case .stalled: return ask(.stalled, request)
        }
    }

    // MARK: Answers

    private mutating func done(_ request: Request, _ response: Response) -> Action {
        switch request {
        case .create:
            if let given = response.location {
                location = TusLocation.path(of: given, base: upload.creationPath) ?? location
            }
            guard let location else { return wait(.nonsense, then: request) }
            return proceed(location, offset: response.offset ?? 0, response)
        case .head(let location):
            guard let offset = response.offset else { return wait(.nonsense, then: request) }
            if let length = response.length, length != upload.length {
                return end(.parked(.otherBytesAtHost))
            }
            return proceed(location, offset: offset, response)
        case .patch(let location, let before):
            guard let offset = response.offset, offset > before else { return ask(.nonsense, request) }
            return proceed(location, offset: offset, response)
        }
    }

    /// The host stands at `offset`.
    private mutating func proceed(_ location: String, offset: Int, _ response: Response) -> Action {
        guard offset >= 0, offset <= upload.length else {
            return wait(.nonsense, then: .head(location: location))
        }
        if offset == upload.length { return complete(location, response) }
        if offset > reached {
            reached = offset
            fruitless = 0
        } else if !isCreating, let waiting = countFruitless(.nonsense, then: .head(location: location)) {
            // A creation naturally stands at 0; creations are counted by themselves.
            return waiting
        }
        return send(.patch(location: location, offset: offset))
    }

    private mutating func complete(_ location: String, _ response: Response) -> Action {
        guard upload.paired else { return end(.weaklyReceived) }
        let question = Request.head(location: location)
        guard let digest = response.digest else {
            // All bytes are there and no receipt: the answer that carried it may be lost, so ask once, then wait.
            if case .asked(.head) = state {
                return wait(.unfinished, retryAfter: response.retryAfter, then: question)
            }
            return countFruitless(.unfinished, then: question) ?? send(question)
        }
        return digest == upload.digest ? end(.received) : compare(.otherDigest, then: question)
    }

    private mutating func missing(_ request: Request, _ response: Response) -> Action {
        switch request {
        // The path that creates uploads is not there: the host's trouble, not this upload's.
        case .create: wait(.notAnUploadServer(status: response.status), then: request)
        case .head: createAgain(request)
        case .patch: ask(.nonsense, request)
        }
    }

    private mutating func createAgain(_ request: Request) -> Action {
        location = upload.location
        return countFruitless(.nonsense, then: .create(bytesInline: sendsInline)) ?? create()
    }

    private mutating func refusedChecksum(_ request: Request) -> Action {
        refusals += 1
        guard refusals < Self.refusalLimit else {
            return compare(.refusedThrice, then: question(after: request))
        }
        return ask(.corruptedOnTheWay, request)
    }

    // MARK: What comes next

    private var isCreating: Bool { if case .asked(.create) = state { true } else { false } }

    /// Asks where the host stands, at once or, when that led nowhere several times, after a wait.
    private mutating func ask(_ reason: WaitReason, _ request: Request) -> Action {
        let question = question(after: request)
        if let waiting = countFruitless(reason, then: question) { return waiting }
        if case .create = question { return create() }
        return send(question)
    }

    private mutating func countFruitless(_ reason: WaitReason, then request: Request) -> Action? {
        fruitless += 1
        return fruitless >= Self.fruitlessLimit ? wait(reason, then: request) : nil
    }

    /// HEAD, wherever a location is known.
    private func question(after request: Request) -> Request {
        switch request {
        case .create(let inline): location.map { .head(location: $0) } ?? .create(bytesInline: inline)
        case .head(let location), .patch(let location, _): .head(location: location)
        }
    }

    /// The same once more; but a PATCH asks first, because part of it may have arrived.
    private func same(_ request: Request) -> Request {
        if case .create = request { request } else { question(after: request) }
    }
}
