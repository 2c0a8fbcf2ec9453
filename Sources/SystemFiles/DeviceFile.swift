import Glibc

/// A device's file in `/dev`, and who may open it.
package struct DeviceFile: Equatable, Sendable {
    package let path: String
    /// The kernel's name for its kind, as udev rules match it: `sound`, `gpio`, `input`.
    package let subsystem: String
    /// The group that distributions give such files to.
    package let group: String

    package init(path: String, subsystem: String, group: String) {
        self.path = path
        self.subsystem = subsystem
        self.group = group
    }

    /// This process may read and write it.
    package var isOpen: Bool { access(path, R_OK | W_OK) == 0 }

    /// What lets this process open it: a sentence with the command.
    package var remedy: String {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "/dev"
        var status = stat()
        guard stat(path, &status) == 0 else { return "\(path) cannot be looked at; see `ls -l \(folder)`." }
        let user = userName(geteuid()) ?? "\(geteuid())"
        guard status.st_gid != 0, status.st_mode & 0o060 == 0o060, let owner = groupName(status.st_gid) else {
            return "\(path) belongs to root alone; give it to group \(group) by a udev rule: "
                + "`echo 'SUBSYSTEM==\"\(subsystem)\", GROUP=\"\(group)\", MODE=\"0660\"' | "
                + "sudo tee /etc/udev/rules.d/70-\(subsystem).rules && sudo udevadm trigger`."
        }
        return
            "\(user) is not in group \(owner): run `sudo usermod -aG \(owner) \(user)`, then start the program anew."
    }
}

/// The names in a folder; none when it cannot be read.
package func folderEntries(_ path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names
}

/// What the machine calls that user; nil for one it does not know.
package func userName(_ id: uid_t) -> String? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 4096)
    return getpwuid_r(id, &entry, &buffer, buffer.count, &found) == 0
        ? found.map { String(cString: $0.pointee.pw_name) } : nil
}

private func groupName(_ id: gid_t) -> String? {
    var entry = Glibc.group()
    var found: UnsafeMutablePointer<Glibc.group>?
    var buffer = [CChar](repeating: 0, count: 4096)
    return getgrgid_r(id, &entry, &buffer, buffer.count, &found) == 0
        ? found.map { String(cString: $0.pointee.gr_name) } : nil
}
