import DurableFiles
import Outbox

/// Deaths and starts.
extension World {
    /// Whoever died is started again.
    func bury() throws {
        if host.life.isDead { try startHost() }
        if deviceLife.isDead { try startDevice() }
    }

    func note(_ life: Life) {
        tally.made.merge(life.made, uniquingKeysWith: +)
        guard let site = life.site else { return }
        if life.mattered {
            tally.deaths[site, default: 0] += 1
        } else {
            tally.idleDeaths += 1
        }
        say("† \(site.title)")
    }

    func end(_ disk: SimulatedDisk) {
        let end = chance(25) ? DiskEnd.killed : .powerCut
        if end == .powerCut { tally.powerCuts += 1 }
        disk.end(end, using: &random)
    }

    func startHost() throws {
        while true {
            host.shutDown()
            note(host.life)
            replays = []
            if host.life.isDead { end(host.disk) }
            let life = Life(.host)
            life.isHunted = isHunted && doom > 0 && chance(30)
            life.matters = { [weak self] in self?.hasSomethingToLose ?? false }
            if chance(doom / 2) {
                life.die(
                    after: Int.random(in: 0..<250, using: &random),
                    tearing: Int.random(in: 0..<5000, using: &random))
            }
            do {
                try host.start(life, signing: signing)
                break
            } catch {
                say("host: does not start: \(error)")
                if !life.isDead {
                    guard host.isFull(error) else {
                        throw BrokenPromise(0, "the host does not start: \(error)")
                    }
                    // A full disk: its owner makes room.
                    host.disk.grow()
                }
            }
        }
        try checkHostAfterStart()
    }

    func startDevice() throws {
        let failedSyncs = deviceDisk.failedSyncs
        while true {
            note(deviceLife)
            let died = deviceLife.isDead
            device = nil
            if died { end(deviceDisk) }
            let life = Life(.device)
            deviceLife = life
            life.isHunted = isHunted && doom > 0 && chance(30)
            life.matters = { [weak self] in self?.hasSomethingToLose ?? false }
            watchDevice(life)
            if chance(doom / 2) {
                life.die(
                    after: Int.random(in: 0..<60, using: &random),
                    tearing: Int.random(in: 0..<5000, using: &random))
            }
            do {
                let outbox = try Outbox(
                    directory: Self.directory, limits: limits, calls: deviceCalls(life),
                    salvage: salvage)
                if life.isDead { continue }
                device = DeviceSide(outbox)
                break
            } catch {
                say("device: does not start: \(error)")
                guard life.isDead || deviceDisk.syncsUntilFailure == nil else { continue }
                if !life.isDead { deviceDisk.grow() }
            }
        }
        if deviceDisk.failedSyncs != failedSyncs {
            damageOpen()
        }
        try checkDeviceAfterStart()
    }

    /// A sync failed. The kernel calls clean what it could not write; a program that dies takes the knowledge with it,
    /// and the next start cannot know.
    func damageOpen() { for truth in open where truth.stage == .open { truth.isDamaged = true } }

    func deviceCalls(_ life: Life) -> FileCalls { FileCalls(on: deviceDisk) { life.pass($0) } }
}
