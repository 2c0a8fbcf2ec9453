import Testing

@testable import Wire

/// Every state that a session can reach, by every answer there is.
struct TusSessionWalkTests {
    private static let right = ReprDigest(sha256: Array(repeating: 1, count: 32))
    private static let wrong = ReprDigest(sha256: Array(repeating: 2, count: 32))
    private static let path = "/v1/up/computed"

    private enum Input: Hashable {
        case answer(TusSession.Response)
        case failure(TransferFailure)
        case time
        case file(intact: Bool)
    }

    private static let answers: [TusSession.Response] = {
        var answers: [TusSession.Response] = []
        for status in [
            200, 201, 204, 100, 302, 400, 401, 403, 404, 405, 408, 409, 410, 412, 413, 418, 422, 423, 425,
            429,
            460, 500, 503, 507, 999, -1,
        ] {
            guard (200...299).contains(status) else {
                answers.append(.init(status: status))
                continue
            }
            for offset in [nil, -1, 0, 1, 2, 3, 4] {
                for digest in [nil, right, wrong] {
                    for location in [nil, "/given", "no reference\r\n"] where status == 201 || location == nil
                    {
                        answers.append(
                            .init(status: status, offset: offset, location: location, digest: digest))
                    }
                }
            }
            answers.append(.init(status: status, offset: 1, length: 7))
        }
        return answers
    }()

    private func inputs(_ session: TusSession) -> [Input] {
        switch session.state {
        case .asked: Self.answers.map(Input.answer) + TransferFailure.allCases.map(Input.failure)
        case .waiting: [.time]
        case .comparing: [.file(intact: true), .file(intact: false)]
        case .new, .ended: []
        }
    }

    private func step(_ session: TusSession, _ input: Input) -> (TusSession, TusSession.Action) {
        var next = session
        let action: TusSession.Action
        switch input {
        case .answer(let response): action = next.answered(response)
        case .failure(let failure): action = next.failed(failure)
        case .time: action = next.resume()
        case .file(let intact): action = next.fileCompared(intact: intact)
        }
        return (next, action)
    }

    /// All reachable states with all their steps; `visit` sees each step once.
    private func walk(
        paired: Bool, _ visit: (TusSession, Input, TusSession, TusSession.Action) -> Void
    ) throws -> Int {
        let digest = try #require(Self.right)
        var first = TusSession(
            .init(length: 3, digest: digest, paired: paired, location: paired ? Self.path : nil))
        _ = first.begin()
        var seen: Set<TusSession> = [first]
        var open = [first]
        while let session = open.popLast() {
            for input in inputs(session) {
                let (next, action) = step(session, input)
                visit(session, input, next, action)
                if seen.insert(next).inserted { open.append(next) }
            }
        }
        return seen.count
    }

    @Test func onlyAnEqualDigestOfThePairedHostWithAllBytesIsAReceipt() throws {
        let states = try walk(paired: true) { _, input, _, action in
            switch (action, input) {
            case (.end(.received), .answer(let response)):
                #expect(response.digest == Self.right && response.offset == 3)
                #expect((200...299).contains(response.status))
            case (.end(.received), _), (.end(.weaklyReceived), _): Issue.record("\(action) by \(input)")
            default: break
            }
        }
        #expect(states > 100)
    }

    @Test func aForeignHostNeverGivesAReceipt() throws {
        _ = try walk(paired: false) { _, input, _, action in
            if action == .end(.received) { Issue.record("received by \(input)") }
        }
    }

    @Test func aForeignHostsAnswersNeverStopEverything() throws {
        _ = try walk(paired: false) { _, input, _, action in
            if case .end(.mistrusted) = action, input != .failure(.mistrusted) {
                Issue.record("\(input) stopped everything")
            }
        }
    }

    @Test func aForeignHostIsBelievedOnlyWhenItSaysThatItHasAllBytes() throws {
        _ = try walk(paired: false) { before, input, _, action in
            guard action == .end(.weaklyReceived) else { return }
            guard case .answer(let response) = input else {
                Issue.record("\(before.state) \(input) was believed")
                return
            }
            #expect((200...299).contains(response.status) && response.offset == 3)
        }
    }

    @Test func aCutAConflictOrALockNeverLeadsToANewUpload() throws {
        _ = try walk(paired: true) { before, input, next, action in
            switch input {
            case .failure(.cut), .failure(.stalled): break
            case .answer(let response) where [409, 423].contains(response.status): break
            case .answer, .failure, .time, .file: return
            }
            if case .send(.create) = action { Issue.record("\(before.state) \(input) led to \(action)") }
            if case .waiting(then: .create) = next.state {
                Issue.record("\(before.state) \(input) waits to create")
            }
        }
    }

    @Test func aNewUploadIsCreatedOnlyWhenTheHostSaysThatThereIsNone() throws {
        _ = try walk(paired: true) { before, input, _, action in
            guard case .send(.create) = action else { return }
            switch (before.state, input) {
            case (.asked(.head), .answer(let response)): #expect([400, 404, 410].contains(response.status))
            case (.waiting(then: .create), .time): break
            default: Issue.record("\(before.state) \(input) led to a creation")
            }
        }
    }

    @Test func everyEndIsFinalAndEveryOtherStateAsksForSomething() throws {
        _ = try walk(paired: true) { _, _, next, action in
            switch (next.state, action) {
            case (.ended(let a), .end(let b)) where a == b: break
            case (.asked(let a), .send(let b)) where a == b: break
            case (.waiting, .wait), (.comparing, .compareFile): break
            default: Issue.record("\(next.state) with \(action)")
            }
        }
    }

    @Test(arguments: [true, false])
    func betweenTwoWaitsTheRequestsAreBounded(paired: Bool) throws {
        // Steps that lead from one request to the next, without waiting or looking at the file.
        var edges: [TusSession: Set<TusSession>] = [:]
        _ = try walk(paired: paired) { before, _, next, _ in
            if case .asked = before.state, case .asked = next.state {
                edges[before, default: []].insert(next)
            }
        }
        // Longest path by depth first; a loop would be a session that hammers a host for ever.
        var longest: [TusSession: Int] = [:]
        var onPath: Set<TusSession> = []
        func depth(_ session: TusSession) -> Int {
            if let known = longest[session] { return known }
            guard onPath.insert(session).inserted else {
                Issue.record("a loop of requests through \(session.state)")
                return 0
            }
            let result = (edges[session] ?? []).map { depth($0) + 1 }.max() ?? 0
            onPath.remove(session)
            longest[session] = result
            return result
        }
        let worst = edges.keys.map(depth).max() ?? 0
        // Three stretches, before and after each of two creations; in each the offset rises to 1 and to 2, and 5
        // other answers fit before, between and after.
        #expect(worst > 3 && worst <= 3 * (1 + 2 + 3 * 5), "\(worst)")
    }
}
