import Catalogue

extension MemoryCatalogue {
    package func progress(of utterance: String) throws(StoreError) -> UtteranceProgress {
        read { rows in
            rows.utterances[utterance].map { .init(hasRung: $0.manifest != nil, part: $0.part) } ?? .unknown
        }
    }

    package func manifest(of utterance: String) throws(StoreError) -> [UInt8]? {
        read { $0.utterances[utterance]?.manifest?.bytes }
    }

    package func utterances(idPrefix: String, limit: Int) throws(StoreError) -> [CataloguedUtterance] {
        read { rows in
            rows.utterances.filter { $0.key.hasPrefix(idPrefix) }.map { id, row in
                CataloguedUtterance(
                    id: id, seq: row.seq, device: row.device, deviceName: rows.devices[row.device]?.name,
                    manifest: row.manifest?.bytes, manifestSHA256: row.manifest?.sha256, audio: row.audio,
                    part: row.part, firstAt: row.firstAt, storedAt: row.storedAt)
            }.sorted { ($0.firstAt, $0.device, $0.seq) < ($1.firstAt, $1.device, $1.seq) }.suffix(limit)
        }
    }

    package func withdraw(utterance: String, at now: Int64) throws(StoreError) -> Bool {
        try change("withdraw") { rows throws(StoreError) in
            let ids = rows.uploads.filter { $0.value.announced.utterance == utterance }.keys
            if ids.isEmpty { return false }
            var names = rows.utterances[utterance]?.audio.map { [$0.name] } ?? []
            var isNew = false
            for id in ids {
                guard var row = rows.uploads[id], row.forgottenAt == nil else { continue }
                isNew = true
                if !row.sha256.isEmpty { names.append(row.upload.name) }
                row.completedAt = row.completedAt ?? now
                row.forgottenAt = now
                rows.uploads[id] = row
            }
            rows.utterances[utterance] = nil
            rows.loose.formUnion(names.map { .init(name: $0, utterance: utterance) })
            if isNew { rows.happened(.forgotten(utterance: utterance), at: now) }
            return true
        }
    }

    package func forgotten(idPrefix: String) throws(StoreError) -> [ForgottenUtterance] {
        read { rows in
            let all = rows.uploads.values.filter {
                $0.forgottenAt != nil && $0.announced.utterance.hasPrefix(idPrefix)
            }
            return Dictionary(grouping: all, by: \.announced.utterance).map { id, parts in
                ForgottenUtterance(
                    id: id, seq: parts.map(\.announced.seq).min() ?? 0,
                    device: parts.map(\.announced.device).min() ?? "",
                    forgottenAt: parts.compactMap(\.forgottenAt).min() ?? 0)
            }.sorted { ($0.forgottenAt, $0.id) < ($1.forgottenAt, $1.id) }
        }
    }

    package func eraseRemains() throws(StoreError) {}

    package func noteLoose(_ name: ShelfName, of utterance: String) throws(StoreError) {
        try change("noteLoose") { rows throws(StoreError) in
            _ = rows.loose.insert(.init(name: name, utterance: utterance))
        }
    }

    package func loose(of utterance: String?) throws(StoreError) -> [ShelfName] {
        read { rows in
            Array(Set(rows.loose.filter { utterance == nil || $0.utterance == utterance }.map(\.name)))
        }
    }

    package func endLoose(_ name: ShelfName, of utterance: String?) throws(StoreError) {
        try change("endLoose") { rows throws(StoreError) in
            rows.loose = rows.loose.filter {
                $0.name != name || (utterance != nil && $0.utterance != utterance)
            }
        }
    }

    package func ifUnnamed(
        _ name: ShelfName, _ body: () throws(StoreError) -> Void
    ) throws(StoreError) {
        try change("ifUnnamed") { rows throws(StoreError) in
            let isNamed =
                rows.uploads.values.contains { $0.forgottenAt == nil && $0.upload.name == name }
                || rows.utterances.values.contains { $0.audio?.name == name }
            if !isNamed { try body() }
        }
    }

    package func ifUnknown(
        upload id: String, _ body: () throws(StoreError) -> Void
    ) throws(StoreError) {
        try change("ifUnknown") { rows throws(StoreError) in if rows.uploads[id] == nil { try body() } }
    }

    package func contactedBoots(of recorder: String) throws(StoreError) -> [ContactedBoot] {
        read { rows in
            var devices: Set = [recorder]
            for row in rows.utterances.values where row.manifest?.recorder == recorder {
                devices.insert(row.device)
            }
            let contacts = rows.contacts.filter { devices.contains($0.key.device) }
            return Dictionary(grouping: contacts, by: \.key.bootID).map { id, contacts in
                let all = contacts.map(\.value)
                let one = all.dropFirst().reduce(all[0]) { $0.merged(with: $1) }
                return ContactedBoot(
                    id: id, zero: one.leastOffset...one.mostOffset, lasted: max(0, one.lastBoot))
            }
        }
    }

    package func recordedBoots(of recorder: String) throws(StoreError) -> [RecordedBoot] {
        read { rows in
            let all = rows.utterances.values.filter {
                $0.manifest?.recorder == recorder && $0.manifest?.bootID.isEmpty == false
            }
            return Dictionary(grouping: all) { $0.manifest?.bootID ?? "" }.map { id, rows in
                let manifests = rows.compactMap(\.manifest)
                let zeros = manifests.filter { $0.wallSynchronised == true }.map {
                    $0.startWall - $0.startBoot
                }
                return RecordedBoot(
                    id: id, firstSeq: Int64(rows.map(\.seq).min() ?? 0),
                    lastStart: manifests.map(\.startBoot).max() ?? 0, rangAt: rows.compactMap(\.rangAt).min(),
                    synchronised: zeros.min().flatMap { least in zeros.max().map { least...$0 } })
            }
        }
    }
}
