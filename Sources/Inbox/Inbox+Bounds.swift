import Catalogue
import DurableFiles

// What bounds a device, each asked before a byte is taken:
//  - `quota_per_device`: the lengths of everything of it that is here or announced, by a sum that the catalogue keeps;
//  - `mostHalfUploads`: rows and files that wait for their bytes;
//  - the disk: an upload's blocks are reserved at its creation, so what is free is what nobody was promised. The last
//    of it is nobody's: the catalogue must go on, and whoever makes room needs some.

extension Inbox {
    /// More uploads of one device that wait for their bytes are not begun. A device sends its recordings one after the
    /// other, and of each at most three parts.
    package static let mostHalfUploads = 1_000

    /// Kept free of uploads: 5 % of the disk, 1 GiB at most.
    static func reserve(ofDisk total: Int) -> Int { min(total / 20, 1 << 30) }

    /// Throws `overQuota`, `tooManyHalves`, `noRoom`, `file`, `store`.
    func checkBounds(device: String, length: Int) throws(InboxError) {
        let halves = try store { () throws(StoreError) in try catalogue.halfCount(of: device) }
        guard halves < Self.mostHalfUploads else {
            throw .tooManyHalves(limit: Self.mostHalfUploads)
        }
        if let quota = settings.quotaPerDevice {
            guard try usage(of: device) <= quota - length else { throw .overQuota(limit: quota) }
        }
        let space = try files { () throws(DurableFileError) in
            let (free, total) = try calls.space(folder.incoming)
            return Space(free: free, total: total)
        }
        guard length <= space.free - Self.reserve(ofDisk: space.total) else {
            throw .noRoom(folder: folder.path, length: length)
        }
    }

    /// Bytes that a device has here or has announced.
    package func usage(of device: String) throws(InboxError) -> Int {
        try store { () throws(StoreError) in try catalogue.usage(of: device) }
    }

    private struct Space {
        let free: Int
        let total: Int
    }
}
