import Outbox
import Sealing
import Wire

@testable import Shipper

/// The sending thread's loop, one request at a time, over the device's real queue, deliveries and sessions.
extension World {
    func ship() throws {
        guard let device else { return }
        guard device.shipping == nil else { return try goOn() }
        let waiting = device.outbox.waiting().filter { !heldBack.contains($0.name) }
        switch device.queue.next(waiting.map(\.name), now: now) {
        case .deliver(let name):
            guard let item = waiting.first(where: { $0.name == name }) else { return }
            var delivery: Delivery
            if let known = device.deliveries.removeValue(forKey: name) {
                delivery = known
            } else {
                deviceLife.step = .shipCreate
                do {
                    guard let cargo = try cargo(of: item, device.outbox) else {
                        say("held back: \(name.seq)")
                        heldBack.insert(name)
                        return
                    }
                    guard let begun = Delivery(cargo) else { return }
                    delivery = begun
                } catch {
                    if !deviceLife.isDead { park(item, "\(error)") }
                    return
                }
            }
            say("ship \(name.seq)")
            let action = delivery.goOn()
            let contents = contents(of: delivery.current, item)
            device.shipping = .init(item: item, delivery: delivery, action: action, contents: contents)
            try goOn()
        case .sleep(let until): now = until
        case .mistrusted, .nothing: break
        }
    }

    private func goOn() throws {
        guard let device, var shipping = device.shipping else { return }
        device.shipping = nil
        switch shipping.action {
        case .send(let request):
            deviceLife.step = request.deviceStep
            switch try ask(request, shipping.delivery.current, contents: shipping.contents) {
            case .success(let response):
                if (200...299).contains(response.status) { device.queue.hostAnswered() }
                shipping.action = shipping.delivery.answered(response)
            case .failure(.failed(let failure)): shipping.action = shipping.delivery.failed(failure)
            case .failure(.dead): return
            }
            device.shipping = shipping
        case .compareFile:
            let digest = SHA256.digest(of: contents(of: shipping.delivery.current, shipping.item)).bytes
            let intact = digest == shipping.delivery.current.upload.digest.sha256
            shipping.action = shipping.delivery.fileCompared(intact: intact)
            device.shipping = shipping
        case .wait(let reason, let retryAfter):
            device.deliveries[shipping.item.name] = shipping.delivery
            _ = device.queue.waits(
                shipping.item.name, reason, retryAfter: retryAfter, now: now, random: random.next())
        case .end(.received):
            guard shipping.delivery.nextCargo() else { return letGo(shipping.item) }
            shipping.contents = contents(of: shipping.delivery.current, shipping.item)
            shipping.action = shipping.delivery.goOn()
            device.shipping = shipping
        case .end(.parked(let reason)): park(shipping.item, "\(reason)")
        case .end(.mistrusted), .end(.weaklyReceived):
            throw BrokenPromise(0, "the host does not know its device")
        }
    }

    private func letGo(_ item: OutboxItem) {
        guard let device else { return }
        deviceLife.step = .letGo
        do {
            try device.outbox.letGo(item)
            if !deviceLife.isDead { truths[item.name.id]?.left = true }
            say("let go \(item.name.seq)")
        } catch {
            say("  let go: \(error)")
            _ = device.queue.delay(item.name, now: now, random: random.next())
        }
    }

    private func park(_ item: OutboxItem, _ reason: String) {
        guard let device else { return }
        deviceLife.step = .park
        tally.parked += 1
        do {
            try device.outbox.park(item, reason: reason)
            if !deviceLife.isDead { truths[item.name.id]?.parked = true }
            say("park \(item.name.seq): \(reason)")
        } catch {
            say("  park: \(error)")
            _ = device.queue.delay(item.name, now: now, random: random.next())
        }
    }

    /// What the shipper reads: as the program sees the file now.
    func contents(of cargo: Cargo, _ item: OutboxItem) -> [UInt8] {
        switch cargo.source {
        case .memory(let bytes): bytes
        case .file(let path): deviceDisk.contents(original(path, of: item)) ?? []
        }
    }
}
