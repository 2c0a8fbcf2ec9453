import DurableFiles
import Glibc

/// A name in a folder, and the node that it got.
struct DiskName {
    let folder: FolderNode
    let name: String
    let node: DiskNode

    init(_ folder: FolderNode, _ name: String, _ node: DiskNode) {
        self.folder = folder
        self.name = name
        self.node = node
    }

    struct Key: Hashable {
        let folder: ObjectIdentifier
        let name: String
    }

    var key: Key { Key(folder: ObjectIdentifier(folder), name: name) }
}

/// A change of names that is not on the card: a creation adds one, an unlink removes one, a rename does both.
struct PendingNames {
    var add: DiskName?
    var remove: DiskName?

    var keys: [DiskName.Key] { [add?.key, remove?.key].compactMap { $0 } }
}

extension SimulatedDisk {
    func place(_ path: String) -> (folder: FolderNode, name: String)? {
        var folder = root
        var parts = path.split(separator: "/")[...]
        guard let last = parts.popLast() else { return nil }
        for part in parts {
            guard let next = folder.entries[String(part)] as? FolderNode else { return nil }
            folder = next
        }
        return (folder, String(last))
    }

    func node(_ path: String) -> DiskNode? {
        if path == "/" { return root }
        return place(path).flatMap { $0.folder.entries[$0.name] }
    }

    func file(_ path: String) -> FileNode? { node(path) as? FileNode }

    func rename(_ from: String, _ to: String) -> Int {
        guard let source = place(from), let target = place(to),
            let node = source.folder.entries[source.name]
        else { return Int(-ENOENT) }
        if let old = target.folder.entries[target.name] { dropName(of: old) }
        source.folder.entries[source.name] = nil
        target.folder.entries[target.name] = node
        pending.append(
            PendingNames(
                add: .init(target.folder, target.name, node),
                remove: .init(source.folder, source.name, node)))
        return 0
    }

    func unlink(_ path: String) -> Int {
        guard let (folder, name) = place(path), let node = folder.entries[name] else { return Int(-ENOENT) }
        folder.entries[name] = nil
        dropName(of: node)
        pending.append(PendingNames(remove: .init(folder, name, node)))
        return 0
    }

    func makeFolder(_ path: String, mode: mode_t) -> Int {
        guard let (folder, name) = place(path) else { return Int(-ENOENT) }
        guard folder.entries[name] == nil else { return Int(-EEXIST) }
        let made = FolderNode()
        folder.entries[name] = made
        pending.append(PendingNames(add: .init(folder, name, made)))
        return 0
    }

    func isFolder(_ path: String) -> Int {
        switch node(path) {
        case nil: Int(-ENOENT)
        case is FolderNode: 1
        default: 0
        }
    }

    func list(_ path: String, into names: inout [String]) -> Int {
        guard let folder = node(path) as? FolderNode else { return Int(-ENOENT) }
        names = Array(folder.entries.keys)
        return 0
    }

    func size(of path: String) -> Int { file(path)?.current.count ?? Int(-ENOENT) }

    func syncFolder(_ path: String) -> Int {
        guard let folder = node(path) as? FolderNode else { return Int(-ENOENT) }
        // With what touches the folder comes whatever came before it under one of its names.
        var chosen = pending.map { $0.add?.folder === folder || $0.remove?.folder === folder }
        var grew = true
        while grew {
            grew = false
            for index in pending.indices where chosen[index] {
                let keys = pending[index].keys
                for earlier in 0..<index
                where !chosen[earlier] && pending[earlier].keys.contains(where: keys.contains) {
                    chosen[earlier] = true
                    grew = true
                }
            }
        }
        var left: [PendingNames] = []
        for (index, change) in pending.enumerated() {
            guard chosen[index] else {
                left.append(change)
                continue
            }
            bring(change)
        }
        pending = left
        return 0
    }

    /// Brings a change to the card.
    func bring(_ change: PendingNames) {
        if let add = change.add { add.folder.durable[add.name] = add.node }
        if let remove = change.remove { remove.folder.durable[remove.name] = nil }
    }
}
