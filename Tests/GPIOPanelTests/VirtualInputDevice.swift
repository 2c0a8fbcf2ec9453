import Foundation
import TestSupport

/// An input device of the kernel's own (`/dev/uinput`, `Documentation/input/uinput.rst`), gone with its last reference.
final class VirtualInputDevice: Sendable {
    struct Broken: Error { let what: String }

    /// Its device file.
    let path: String
    private let descriptor: Int32

    /// - Parameter keys: the codes of its keys.
    init(keys: [UInt16]) throws {
        descriptor = open("/dev/uinput", O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw Broken(what: "open /dev/uinput: \(errno)") }
        // From <linux/uinput.h>: UI_SET_EVBIT, UI_SET_KEYBIT, UI_DEV_SETUP, UI_DEV_CREATE, UI_GET_SYSNAME(64).
        _ = ioctl(descriptor, 0x4004_5564, 1 as CInt)
        for key in keys { _ = ioctl(descriptor, 0x4004_5565, CInt(key)) }
        // struct uinput_setup: bus, vendor, product, version (16 bit each), name (80), ff_effects_max.
        var setup = [UInt8](repeating: 0, count: 92)
        setup[0] = 3
        setup.replaceSubrange(8..<14, with: Array("button".utf8))
        guard ioctl(descriptor, 0x405C_5503, &setup) == 0, ioctl(descriptor, 0x5501, 0 as CInt) == 0 else {
            throw Broken(what: "uinput: \(errno)")
        }
        var name = [UInt8](repeating: 0, count: 64)
        guard ioctl(descriptor, 0x8040_552C, &name) >= 0 else { throw Broken(what: "uinput name: \(errno)") }
        let folder = "/sys/devices/virtual/input/" + String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
        let event = try FileManager.default.contentsOfDirectory(atPath: folder).first {
            $0.hasPrefix("event")
        }
        guard let event else { throw Broken(what: "no event device in \(folder)") }
        path = "/dev/input/" + event
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// A key's event and the report after it. 0: up, 1: down, 2: repeated.
    func send(_ key: UInt16, _ value: Int32) throws {
        try write(type: 1, code: key, value: value)
        try write(type: 0, code: 0, value: 0)
    }

    private func write(type: UInt16, code: UInt16, value: Int32) throws {
        var event = [UInt8](repeating: 0, count: 16)  // the time, which the kernel fills in
        for field in [type, code] { withUnsafeBytes(of: field) { event += Array($0) } }
        withUnsafeBytes(of: value) { event += Array($0) }
        guard Glibc.write(descriptor, event, event.count) == event.count else {
            throw Broken(what: "write to uinput: \(errno)")
        }
    }
}
