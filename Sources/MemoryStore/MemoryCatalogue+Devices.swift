import Catalogue

extension MemoryCatalogue {
    package func isPaired(_ pin: String) throws(StoreError) -> Bool { read { $0.devices[pin] != nil } }

    package func signingKey(of pin: String) throws(StoreError) -> String? {
        read { $0.devices[pin]?.signingKey }
    }

    package func devices() throws(StoreError) -> [PairedDevice] {
        read { rows in
            rows.devices.map { pin, row in
                PairedDevice(
                    pin: pin, name: row.name, pairedAt: row.pairedAt, lastSeen: row.lastSeen,
                    utterances: rows.utterances.values.count { $0.device == pin })
            }.sorted { ($0.pairedAt, $0.pin) < ($1.pairedAt, $1.pin) }
        }
    }

    package func add(_ device: NewDevice) throws(StoreError) {
        try change("add") { rows throws(StoreError) in rows.add(device) }
    }

    package func removeDevice(pin: String) throws(StoreError) -> Bool {
        try change("removeDevice") { rows throws(StoreError) in
            rows.devices.removeValue(forKey: pin) != nil
        }
    }

    package func addToken(hash: String, expires: Int64, now: BootInstant) throws(StoreError) {
        try change("addToken") { rows throws(StoreError) in
            rows.tokens = rows.tokens.filter { $0.value.bootID == now.bootID && $0.value.expires >= now.boot }
            rows.tokens[hash] = .init(bootID: now.bootID, expires: expires)
        }
    }

    package func spendToken(
        hash: String, for device: NewDevice, now: BootInstant
    ) throws(StoreError) -> Bool {
        try change("spendToken") { rows throws(StoreError) in
            guard let token = rows.tokens[hash], token.bootID == now.bootID, token.expires >= now.boot,
                token.spentBy == nil || token.spentBy == device.pin
            else { return false }
            rows.tokens[hash]?.spentBy = device.pin
            rows.add(device)
            return true
        }
    }
}

extension MemoryCatalogue: Feed {
    package func entries(after number: Int64, limit: Int) throws(StoreError) -> [FeedEntry] {
        try settle()
        return read { rows in
            rows.feed.filter { $0.number > number }.prefix(limit).map { entry in
                guard case .paired(let device, _) = entry.event else { return entry }
                return FeedEntry(
                    number: entry.number, at: entry.at,
                    event: .paired(device: device, name: rows.devices[device]?.name))
            }
        }
    }

    package func newest() throws(StoreError) -> Int64 { read { $0.newest } }

    package func onAddition(_ body: @escaping @Sendable () -> Void) -> FeedWake {
        let id = wakes.withLock { wakes in
            wakes.next += 1
            wakes.bodies[wakes.next] = body
            return wakes.next
        }
        return FeedWake { [weak self] in self?.wakes.withLock { _ = $0.bodies.removeValue(forKey: id) } }
    }
}
