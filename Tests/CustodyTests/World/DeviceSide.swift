import DurableFiles
import Outbox
import Wire

@testable import Shipper

/// The device's program between two starts: what it has in memory.
final class DeviceSide {
    struct Running {
        let file: OutboxRecording
        let truth: Truth
        let head: Manifest
    }

    /// A delivery that is under way.
    struct Shipping {
        let item: OutboxItem
        var delivery: Delivery
        var action: TusSession.Action
        var contents: [UInt8]
    }

    let outbox: Outbox
    var running: Running?
    /// Finished, and neither committed nor discarded.
    var finished: [Running] = []
    var queue = ShippingQueue()
    var deliveries: [ItemName: Delivery] = [:]
    var shipping: Shipping?

    init(_ outbox: Outbox) { self.outbox = outbox }

    /// Another host is paired.
    func forgetDeliveries() {
        deliveries = [:]
        shipping = nil
        queue.reset()
    }
}
