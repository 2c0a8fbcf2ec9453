import DurableFiles
import Inbox
import Outbox
import Sealing
import Wire

extension World {
    // MARK: After every event

    func check() throws {
        if let broken { throw broken }
        if let leak = deviceDisk.leak { throw BrokenPromise(3, "plain sound or text was written to \(leak)") }
        for truth in open {
            switch truth.stage {
            case .open where truth.synced > 0 && !truth.isDamaged && device?.running?.truth === truth:
                try checkRunning(truth)
            case .kept:
                guard truth.storedAt.isEmpty, truth.withdrawn == nil else { break }
                guard deviceSurelyHas(truth) else {
                    say(deviceDisk.state(of: truth.files))
                    throw BrokenPromise(
                        1,
                        "utterance \(truth.name.seq) was kept, and neither the device nor a host surely has it"
                    )
                }
            case .open, .discarded, .gone: break
            }
        }
        open.removeAll { !$0.isOwed && $0.stage != .discarded }
    }

    /// A power cut now would leave all of it on the device.
    private func deviceSurelyHas(_ truth: Truth) -> Bool {
        truth.files.allSatisfy { path in
            if deviceDisk.surely(path) != nil { return true }
            let file = path.split(separator: "/").last.map(String.init) ?? ""
            return deviceDisk.surely("\(Self.directory)/parked/\(file)") != nil
        }
    }

    /// A power cut now would leave what was synced.
    private func checkRunning(_ truth: Truth) throws {
        guard let path = device?.running?.file.audioPath, !truth.isSealed else { return }
        guard deviceDisk.surelyBegins(path, with: truth.sound[..<truth.synced]) else {
            throw BrokenPromise(
                1,
                "\(truth.synced) synced bytes of the running recording \(truth.name.seq) are not on the card")
        }
    }

    func checkDiscarded(_ truth: Truth) throws {
        for place in ["rec", "out", "parked"] {
            for file in audioNames(truth) where deviceDisk.perhaps("\(Self.directory)/\(place)/\(file)") {
                throw BrokenPromise(
                    1, "utterance \(truth.name.seq) was discarded and may come back from \(place)/")
            }
        }
    }

    func checkSequence(_ name: ItemName) throws {
        if let known = truths.values.first(where: { $0.name.seq == name.seq }) {
            throw BrokenPromise(4, "the sequence number \(known.name.seq) was given out twice")
        }
    }

    /// Nothing that is owed goes from the device before the receipts for all of it have arrived.
    func watchDevice(_ life: Life) {
        life.watch = { [unowned self] call in
            guard call.operation == .unlink, broken == nil else { return }
            let file = call.path.split(separator: "/").last.map(String.init) ?? ""
            guard let name = ItemName(file.prefix(43)), let truth = truths[name.id], truth.stage == .kept,
                truth.files.contains(call.path)
            else { return }
            let received = delivered[name.id]?.values.contains { $0.isSuperset(of: truth.kinds) } ?? false
            if !received {
                broken = BrokenPromise(2, "\(file) is removed before the receipts for it have arrived")
            }
        }
    }

    // MARK: The host

    /// The host says that it has something: then it must have it, whatever happens next.
    func noteAnswer(_ response: TusSession.Response, _ cargo: CargoFacts) throws {
        guard let digest = response.digest, let truth = truths[cargo.utterance] else { return }
        guard digest.hex == cargo.sha256 else { return }
        host.noteReceipt(cargo.utterance, cargo.kind, digest.hex)
        if truth.stage == .discarded {
            throw BrokenPromise(1, "utterance \(truth.name.seq) was discarded and came to the host")
        }
        if truth.withdrawn == nil { try checkStored(truth.name, cargo.kind, digest.hex) }
        let receipts = host.receipts[cargo.utterance] ?? [:]
        if Set(receipts.keys).isSuperset(of: truth.kinds), truth.storedAt.insert(host.number).inserted {
            tally.stored += 1
        }
    }

    private func checkStored(_ name: ItemName, _ kind: UploadKind, _ sha256: String) throws {
        guard let inbox = host.inbox else { return }
        // What the database gave away too early the next power cut shows.
        try checkShelf(inbox, name, kind, sha256)
    }

    /// After each start: what it gave receipts for is there, once, and is what was said.
    func checkHostAfterStart() throws {
        try checkStored(on: host)
    }

    func checkStored(on host: HostSide) throws {
        guard let inbox = host.inbox, !host.receipts.isEmpty else { return }
        let life = host.life
        let stored: [StoredUtterance]
        do { stored = try inbox.utterances() } catch {
            if life.isDead { return }
            throw BrokenPromise(0, "the host cannot list: \(error)")
        }
        let byID = Dictionary(grouping: stored, by: \.id)
        for (id, utterances) in byID {
            guard let truth = truths[id] else {
                throw BrokenPromise(4, "the host has an unknown utterance \(id)")
            }
            if truth.withdrawn == .done, truth.withdrawnFrom == host.number {
                throw BrokenPromise(4, "utterance \(truth.name.seq) was forgotten on the host and is back")
            }
            if utterances.count > 1 { throw BrokenPromise(4, "the host has \(truth.name.seq) twice") }
        }
        for (id, receipts) in host.receipts {
            guard let truth = truths[id], truth.withdrawn == nil else { continue }
            guard let utterance = byID[id]?.first else {
                throw BrokenPromise(
                    2, "the host gave a receipt for \(truth.name.seq) and does not know it any more")
            }
            if receipts[.manifest] != nil, utterance.manifest == nil {
                throw BrokenPromise(
                    2, "the host gave a receipt for the manifest of \(truth.name.seq) and lost it")
            }
            try checkSound(truth, utterance, receipts, host)
        }
    }

    // MARK: The device's start

    /// Each utterance that is not settled is looked for.
    func checkDeviceAfterStart() throws {
        guard let outbox = device?.outbox else { return }
        let waiting = Dictionary(uniqueKeysWithValues: outbox.waiting().map { ($0.name.id, $0) })
        if plan.tracing {
            say(
                "device starts: \(outbox.startup.recovered.map(\.seq)) recovered, \(outbox.startup.removed.map(\.seq)) removed, \(outbox.startup.parked) parked, \(outbox.startup.problems)"
            )
        }
        for (id, item) in waiting {
            guard let truth = truths[id] else {
                throw BrokenPromise(4, "the outbox holds an unknown utterance \(id)")
            }
            truth.isPart = item.isSealedPart
        }
        for truth in open {
            let item = waiting[truth.name.id]
            switch truth.stage {
            case .discarded:
                if item != nil {
                    throw BrokenPromise(1, "utterance \(truth.name.seq) was discarded and is back")
                }
            case .open: try checkFound(truth, item, outbox.startup)
            case .kept:
                if let item, deviceDisk.contents(item.manifestPath) != truth.manifest {
                    throw BrokenPromise(
                        2, "utterance \(truth.name.seq) was kept, and a start made something else of it")
                }
                truth.left = item == nil && !truth.parked
            case .gone: break
            }
        }
    }

    /// What a start, or giving up, made of a recording that nobody was told of: the item that waits now.
    func checkFound(_ truth: Truth, _ item: OutboxItem?, _ report: StartupReport) throws {
        truth.isPart = item?.isSealedPart ?? false
        if truth.isDamaged {
            truth.stage = .gone
        } else if let item {
            try checkRecovered(truth, item)
            tally.recovered += 1
            keep(truth, item)
        } else if !report.problems.contains(where: { $0.hasPrefix("\(truth.name)") }) {
            let isParked = audioNames(truth).contains {
                deviceDisk.file("\(Self.directory)/parked/\($0)") != nil
            }
            guard truth.synced == 0 || !truth.storedAt.isEmpty || isParked && !truth.finished else {
                throw BrokenPromise(1, "\(truth.synced) synced bytes of utterance \(truth.name.seq) are gone")
            }
            if !isParked { truth.stage = .gone }
        }
    }

    // MARK: The end

    /// Without further trouble everything that is owed comes to a host, once.
    func comeToRest() throws {
        say("no more trouble")
        doom = 0
        trouble = 0
        deviceLife.pardon()
        host.life.pardon()
        deviceDisk.syncsUntilFailure = nil
        deviceDisk.grow()
        host.disk.grow()
        device?.running = nil
        device?.finished = []
        // The program ends and starts once more: what was running is salvaged.
        try startDevice()
        for _ in 0..<3000 {
            guard let device, device.outbox.waiting().contains(where: { !heldBack.contains($0.name) }) else {
                break
            }
            now += .seconds(10)
            try ship()
            try bury()
            try check()
        }
        if let left = device?.outbox.waiting().first(where: { !heldBack.contains($0.name) }) {
            throw BrokenPromise(1, "utterance \(left.name.seq) never comes to the host")
        }
        for truth in truths.values
        where truth.stage == .kept && truth.storedAt.isEmpty && truth.withdrawn == nil {
            guard deviceSurelyHas(truth) else {
                throw BrokenPromise(1, "utterance \(truth.name.seq) is nowhere")
            }
        }
        for host in hosts {
            if host !== self.host { try host.start(Life(.host), signing: signing) }
            try checkStored(on: host)
            // A stray file is an upload that was forgotten after its rename: untidy, and nothing that was promised.
            let problems = try host.inbox?.check().problems.filter { $0.kind != .stray } ?? []
            if let problem = problems.first { throw BrokenPromise(4, problem.explanation) }
            host.shutDown()
        }
    }
}
