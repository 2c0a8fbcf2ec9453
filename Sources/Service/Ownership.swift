import Glibc

extension Service {
    /// Root's commands write into a service's folder as the user that the folder belongs to: what they leave there, the
    /// service can read. Nothing changes for anybody else, for a folder of root's own, and where there is none yet.
    ///
    /// For the whole process, until `actAsBefore`; files elsewhere are written as that user, too.
    package static func actAsOwner(of folder: String) {
        var status = stat()
        guard geteuid() == 0, stat(folder, &status) == 0, status.st_uid != 0 else { return }
        // The group first: without being root it cannot be changed any more.
        guard setegid(status.st_gid) == 0, seteuid(status.st_uid) == 0 else { return }
    }

    /// Root's command is root's again.
    package static func actAsBefore() {
        // The user first: only root may change the group.
        _ = seteuid(getuid())
        _ = setegid(getgid())
    }

    /// Whether the folder belongs to whoever asks.
    package static func owns(_ folder: String) -> Bool {
        var status = stat()
        return stat(folder, &status) == 0 && status.st_uid == geteuid()
    }
}
