import DurableFiles
import GPIOPanel
import Glibc
import Hardware
import Identity
import InputButton
import SystemFiles

/// Why a part of the device cannot be had, and what mends it.
struct Obstacle: Error, Equatable, Sendable {
    let text: String
    let mend: String

    init(_ text: String, mend: String) {
        self.text = text
        self.mend = mend
    }
}

extension Obstacle {
    /// What a machine without the parts of a board can do.
    static let simulate = "without hardware, `lapel run --simulate --mic FILE.wav` is the device"

    init(_ error: GPIOError) {
        switch error {
        case .noChip:
            self.init(
                "This machine has no GPIO chip (/dev/gpiochip*).",
                mend: "Set `button = input:PATH:KEY_…` for a button of another kind; \(Self.simulate).")
        case .missingLine(let name, let existing) where existing.isEmpty:
            self.init(
                "There is no GPIO line named \(name): no line of this machine has a name.",
                mend: "Write it as LABEL:OFFSET, as `gpioinfo` shows them.")
        case .missingLine(let name, let existing):
            self.init(
                "There is no GPIO line named \(name).",
                mend:
                    "Set one that `gpioinfo` lists; nearest: \(Spelling.nearest(to: name, among: existing.map(\.name)).joined(separator: ", "))."
            )
        case .missingChip(let label, let existing):
            self.init(
                "There is no GPIO chip labelled \(label).",
                mend: "Set one of those that there are: \(existing.joined(separator: ", ")).")
        case .missingOffset(let chip, let offset, let lines):
            self.init("The GPIO chip \(chip) has no line \(offset).", mend: "Set one of 0 to \(lines - 1).")
        case .busy(let line, let consumer):
            self.init(
                "The GPIO line \(line) is held by \(consumer).",
                mend:
                    "Stop that program, remove the device tree overlay that claims the line, or set another line."
            )
        case .denied(let path, let remedy):
            self.init("The GPIO chip \(path) may not be opened.", mend: remedy)
        case .failed:
            self.init(error.description, mend: "`gpioinfo` shows how the line stands; try another line.")
        }
    }

    init(_ error: InputError) {
        switch error {
        case .unknownKey: self.init(error.description, mend: "Set `button` to a key by its name.")
        case .missing(let path):
            self.init(
                "There is no input device \(path).",
                mend:
                    "Plug it in or switch it on; `ls /dev/input/by-path /dev/input/by-id` lists what there is."
            )
        case .denied(let path, let remedy):
            self.init("The input device \(path) may not be opened.", mend: remedy)
        case .noSuchKey(let path, let key, let offered):
            self.init(
                "The input device \(path) has no \(key).",
                mend: offered.isEmpty
                    ? "Set `button` to another input device: this one has no keys."
                    : "Set one of its keys: \(offered.prefix(24).joined(separator: ", ")).")
        case .busy(let path):
            self.init(
                "The input device \(path) is held by another program alone.",
                mend: "Stop that program, or set another button.")
        case .failed:
            self.init(error.description, mend: "Unplug it and plug it in again, or set another button.")
        }
    }

    init(_ fault: MicrophoneFault) {
        switch fault {
        case .missing(let device):
            self.init(
                "There is no microphone named \(device).",
                mend:
                    "Plug it in, or set `microphone` to a name that `arecord -L` lists; \(Self.simulate).")
        case .denied(let device, let remedy):
            self.init("The microphone \(device) may not be opened.", mend: remedy)
        case .busy(let device, let holder):
            self.init(
                "The microphone \(device) is held by \(holder ?? "another program").",
                mend: "Stop that program, or set another microphone.")
        case .unsupported(let device, let offered):
            self.init(
                "The microphone \(device) offers no format that can be recorded (\(offered)).",
                mend: "Set `microphone = plughw:…` of the same card, or use another microphone.")
        case .unplugged(let device):
            self.init("The microphone \(device) was unplugged meanwhile.", mend: "Plug it in again.")
        case .noSignal(let device):
            self.init(
                "The microphone \(device) gives no signal: every sample is the same.",
                mend:
                    "Check its wiring, its channel (I2S microphones: the L/R pin) and its mute switch (`alsamixer`)."
            )
        case .failed(let device, let operation, let reason):
            self.init(
                "The microphone \(device) could not \(operation): \(reason).",
                mend: "Unplug it and plug it in again; `dmesg | tail` tells what the kernel saw.")
        }
    }

    /// Of a file of ours that cannot be used; `mend` is for one that could be read and is not what it should be.
    init(ofFile error: any Error, mend: String) {
        switch error {
        case let error as DurableFileError: self.init(error)
        case IdentityError.unreadable(let path, _): self.init("\(error)", mend: Self.ownership(path))
        default: self.init("\(error)", mend: mend)
        }
    }

    /// It may have been made by a command that was run as another user.
    private static func ownership(_ path: String) -> String {
        let user = userName(geteuid()) ?? "\(geteuid())"
        return "If it is this device's own: `sudo chown \(user) \(path)`."
    }

    /// Of a file that cannot be written or read.
    init(_ error: DurableFileError) {
        let mend =
            switch error.code {
            case ENOSPC, EDQUOT: "Free some space on the card."
            case EIO: "Copy what is on it with `lapel outbox export DIR`, and replace it."
            case EROFS: "Check the card's lock switch and `dmesg | tail`; replace it when it is worn out."
            case EACCES, EPERM: Self.ownership(error.path)
            case ENOTDIR, EEXIST: "Remove the file that is in the way, or set another `outbox_dir`."
            default: "`dmesg | tail` tells what the kernel saw."
            }
        self.init(
            "Could not \(error.operation.verb) \(error.path): \(String(cString: strerror(error.code))).",
            mend: mend)
    }
}
