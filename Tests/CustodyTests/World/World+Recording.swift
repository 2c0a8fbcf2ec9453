import DurableFiles
import Outbox
import Sealing
import Wire

extension World {
    /// One step of the recorder, in the order in which it takes them: begin, append, sync each second, finish, and
    /// commit or discard at once.
    func recordSomething() throws {
        guard let device else { return }
        if let last = device.finished.first, chance(80) {
            device.finished.removeFirst()
            return try settle(last)
        }
        guard let running = device.running else {
            if open.count(where: \.isInFlight) < 6 { try begin() }
            return
        }
        let truth = running.truth
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<45 where truth.appended < truth.sound.count: try append(running)
        case 45..<70: sync(running)
        case _ where truth.appended == 0: try append(running)
        case _ where truth.appended < truth.sound.count && chance(70): try append(running)
        default: try finish(running)
        }
    }

    private func soundLength() -> Int {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<60: Int.random(in: 1...3000, using: &random)
        case 60..<90: Int.random(in: 3000...30_000, using: &random)
        case 90..<97: Int.random(in: 60_000...140_000, using: &random)
        default: Int.random(in: 250_000...300_000, using: &random)
        }
    }

    private func begin() throws {
        guard let device else { return }
        deviceLife.step = .begin
        isPressed = true
        defer { isPressed = false }
        let length = soundLength()
        let seed = nextTruthSeed
        do {
            let number = try device.outbox.reserveName()
            // A seeded identity, so that the same world comes again.
            guard let name = ItemName(seq: number.seq, id: Truth.id(seed)) else { return }
            try checkSequence(name)
            let truth = Truth(name, isSealed: isSealed, length: length, seed: seed)
            let head = headManifest(name)
            say("begin \(name.seq) of \(length) bytes")
            truths[name.id] = truth
            open.append(truth)
            let file = try beginFile(device.outbox, name, head)
            guard !deviceLife.isDead else { return }
            device.running = .init(file: file, truth: truth, head: head)
        } catch let error as OutboxError { say("  begin: \(error)") }
    }

    func headManifest(_ name: ItemName) -> Manifest {
        let jump = Int64.random(in: -800_000_000...800_000_000, using: &random) * 1_000_000_000
        var manifest = Manifest(
            utterance: name.id, seq: name.seq, start: .init(monotonic: 1, boot: 2, wall: jump),
            format: "opus", rate: 16_000, channels: 1)
        manifest.participant = String(decoding: Truth.marker, as: UTF8.self)
        return manifest
    }

    private func append(_ running: DeviceSide.Running) throws {
        deviceLife.step = .append
        let truth = running.truth
        let rest = truth.sound.count - truth.appended
        let count = min(
            rest, rest < 64 || chance(30) ? rest : Int.random(in: 1...max(1, rest), using: &random))
        do {
            try truth.sound[truth.appended..<(truth.appended + count)].withUnsafeBytes {
                try running.file.append($0)
            }
            truth.appended += count
            say("append \(truth.name.seq): \(truth.appended)")
        } catch {
            // What a dying write left may be there, and it is the truth.
            if deviceLife.isDead { truth.appended += count }
            say("  append: \(error)")
            if !deviceLife.isDead { try finish(running) }
        }
    }

    private func sync(_ running: DeviceSide.Running) {
        deviceLife.step = .sync
        let truth = running.truth
        do {
            try running.file.sync()
            if !deviceLife.isDead, running.file.failure == nil { truth.synced = truth.appended }
            say("sync \(truth.name.seq): \(truth.synced)")
        } catch {
            say("  sync: \(error)")
            if !deviceLife.isDead { truth.isDamaged = true }
        }
    }

    private func finish(_ running: DeviceSide.Running) throws {
        guard let device else { return }
        deviceLife.step = .finish
        let truth = running.truth
        device.running = nil
        do {
            let wasDurable = truth.synced > 0
            try running.file.finish { bytes, sha256 in
                var manifest = running.head
                manifest.bytes = bytes
                manifest.sha256 = sha256
                manifest.frames = truth.appended
                manifest.endReason = "button"
                truth.sha256 = sha256
                return manifest
            }
            guard !deviceLife.isDead else { return }
            truth.finished = true
            if running.file.failure != nil { truth.isDamaged = true }
            if wasDurable, running.file.failure == nil { truth.synced = truth.appended }
            device.finished.append(running)
            say("finish \(truth.name.seq)")
        } catch {
            say("  finish: \(error)")
            if deviceLife.isDead { return }
            if running.file.failure != nil { truth.isDamaged = true }
            try giveUp(running)
        }
    }

    private func settle(_ finished: DeviceSide.Running) throws {
        let truth = finished.truth
        if chance(12) {
            deviceLife.step = .discard
            // From here on it may be gone, and it may come back until the wearer is told.
            truth.synced = 0
            do {
                try finished.file.discard()
                guard !deviceLife.isDead else { return }
                truth.stage = .discarded
                say("discard \(truth.name.seq)")
                try checkDiscarded(truth)
            } catch let error as OutboxError { say("  discard: \(error)") }
            return
        }
        deviceLife.step = .commit
        do {
            let item = try finished.file.commit()
            guard !deviceLife.isDead else { return }
            say("kept \(truth.name.seq)")
            keep(truth, item)
        } catch {
            say("  commit: \(error)")
            if !deviceLife.isDead, !finished.file.isCommitted { try giveUp(finished) }
        }
    }

    /// What is left of it waits at once, or stays for the next start.
    private func giveUp(_ running: DeviceSide.Running) throws {
        guard let device, chance(70) else { return }
        deviceLife.step = .giveUp
        let failedSyncs = deviceDisk.failedSyncs
        let report = running.file.abandon()
        if deviceDisk.failedSyncs != failedSyncs { running.truth.isDamaged = true }
        guard !deviceLife.isDead else { return }
        say("give up \(running.truth.name.seq): \(report)")
        try checkFound(running.truth, device.outbox.waiting().first { $0.name == running.truth.name }, report)
    }

    /// The wearer was told, or a start has found it.
    func keep(_ truth: Truth, _ item: OutboxItem) {
        truth.stage = .kept
        truth.isDamaged = false
        truth.files = files(of: item)
        truth.manifest = deviceDisk.contents(item.manifestPath) ?? []
        tally.kept += 1
        if truth.isSealed { tally.keptSealed += 1 }
    }
}
