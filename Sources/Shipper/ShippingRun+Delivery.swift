import Glibc
import HostLink
import Outbox
import Sealing
import Threads
import Wire

extension ShippingRun {
    /// Goes on with one parcel until it is delivered, waits, or is given up. False, and nothing is done, for one that
    /// is sealed to keys that the host does not hold.
    func deliver(_ parcel: Parcel, to destination: Destination) -> Bool {
        do throws(ShipperError) {
            var delivery: Delivery
            if let waiting = deliveries.removeValue(forKey: parcel.name) {
                delivery = waiting
            } else {
                guard let begun = Delivery(try cargo(of: parcel, for: destination)) else { return true }
                delivery = begun
            }
            try deliver(parcel, &delivery, over: try connected(to: destination))
        } catch {
            switch error {
            case .sealedToOthers, .inTheClear: return false
            case .link, .missing, .damagedManifest, .unreadable: failed(parcel, error)
            }
        }
        return true
    }

    private func cargo(of parcel: Parcel, for destination: Destination) throws(ShipperError) -> [Cargo] {
        switch (parcel, destination) {
        case (.item(let item), .paired(let host)): return try cargo(of: item, for: host)
        case (.item(let item), .foreign(let server)):
            guard let note = try sealedNote(of: item) else { throw .inTheClear(path: item.audioPath) }
            return try Cargo.of(item, note, signing: nil).map { $0.addressed(to: server) }
        case (.gap(let gap), .paired):
            do {
                let manifest = try outbox.manifest(of: gap).encoded()
                return [Cargo.manifest(manifest, gap.name, signing: signing)]
            } catch {
                throw .unreadable(path: gap.manifestPath, reason: "\(error)")
            }
        case (.gap, .foreign): preconditionFailure("gaps are no parcels for a foreign server")
        }
    }

    private func cargo(of item: OutboxItem, for host: PairedHost) throws(ShipperError) -> [Cargo] {
        guard let note = try sealedNote(of: item) else { return try Cargo.of(item, signing: signing) }
        guard !note.recipients.isEmpty else {
            throw .damagedManifest(
                path: item.manifestPath, reason: "It does not say to whom it is sealed.")
        }
        guard !host.recipients.isDisjoint(with: note.recipients) else {
            throw .sealedToOthers(path: item.manifestPath)
        }
        return try Cargo.of(item, note, signing: signing)
    }

    /// What the header of a sealed manifest says; nil for what lies in the clear.
    private func sealedNote(of item: OutboxItem) throws(ShipperError) -> SealedNote? {
        do { return try outbox.sealedNote(of: item) } catch {
            // Dropped meanwhile, because the card was full.
            if access(item.manifestPath, F_OK) != 0 { throw .missing(path: item.manifestPath) }
            throw .unreadable(path: item.manifestPath, reason: error.description)
        }
    }

    private func deliver(
        _ parcel: Parcel, _ delivery: inout Delivery, over connection: HostConnection
    ) throws(ShipperError) {
        var action = delivery.goOn()
        var reader = try CargoReader.open(delivery.current.source)
        // Why the last request brought no answer, in libcurl's words; why it was refused, in the host's.
        var detail: String?
        var refusal: String?
        while true {
            switch action {
            case .send(let request):
                do throws(HostLinkError) {
                    (detail, refusal) = (nil, nil)
                    let answer = try connection.ask(http(request, delivery.current, reader))
                    if (200...299).contains(answer.status) { queue.hostAnswered() }
                    refusal = answer.sentence
                    action = delivery.answered(TusSession.Response(answer))
                } catch .noAnswer(let failure, let place, let reason) {
                    detail = HostLinkError.noAnswer(failure, address: place, reason: reason).description
                    action = delivery.failed(failure)
                } catch {
                    throw .link(error)
                }
            case .compareFile:
                let intact = try reader.digest().bytes == delivery.current.upload.digest.sha256
                action = delivery.fileCompared(intact: intact)
            case .wait(let reason, let retryAfter):
                return wait(parcel, delivery, reason, retryAfter, detail)
            case .end(.received), .end(.weaklyReceived):
                let isWeak = !delivery.current.upload.paired
                if !isWeak { tellReceipt(parcel, delivery.current) }
                guard delivery.nextCargo() else { return isWeak ? setAside(parcel) : letGo(parcel) }
                reader = try CargoReader.open(delivery.current.source)
                action = delivery.goOn()
            case .end(.parked(let reason)):
                switch reason {
                case .refused, .tooLarge, .permanent:
                    return park(
                        parcel, reason.description + (refusal.map { " The host says: \($0)" } ?? ""))
                // Found out here.
                case .rotten, .otherBytesAtHost: return park(parcel, reason.description)
                }
            case .end(.mistrusted(let reason)):
                queue.mistrust()
                return report(.mistrusted(reason: detail ?? reason.description))
            }
        }
    }

    private func http(_ request: TusSession.Request, _ cargo: Cargo, _ reader: borrowing CargoReader)
        -> HTTPRequest
    {
        var headers = [(name: TusHeader.resumable, value: TusHeader.protocolVersion)]
        // A foreign server need not know one boot of a device from another.
        if cargo.upload.paired { headers.append(machineClockHeader()) }
        let bytes = (name: TusHeader.contentType, value: TusHeader.bytesType)
        let length = cargo.upload.length
        switch request {
        case .create(let inline):
            headers += [
                (TusHeader.uploadLength, String(length)), (TusHeader.uploadMetadata, cargo.metadata.header),
            ]
            let body = reader.body(from: 0, length: inline ? length : 0)
            return HTTPRequest(
                .post, cargo.upload.creationPath, headers: headers + (inline ? [bytes] : []), body: body)
        case .head(let location): return HTTPRequest(.head, location, headers: headers)
        case .patch(let location, let offset):
            headers += [(TusHeader.uploadOffset, String(offset)), bytes]
            let body = reader.body(from: offset, length: length - offset)
            return HTTPRequest(.patch, location, headers: headers, body: body)
        }
    }

    private func wait(
        _ parcel: Parcel, _ delivery: Delivery, _ reason: WaitReason, _ retryAfter: Duration?,
        _ detail: String?
    ) {
        deliveries[parcel.name] = delivery
        let now = MonotonicClock.now
        let (time, concernsHost) = queue.waits(
            parcel.name, reason, retryAfter: retryAfter, now: now, random: randomBits())
        let text = detail ?? reason.description
        if concernsHost {
            report(.unreachable(reason: text, retryIn: time))
        } else {
            report(.delayed(parcel.name, reason: text, retryIn: time))
        }
    }

    private func tellReceipt(_ parcel: Parcel, _ cargo: Cargo) {
        switch (parcel, cargo.kind) {
        case (.item(let item), .manifest): report(.rung(item.name, at: MonotonicClock.now))
        case (.item(let item), .audio): report(.stored(item.name, at: MonotonicClock.now))
        // A gap has nothing but its manifest, which `letGo` tells of; a tail belongs to the audio before it.
        case (.gap, _), (.item, .tail): break
        }
    }

    /// Both receipts are here.
    private func letGo(_ parcel: Parcel) {
        unread[parcel.name] = nil
        do {
            switch parcel {
            case .item(let item):
                try outbox.letGo(item)
                report(.letGo(item.name, at: MonotonicClock.now))
            case .gap(let gap):
                try outbox.letGo(gap)
                report(.gapTold(gap.name, at: MonotonicClock.now))
            }
        } catch {
            trouble(parcel, "\(error)")
        }
    }

    /// A foreign server has all of its files.
    private func setAside(_ parcel: Parcel) {
        unread[parcel.name] = nil
        guard case .item(let item) = parcel else { return }
        do {
            try outbox.setAside(item)
            report(.setAside(item.name, at: MonotonicClock.now))
        } catch {
            trouble(parcel, "\(error)")
        }
    }

    private func park(_ parcel: Parcel, _ reason: String) {
        unread[parcel.name] = nil
        do {
            switch parcel {
            case .item(let item): try outbox.park(item, reason: reason)
            // A gap holds no sound: a host that does not want to know of it need not.
            case .gap(let gap): try outbox.letGo(gap)
            }
            report(.parked(parcel.name, reason: reason))
        } catch {
            trouble(parcel, "\(error)")
        }
    }

    private func failed(_ parcel: Parcel, _ error: ShipperError) {
        switch error {
        case .link(.stopped): break
        case .missing:
            // Dropped meanwhile, because the card was full: then the outbox no longer lists it.
            let isListed = outbox.waiting().contains { $0.name == parcel.name }
            if isListed { trouble(parcel, error.description) }
        case .link(.setup), .link(.noAnswer): trouble(parcel, error.description)
        case .damagedManifest: park(parcel, error.description)
        case .unreadable, .link(.unreadable):
            // A card may fail once and be well again; one that goes on failing must not hold this up for ever.
            unread[parcel.name, default: 0] += 1
            if unread[parcel.name, default: 0] < Self.readingTries {
                trouble(parcel, error.description)
            } else {
                park(parcel, error.description)
            }
        case .link(.unwritable): preconditionFailure("answers to uploads are short and go to no file")
        case .link(.hostNotReachable), .link(.tokenRefused), .link(.hostBusy), .link(.notAHost):
            preconditionFailure("these are answers to pairing")
        case .sealedToOthers, .inTheClear: preconditionFailure("what is held back has not failed")
        }
    }

    /// Something here and not at the host: this one is tried again later.
    private func trouble(_ parcel: Parcel, _ sentence: String) {
        deliveries[parcel.name] = nil
        _ = queue.delay(parcel.name, now: MonotonicClock.now, random: randomBits())
        report(.problem(parcel.name, reason: sentence))
    }

    private func randomBits() -> UInt64 { randomBytes(8).reduce(0) { $0 << 8 | UInt64($1) } }
}

extension TusSession.Response {
    /// What an HTTP answer says to a session; a header that cannot be read is one that is not there.
    init(_ answer: HTTPAnswer) {
        self.init(
            status: answer.status, offset: answer[TusHeader.uploadOffset].flatMap { Int($0) },
            length: answer[TusHeader.uploadLength].flatMap { Int($0) }, location: answer[TusHeader.location],
            digest: answer[TusHeader.reprDigest].flatMap { try? ReprDigest(parsing: $0) },
            retryAfter: answer[TusHeader.retryAfter].flatMap {
                RetryAfter.parse($0, date: answer[TusHeader.date])
            })
    }
}
