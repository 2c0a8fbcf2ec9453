import Hardware

/// The battery that the kernel tells of in `/sys/class/power_supply` (`Documentation/ABI/testing/sysfs-class-power`).
///
/// Looked up anew at each reading: the driver of a gauge may come late. Of several batteries the fullest counts.
package final class KernelBattery: Battery {
    private let folder: String

    /// - Parameter folder: holds one folder for each supply.
    package init(folder: String = "/sys/class/power_supply") { self.folder = folder }

    package func read() -> BatteryLevel? {
        let supplies = folderEntries(folder).sorted().map { Supply(folder: "\(folder)/\($0)") }
        let mains = supplies.contains { $0.isCharger && $0.number("online") ?? 0 > 0 }
        let levels = supplies.compactMap { supply -> BatteryLevel? in
            guard supply.isBattery, let percent = supply.percent else { return nil }
            return BatteryLevel(percent: percent, isCharged: supply.isCharged(mains: mains))
        }
        guard let fullest = levels.map(\.percent).max() else { return nil }
        return BatteryLevel(percent: fullest, isCharged: levels.contains { $0.isCharged })
    }
}

/// One power supply's attributes: small files.
private struct Supply {
    let folder: String

    /// It feeds this machine. Batteries of mice and headsets have the scope `Device`.
    var isBattery: Bool {
        text("type") == "Battery" && text("scope") != "Device" && text("present") != "0"
    }

    var isCharger: Bool {
        guard let type = text("type") else { return false }
        return type == "Mains" || type.hasPrefix("USB") || type == "Wireless"
    }

    /// The gauge's own figure, else what is left of what fits in; a gauge that knows words only says `Critical`.
    var percent: Int? {
        if let capacity = number("capacity") { return min(max(capacity, 0), 100) }
        for kind in ["energy", "charge"] {
            if let now = number(kind + "_now"), let full = number(kind + "_full"), now >= 0, full > 0 {
                return Int(min(Double(now) / Double(full), 1) * 100)
            }
        }
        return text("capacity_level") == "Critical" ? 0 : nil
    }

    /// The battery's own word counts; a charger's, where the battery has none.
    func isCharged(mains: Bool) -> Bool {
        switch text("status") {
        case "Charging", "Full", "Not charging": true
        case "Discharging": false
        default: mains  // `Unknown`, or a word of a later kernel
        }
    }

    func number(_ attribute: String) -> Int? { text(attribute).flatMap { Int($0) } }

    /// Without its line end; nil where there is no such attribute, or it cannot be read.
    private func text(_ attribute: String) -> String? {
        smallFile("\(folder)/\(attribute)").map { String($0.prefix { $0 != "\n" }) }
    }
}
