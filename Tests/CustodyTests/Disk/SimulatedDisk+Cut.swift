/// How a program ended.
enum DiskEnd: CaseIterable {
    /// It was killed, and the machine goes on: nothing is lost but its locks.
    case killed
    /// The power went: what was not synced may be lost, torn, or out of order.
    case powerCut
}

extension SimulatedDisk {
    /// What the next start finds.
    func end(_ end: DiskEnd, using random: inout some RandomNumberGenerator) {
        handles = [:]
        switch end {
        case .killed:
            eachFile {
                $0.survive()
                $0.handles = 0
            }
        case .powerCut: cut(using: &random)
        }
        recount()
    }

    private func cut(using random: inout some RandomNumberGenerator) {
        // Of the changes of names none, all, the first ones, or any.
        let way = Int.random(in: 0..<5, using: &random)
        let share = Int.random(in: 1...9, using: &random)
        var first = way == 2 ? Int.random(in: 0...pending.count, using: &random) : 0
        var missing: Set<DiskName.Key> = []
        for change in pending {
            let happens: Bool
            switch way {
            case 0: happens = false
            case 1: happens = true
            case 2:
                happens = first > 0
                first -= 1
            default: happens = Int.random(in: 0..<10, using: &random) < share
            }
            let keys = change.keys
            if happens, missing.isDisjoint(with: keys) {
                bring(change)
            } else {
                missing.formUnion(keys)
            }
        }
        pending = []
        restore(root)
        eachFile { $0.handles = 0 }
        // Each file once, though it may have two names.
        var seen: Set<ObjectIdentifier> = []
        eachFile { if seen.insert(ObjectIdentifier($0)).inserted { $0.cut(using: &random) } }
    }

    private func restore(_ folder: FolderNode) {
        folder.entries = folder.durable
        for case let inner as FolderNode in folder.entries.values { restore(inner) }
    }

    // MARK: What any cut would leave

    /// The file that is certainly under `path`, or where a rename takes it from there, whole, after any power cut.
    func surely(_ path: String) -> FileNode? {
        guard let node = surelyNamed(path), node.isSafe else { return nil }
        return node
    }

    /// Whether the file that is certainly there begins with `bytes` after any power cut.
    func surelyBegins(_ path: String, with bytes: ArraySlice<UInt8>) -> Bool {
        guard let node = surelyNamed(path) else { return false }
        return node.surelyHas(bytes.count) && node.durable[..<bytes.count] == bytes
    }

    private func surelyNamed(_ path: String) -> FileNode? {
        guard let (folder, name) = place(path), let node = folder.durable[name] as? FileNode,
            isSurelyThere(folder, path)
        else { return nil }
        let key = DiskName.Key(folder: ObjectIdentifier(folder), name: name)
        for change in pending {
            // Only a rename of this very file takes the name away without taking the file.
            if change.add?.key == key { return nil }
            if let remove = change.remove, remove.key == key, change.add?.node !== node { return nil }
        }
        return node
    }

    /// The folders down to it were brought to the card. Nobody renames or removes folders.
    private func isSurelyThere(_ folder: FolderNode, _ path: String) -> Bool {
        var reached = root
        for part in path.split(separator: "/").dropLast() {
            guard let next = reached.durable[String(part)] as? FolderNode else { return false }
            reached = next
        }
        return reached === folder
    }

    /// Whether some power cut would leave something under `path`.
    func perhaps(_ path: String) -> Bool {
        guard let (folder, name) = place(path) else { return false }
        let key = DiskName.Key(folder: ObjectIdentifier(folder), name: name)
        return folder.entries[name] != nil || folder.durable[name] != nil
            || pending.contains { $0.add?.key == key }
    }

    /// What programs see in a file.
    func contents(_ path: String) -> [UInt8]? { file(path)?.current }

    /// For a trace: how far each of these paths is on the card.
    func state(of paths: [String]) -> String {
        paths.map { path in
            guard let (folder, name) = place(path) else { return "\(path): no folder" }
            let key = DiskName.Key(folder: ObjectIdentifier(folder), name: name)
            let changes = pending.filter { $0.keys.contains(key) }.count
            let seen = (folder.entries[name] as? FileNode).map { "\($0.current.count) bytes" } ?? "absent"
            let kept = (folder.durable[name] as? FileNode).map {
                "\($0.durable.count) bytes, \($0.isSafe ? "all" : "not all") of them safe"
            }
            return
                "\(path): \(seen); on the card: \(kept ?? "absent"); \(changes) changes of the name to come"
        }.joined(separator: "\n")
    }
}
