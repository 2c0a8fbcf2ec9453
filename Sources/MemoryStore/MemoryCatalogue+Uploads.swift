import Catalogue

extension MemoryCatalogue {
    package func upload(_ id: String) throws(StoreError) -> Upload? { read { $0.uploads[id]?.upload } }

    package func uploads(_ selection: UploadSelection) throws(StoreError) -> [Upload] {
        read { rows in
            let all = rows.uploads.values
            let chosen =
                switch selection {
                case .all: Array(all)
                case .of(let utterance): all.filter { $0.announced.utterance == utterance }
                case .half(let limit):
                    all.filter { $0.completedAt == nil && $0.announced.at < limit }.sorted {
                        ($0.announced.at, $0.announced.kind == .manifest ? 0 : 1)
                            < ($1.announced.at, $1.announced.kind == .manifest ? 0 : 1)
                    }
                case .withdrawn: all.filter { $0.forgottenAt != nil }
                }
            return chosen.map(\.upload)
        }
    }

    package func announce(_ new: AnnouncedUpload) throws(StoreError) -> Bool {
        try change("announce", lazily: true) { rows throws(StoreError) in
            guard rows.uploads[new.id] == nil else { return false }
            let withdrawn = rows.uploads.values.filter { $0.announced.utterance == new.utterance }
                .compactMap(\.forgottenAt).max()
            rows.uploads[new.id] = .init(
                announced: new, sha256: new.sha256, completedAt: withdrawn, forgottenAt: withdrawn)
            return true
        }
    }

    package func drop(upload id: String) throws(StoreError) {
        try change("drop", lazily: true) { rows throws(StoreError) in
            guard let row = rows.uploads[id], row.completedAt == nil else { return }
            rows.uploads[id] = nil
            rows.holds = rows.holds.filter { $0.upload != id }
        }
    }

    package func name(upload id: String, sha256: String) throws(StoreError) {
        try change("name") { rows throws(StoreError) in
            if rows.uploads[id]?.forgottenAt == nil { rows.uploads[id]?.sha256 = sha256 }
        }
    }

    package func hold(upload id: String, by pin: String) throws(StoreError) {
        try change("hold", lazily: true) { rows throws(StoreError) in
            _ = rows.holds.insert(.init(upload: id, pin: pin))
        }
    }

    package func holds(upload id: String, pin: String) throws(StoreError) -> Bool {
        read { $0.holds.contains(.init(upload: id, pin: pin)) }
    }

    package func halfCount(of device: String) throws(StoreError) -> Int {
        read { $0.uploads.values.count { $0.announced.device == device && $0.completedAt == nil } }
    }

    package func usage(of device: String) throws(StoreError) -> Int {
        read { rows in
            rows.uploads.values.filter { $0.announced.device == device && $0.forgottenAt == nil }
                .reduce(0) { $0 + $1.announced.length }
        }
    }

    package func files(idPrefix: String) throws(StoreError) -> [CataloguedFile] {
        read { rows in
            rows.uploads.values.filter {
                $0.announced.kind == .file && $0.completedAt != nil && $0.forgottenAt == nil
                    && $0.announced.utterance.hasPrefix(idPrefix)
            }.map {
                CataloguedFile(
                    upload: $0.upload, deviceName: rows.devices[$0.announced.device]?.name,
                    storedAt: $0.completedAt ?? 0)
            }.sorted { ($0.storedAt, $0.upload.utterance) < ($1.storedAt, $1.upload.utterance) }
        }
    }

    package func complete(
        _ upload: Upload, _ completion: Completion, at now: Int64
    ) throws(StoreError) -> CompletionOutcome {
        try change("complete") { rows throws(StoreError) in
            guard let row = rows.uploads[upload.id], row.forgottenAt == nil else { return .withdrawn }
            guard row.completedAt == nil else { return .stored(madeWhole: false) }
            rows.uploads[upload.id]?.completedAt = now
            let whole = upload.kind == .file || rows.change(upload, completion, at: now)
            if upload.kind == .manifest {
                rows.happened(
                    .rung(utterance: upload.utterance, seq: upload.seq, device: upload.device), at: now)
            }
            rows.happened(
                .stored(
                    utterance: upload.utterance, kind: upload.kind, bytes: upload.length,
                    sha256: row.sha256, device: upload.device, whole: whole), at: now)
            return .stored(madeWhole: whole)
        }
    }
}

extension MemoryRows {
    /// The utterance's part of a completing commit; true when that became whole.
    fileprivate mutating func change(_ upload: Upload, _ completion: Completion, at now: Int64) -> Bool {
        var row =
            utterances[upload.utterance]
            ?? UtteranceRow(seq: upload.seq, device: upload.device, firstAt: now)
        if let manifest = completion.manifest {
            row.manifest = manifest
            row.rangAt = row.rangAt ?? now
        }
        if let audio = completion.audio {
            row.audio = audio
            loose = loose.filter { $0.utterance != upload.utterance }
        }
        if let part = completion.part { row.part = part }
        let needsAudio = completion.manifest?.needsAudio ?? true
        let whole =
            row.storedAt == nil && row.manifest != nil && row.part != .awaited
            && (row.audio != nil || !needsAudio)
        if whole { row.storedAt = now }
        utterances[upload.utterance] = row
        return whole
    }
}
