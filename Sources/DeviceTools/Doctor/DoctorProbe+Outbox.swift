import AudioFiles
import Device
import DurableFiles
import Glibc
import Identity
import Outbox
import Sealing
import SystemFiles
import Threads
import Wire

extension DoctorProbe {
    func cardFacts(_ permissions: PermissionFacts) -> CardFacts {
        let write = permissions.mayWrite ? tryWrites() : .notTried
        return CardFacts(
            path: folder.path, space: try? FileCalls.system.space(folder.path), reserve: settings.reserve,
            bytesPerSecond: bytesPerSecond, write: write, errors: errorCount, used: wear)
    }

    /// Three durable writes of 64 KiB in the outbox's folder, which is made when it is missing, as at a first start.
    private func tryWrites() -> CardFacts.Write {
        let (calls, path) = (FileCalls.system, folder.path + "/.doctor")
        do throws(DurableFileError) {
            try calls.makeFolders(folder.path)
            var times: [Duration] = []
            for _ in 0..<3 {
                let began = MonotonicClock.now
                try replace(path, [UInt8](repeating: 0xA5, count: 65_536))
                times.append(MonotonicClock.now - began)
            }
            try calls.unlink(path)
            try calls.syncFolder(folder.path)
            return .took(times)
        } catch {
            try? calls.unlink(path)
            return .refused(Obstacle(error))
        }
    }

    private var bytesPerSecond: Int {
        switch settings.format {
        case .opus: settings.bitrate * 125
        case .flac, .wav: settings.rate * settings.channels * 2
        }
    }

    /// The kernel's folder of the disk that holds the outbox.
    private var disk: String? {
        var status = stat()
        guard stat(folder.path, &status) == 0 else { return nil }
        // As makedev(3) of glibc packs them.
        let device = UInt64(status.st_dev)
        let major = (device >> 8) & 0xFFF | (device >> 32) & 0xFFFF_F000
        let minor = device & 0xFF | (device >> 12) & 0xFFFF_FF00
        return "/sys/dev/block/\(major):\(minor)"
    }

    /// Of an ext4 file system, since it was last checked.
    private var errorCount: Int? {
        guard let disk else { return nil }
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink(disk, &target, target.count - 1)
        guard length > 0 else { return nil }
        let path = String(decoding: target.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let name = path.split(separator: "/").last else { return nil }
        return smallFile("/sys/fs/ext4/\(name)/errors_count").flatMap { Int($0.prefix { $0 != "\n" }) }
    }

    /// Of a soldered card (eMMC): the worse of its two estimates, in steps of a tenth (JEDEC JESD84-B51, 7.4.6).
    private var wear: Int? {
        guard let disk else { return nil }
        let text = ["\(disk)/device/life_time", "\(disk)/../device/life_time"].lazy.compactMap {
            smallFile($0)
        }.first
        let tenths = (text ?? "").split { $0 == " " || $0 == "\n" }.compactMap {
            Int($0.dropFirst(2), radix: 16)
        }
        return tenths.max().map { min($0 * 10, 110) }
    }

    /// What is remembered of the host; the error is that of a damaged file.
    func pairedHost() -> Result<PairedHostFile?, any Error> {
        Result { try PairedHostFile.load(folder.host) }
    }

    func outboxFacts(_ host: Result<PairedHostFile?, any Error>) -> OutboxFacts {
        let paired = try? host.get()
        let isPaired = paired != nil || settings.foreign != nil
        if let device = running.device {
            return OutboxFacts(
                waiting: device.waiting, bytes: device.bytes, parked: device.parked,
                heldBack: device.heldBack, isPaired: isPaired, refusal: device.refusal)
        }
        guard access(folder.path + "/out", F_OK) == 0 else { return OutboxFacts(isPaired: isPaired) }
        let listed: [OutboxListing]
        do { listed = try Outbox.listing(directory: folder.path) } catch {
            if case .file(let error) = error { return OutboxFacts(unreadable: Obstacle(error)) }
            return OutboxFacts(
                unreadable: Obstacle(error.description, mend: "Check who owns \(folder.path)."))
        }
        let waiting = listed.filter { $0.place == "out" }
        var facts = OutboxFacts(
            waiting: waiting.count, bytes: waiting.reduce(0) { $0 + $1.bytes },
            parked: listed.count { $0.place == "parked" }, isPaired: isPaired)
        if let paired {
            facts.heldBack = Device.heldBack(among: listed, folder, held: paired.recipients).count
        }
        let all = listed.reduce(0) { $0 + $1.bytes }
        if all + 1 << 20 > settings.outboxMax {
            facts.refusal = "the outbox is full (\(all >> 20) of \(settings.outboxMax >> 20) MiB)."
        }
        return facts
    }

    func keyFacts(_ host: Result<PairedHostFile?, any Error>) -> KeyFacts {
        let keys = DeviceKeys(folder: folder)
        return KeyFacts(keys: keyState(keys), seals: settings.seals, recipient: recipient(keys, host))
    }

    private func keyState(_ keys: DeviceKeys) -> KeyFacts.Keys {
        do {
            if let serial = DeviceKeys.boardSerial(), let known = try keys.contents(folder.board),
                String(decoding: known.prefix { $0 != 10 }, as: UTF8.self) != serial
            {
                return .moved
            }
            let signing = try keys.signing()
            do { _ = try Identity.load(folder: folder.identity) } catch {
                if case .absent = error, signing == nil { return .absent }
                throw error
            }
            return .whole
        } catch {
            return .broken(
                Obstacle(
                    ofFile: error,
                    mend: "Put the file back from a copy, or remove `identity/` and pair again.")
            )
        }
    }

    private func recipient(_ keys: DeviceKeys, _ host: Result<PairedHostFile?, any Error>)
        -> KeyFacts.Recipient
    {
        do {
            if let host = try host.get() {
                guard let key = host.recipients.first else { return .hostWithoutKey(name: host.name) }
                return .host(name: host.name, key: key.description)
            }
            _ = try keys.unpaired()
            return .own
        } catch {
            return .broken(Obstacle(ofFile: error, mend: "Put the file back from a copy, or pair again."))
        }
    }
}
