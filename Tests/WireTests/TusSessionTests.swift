import Testing

@testable import Wire

private func digest(_ byte: UInt8) -> ReprDigest {
    guard let digest = ReprDigest(sha256: Array(repeating: byte, count: 32)) else { preconditionFailure() }
    return digest
}

private let path = "/v1/up/abc"

struct TusSessionTests {
    private func session(length: Int, paired: Bool = true) -> TusSession {
        TusSession(.init(length: length, digest: digest(1), paired: paired, location: paired ? path : nil))
    }

    /// Plays a conversation: the host's turns as a table, the session's as a list.
    private func play(_ session: TusSession, _ turns: [Turn]) -> [TusSession.Action] {
        var session = session
        var actions = [session.begin()]
        for turn in turns {
            switch turn {
            case .answer(let response): actions.append(session.answered(response))
            case .failure(let failure): actions.append(session.failed(failure))
            case .time: actions.append(session.resume())
            case .file(let intact): actions.append(session.fileCompared(intact: intact))
            }
        }
        return actions
    }

    private enum Turn {
        case answer(TusSession.Response)
        case failure(TransferFailure)
        case time
        case file(intact: Bool)
    }

    @Test func aSmallUploadIsOneRequest() {
        let actions = play(
            session(length: 100),
            [.answer(.init(status: 201, offset: 100, location: path, digest: digest(1)))])
        #expect(actions == [.send(.create(bytesInline: true)), .end(.received)])
    }

    @Test func aLargeUploadIsCreatedThenPatched() {
        let actions = play(
            session(length: 300_000),
            [
                .answer(.init(status: 201, location: path)),
                .answer(.init(status: 204, offset: 300_000, digest: digest(1))),
            ])
        #expect(
            actions == [
                .send(.create(bytesInline: false)), .send(.patch(location: path, offset: 0)), .end(.received),
            ])
    }

    @Test func aCutCreationIsAskedForAtItsComputedPlaceAndGoesOnThere() {
        let actions = play(
            session(length: 100),
            [
                .failure(.cut), .answer(.init(status: 200, offset: 40, length: 100)),
                .answer(.init(status: 204, offset: 100, digest: digest(1))),
            ])
        #expect(
            actions == [
                .send(.create(bytesInline: true)), .send(.head(location: path)),
                .send(.patch(location: path, offset: 40)), .end(.received),
            ])
    }

    @Test func aLostReceiptIsAskedFor() {
        let actions = play(
            session(length: 300_000),
            [
                .answer(.init(status: 201, location: path)), .failure(.cut),
                .answer(.init(status: 200, offset: 300_000, length: 300_000, digest: digest(1))),
            ])
        #expect(actions.suffix(2) == [.send(.head(location: path)), .end(.received)])
    }

    @Test func allBytesWithoutADigestAreNoReceipt() {
        let all = TusSession.Response(status: 200, offset: 100, length: 100)
        let actions = play(
            session(length: 100), [.answer(.init(status: 201, offset: 100)), .answer(all), .time])
        #expect(
            actions.dropFirst() == [
                .send(.head(location: path)), .wait(.unfinished, retryAfter: nil),
                .send(.head(location: path)),
            ])
    }

    @Test(arguments: [
        (true, TusSession.Ending.parked(.otherBytesAtHost)), (false, .parked(.rotten)),
    ])
    func anotherDigestMakesTheFileBeComparedAndNeverLetsGo(intact: Bool, ending: TusSession.Ending) {
        let answer = TusSession.Response(status: 201, offset: 100, digest: digest(2))
        let actions = play(session(length: 100), [.answer(answer), .file(intact: intact)])
        #expect(actions.dropFirst() == [.compareFile, .end(ending)])
    }

    @Test func threeRefusedChecksumsMakeTheFileBeCompared() {
        let start = TusSession.Response(status: 200, offset: 0, length: 300_000)
        let refused = TusSession.Response(status: 460)
        let actions = play(
            session(length: 300_000),
            [
                .answer(.init(status: 201, location: path)), .answer(refused), .answer(start),
                .answer(refused),
                .answer(start), .answer(refused), .file(intact: false),
            ])
        #expect(actions.suffix(2) == [.compareFile, .end(.parked(.rotten))])
    }

    /// Then it is the way that spoils it, not the card: nothing is given up.
    @Test func anIntactFileWhoseChecksumIsRefusedThriceWaitsAndIsAskedFor() {
        let start = TusSession.Response(status: 200, offset: 0, length: 300_000)
        let refused = TusSession.Response(status: 460)
        let actions = play(
            session(length: 300_000),
            [
                .answer(.init(status: 201, location: path)), .answer(refused), .answer(start),
                .answer(refused),
                .answer(start), .answer(refused), .file(intact: true), .time,
            ])
        #expect(
            actions.suffix(2) == [
                .wait(.corruptedOnTheWay, retryAfter: nil), .send(.head(location: path)),
            ])
    }

    @Test(arguments: [404, 410, 400])
    func aHostThatForgotTheUploadGetsANewOne(status: Int) {
        let actions = play(session(length: 100), [.failure(.cut), .answer(.init(status: status))])
        #expect(actions.last == .send(.create(bytesInline: true)))
    }

    @Test(arguments: [409, 423])
    func aConflictIsAskedAboutAndNeverANewUpload(status: Int) {
        var actions = play(
            session(length: 300_000),
            [
                .answer(.init(status: 201, location: path)),
                .answer(.init(status: status, retryAfter: .seconds(2))),
            ])
        if status == 423 {
            #expect(actions.last == .wait(.locked, retryAfter: .seconds(2)))
            actions = play(
                session(length: 300_000),
                [.answer(.init(status: 201, location: path)), .answer(.init(status: 423)), .time])
        }
        #expect(actions.last == .send(.head(location: path)))
    }

    @Test(arguments: [
        (422, ParkReason.refused), (413, .tooLarge), (400, .permanent(status: 400)),
        (415, .permanent(status: 415)),
    ])
    func aPermanentRefusalParks(status: Int, reason: ParkReason) {
        let actions = play(session(length: 100), [.answer(.init(status: status))])
        #expect(actions.last == .end(.parked(reason)))
    }

    @Test(arguments: [423, 429, 503, 500, 507])
    func howLongTheHostAsksToWaitIsPassedOn(status: Int) {
        let busy = TusSession.Response(status: status, retryAfter: .seconds(117))
        let created = play(session(length: 100), [.answer(busy)])
        let patched = play(
            session(length: 300_000), [.answer(.init(status: 201, offset: 0)), .answer(busy)])
        for last in [created.last, patched.last] {
            guard case .wait(_, let retryAfter)? = last else {
                Issue.record("\(String(describing: last))")
                continue
            }
            #expect(retryAfter == .seconds(117))
        }
    }

    @Test(arguments: [
        (500, WaitReason.notNow(status: 500)), (503, .notNow(status: 503)), (429, .notNow(status: 429)),
        (507, .noRoom), (404, .notAnUploadServer(status: 404)), (302, .notNow(status: 302)),
    ])
    func aHostInTroubleIsTriedAgainLater(status: Int, reason: WaitReason) {
        let actions = play(session(length: 100), [.answer(.init(status: status)), .time])
        #expect(
            actions.dropFirst() == [.wait(reason, retryAfter: nil), .send(.create(bytesInline: true))])
    }

    @Test(arguments: [401, 403])
    func aHostThatDoesNotKnowTheDeviceStopsEverythingAndParksNothing(status: Int) {
        let actions = play(session(length: 100), [.answer(.init(status: status))])
        #expect(actions.last == .end(.mistrusted(.unknownDevice)))
    }

    @Test func anotherKeyEndsTheSession() {
        #expect(play(session(length: 100), [.failure(.mistrusted)]).last == .end(.mistrusted(.otherKey)))
    }

    @Test func aForeignHostIsOnlyWeaklyBelieved() {
        let answer = TusSession.Response(
            status: 201, offset: 100, location: "http://else/files/1", digest: digest(1))
        #expect(play(session(length: 100, paired: false), [.answer(answer)]).last == .end(.weaklyReceived))
    }

    /// It is not asked what it offers: the creation that every tus server knows is enough.
    @Test(arguments: [0, 1, 100, 300_000]) func aForeignHostGetsNoBytesInACreation(length: Int) {
        let actions = play(
            session(length: length, paired: false), [.answer(.init(status: 201, location: "/files/1"))])
        #expect(actions.first == .send(.create(bytesInline: false)))
        #expect(
            actions.last
                == (length == 0 ? .end(.weaklyReceived) : .send(.patch(location: "/files/1", offset: 0))))
    }

    @Test(arguments: [401, 403]) func aForeignHostThatWantsALoginIsTriedAgainLater(status: Int) {
        let actions = play(session(length: 100, paired: false), [.answer(.init(status: status)), .time])
        #expect(
            actions.dropFirst() == [
                .wait(.notAllowed(status: status), retryAfter: nil), .send(.create(bytesInline: false)),
            ])
    }

    /// What a captive portal says to everything.
    @Test func anHTMLPageIsNoWeakReceipt() {
        let page = TusSession.Response(status: 200)
        let lost = play(session(length: 100, paired: false), [.answer(page)])
        #expect(lost.last == .wait(.nonsense, retryAfter: nil))
        let later = play(
            session(length: 100, paired: false),
            [.answer(.init(status: 201, location: "/files/1")), .answer(page), .answer(page)])
        #expect(later.last == .wait(.nonsense, retryAfter: nil))
    }

    @Test(arguments: [
        ("/v1/up/a", "/v1/up/a"), ("https://evil:1/v1/up/a?b=1#c", "/v1/up/a?b=1"), ("//evil/x", "/x"),
        ("https://evil", "/"), ("a", "/v1/a"), ("/redirect?u=http://x/y", "/redirect?u=http://x/y"),
    ])
    func aLocationKeepsHostAndPort(location: String, kept: String) {
        #expect(TusLocation.path(of: location, base: "/v1/up") == kept)
    }

    @Test(arguments: ["", "/a b", "/a\r\nHost: evil", "/\u{e9}", String(repeating: "/", count: 2_001)])
    func aLocationThatIsNoReferenceIsRefused(location: String) {
        #expect(TusLocation.path(of: location, base: "/v1/up") == nil)
    }
}
