/// What a battery says of itself.
package struct BatteryLevel: Equatable, Sendable {
    /// At this many percent and below, a battery that nothing charges ends a turn. Below it the voltage of a lithium
    /// cell falls steeply and boards switch off unasked: the rest is for finishing the file and sending it.
    package static let lowMark = 5

    /// 0…100.
    package let percent: Int
    /// A charger is there: the battery does not run out.
    package let isCharged: Bool

    package init(percent: Int, isCharged: Bool) {
        self.percent = percent
        self.isCharged = isCharged
    }

    /// It may be empty at any moment.
    package var isLow: Bool { percent <= Self.lowMark && !isCharged }
}

/// The board's battery.
package protocol Battery: AnyObject, Sendable {
    /// As it stands now; nil where there is none, or it does not tell. Blocks for as long as the gauge needs: behind a
    /// slow bus, a tenth of a second.
    func read() -> BatteryLevel?
}
