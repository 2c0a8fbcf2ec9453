import CCurl
import Wire

/// One request on its way to wherever the host is: the transfer that carries it, and probes of other places beside it
/// while nobody has taken it.
final class Hunt {
    private let request: HTTPRequest
    private let known: Set<HostAddress>
    private let named: [HostAddress]
    private let discovery: Discovery
    private var race: Race
    private var carrier: Transfer?
    private var probes: [Transfer] = []
    private var search: Searching = .notYet
    /// Somebody else answered at a place that was named for the host.
    private var stranger: HostLinkError?
    /// Where the host is not, and why.
    private var misses: [(place: HostAddress, reason: String)] = []

    private let begun: Duration

    private enum Searching {
        case notYet
        case running(Search)
        case over
    }

    /// Of the search, to be polled; -1: none.
    var descriptor: Int32 { if case .running(let search) = search { search.descriptor } else { -1 } }

    init(
        _ client: borrowing Client, _ request: HTTPRequest, places: [HostAddress], discovery: Discovery
    ) {
        self.request = request
        known = Set(places)
        named = places
        self.discovery = discovery
        begun = client.clock()
        race = Race(places)
        if case .pinned = client.peer, discovery != .off { return }
        search = .over
    }

    /// Milliseconds until something is to be done, whatever the network does; at most a second.
    func patience(_ now: Duration) -> Int32 {
        var due = now + .seconds(1)
        if !isUnderWay {
            if let next = race.due { due = min(due, next) }
            if let next = searchDue { due = min(due, next) }
        }
        return Int32(clamping: max(0, (due - now).wholeNanoseconds) / 1_000_000 + 1)
    }

    /// A place has taken the request.
    private var isUnderWay: Bool { carrier?.context.isUnderWay ?? false }

    /// One round: nil while there is no answer yet.
    func advance(
        _ client: borrowing Client
    ) throws(HostLinkError) -> (answer: HTTPAnswer, place: HostAddress)? {
        try begin(client)
        var running: Int32 = 0
        guard curl_multi_perform(client.multi, &running) == CURLM_OK else {
            throw .setup(operation: "go on", reason: "no memory")
        }
        var code = CURLE_OK
        while let handle = lapel_curl_done(client.multi, &code) {
            if let carrier, handle == carrier.handle {
                if code == CURLE_OK { return (carrier.answer(), carrier.place) }
                try carrierFailed(client, carrier, carrier.miss(code))
            } else if let index = probes.firstIndex(where: { $0.handle == handle }) {
                let probe = probes.remove(at: index)
                probe.end(client.multi)
                if code == CURLE_OK { try move(client, to: probe.place) } else { note(probe.miss(code)) }
            }
        }
        try endWhatStandsStill(client)
        if isUnderWay {
            endProbes(client)
            endSearch()
        } else if carrier == nil, probes.isEmpty, race.due == nil, isSearchOver {
            throw stranger ?? nowhere
        }
        return nil
    }

    /// Takes everything out of the client again.
    func finish(_ client: borrowing Client) {
        carrier?.end(client.multi)
        carrier = nil
        endProbes(client)
        endSearch()
    }

    // MARK: the places

    /// Begins what is due.
    private func begin(_ client: borrowing Client) throws(HostLinkError) {
        guard !isUnderWay else { return }
        let now = client.clock()
        race.add(advanceSearch(client, now))
        while let place = race.next(now: now) {
            if carrier == nil {
                try carry(client, to: place)
            } else {
                let probe = HTTPRequest(.options, HostPath.uploads)
                let transfer = try Transfer(client, probe, at: place, handle: nil)
                probes.append(transfer)
            }
        }
    }

    private func carry(_ client: borrowing Client, to place: HostAddress) throws(HostLinkError) {
        guard request.body?.seek(to: 0) ?? true else {
            throw .setup(operation: "send again", reason: "the body is gone")
        }
        carrier = try Transfer(client, request, at: place, handle: client.easy)
    }

    /// A probe found the host: the request goes there, over the probe's connection.
    private func move(_ client: borrowing Client, to place: HostAddress) throws(HostLinkError) {
        guard !isUnderWay else { return }
        carrier?.end(client.multi)
        race = Race([])
        endProbes(client)
        endSearch()
        try carry(client, to: place)
    }

    private func carrierFailed(
        _ client: borrowing Client, _ carrier: Transfer, _ miss: Miss
    ) throws(HostLinkError) {
        carrier.end(client.multi)
        self.carrier = nil
        if let trouble = request.body?.trouble ?? carrier.context.trouble { throw trouble }
        switch miss.failure {
        case .unreachable, .mistrusted: note(miss)
        case .cut, .stalled: throw miss.error
        }
    }

    private func endWhatStandsStill(_ client: borrowing Client) throws(HostLinkError) {
        let now = client.clock()
        if let carrier, let stall = carrier.stall(now: now) { try carrierFailed(client, carrier, stall) }
        probes.removeAll { probe in
            guard let stall = probe.stall(now: now) else { return false }
            probe.end(client.multi)
            note(stall)
            return true
        }
    }

    /// A place is not the host. Only a place that somebody named for it can be taken over by a stranger: what the
    /// network answers is nobody's word.
    private func note(_ miss: Miss) {
        race.failed()
        switch miss.failure {
        case .mistrusted where known.contains(miss.place): stranger = miss.error
        case .mistrusted: misses.append((miss.place, "another host answers there"))
        case .unreachable, .cut, .stalled: misses.append((miss.place, miss.reason))
        }
    }

    /// One sentence for all places; those that nobody named are left out when others were.
    private var nowhere: HostLinkError {
        let told = misses.filter { known.contains($0.place) }
        let shown = (told.isEmpty ? misses : told).prefix(4)
        guard !shown.isEmpty else {
            return .noAnswer(.unreachable, address: "(none)", reason: "no address is known")
        }
        return .noAnswer(
            .unreachable, address: shown.map(\.place.description).joined(separator: ", "),
            reason: shown.map(\.reason).joined(separator: "; "))
    }

    private func endProbes(_ client: borrowing Client) {
        for probe in probes { probe.end(client.multi) }
        probes = []
    }

    // MARK: the search

    private var isSearchOver: Bool { if case .over = search { true } else { false } }

    private var searchDue: Duration? {
        switch search {
        case .notYet: begun + Race.stagger
        case .running(let search): search.due
        case .over: nil
        }
    }

    /// The network is asked when the first place has not answered as soon as a second one would be tried.
    private func advanceSearch(_ client: borrowing Client, _ now: Duration) -> [HostAddress] {
        if case .notYet = search, now >= begun + Race.stagger || carrier == nil && race.due == nil,
            case .pinned(let pin, _) = client.peer
        {
            search = .running(Search(discovery, pin: pin, places: named, now: now))
        }
        guard case .running(let running) = search else { return [] }
        let places = running.advance(now: now)
        if running.isOver(now: now) { search = .over }
        return places
    }

    private func endSearch() { search = .over }
}
