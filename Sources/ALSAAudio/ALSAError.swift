import CALSA
import Glibc
import Hardware

/// A call of libasound that failed: what it was to do, and libasound's negative code.
struct ALSAError: Error, Equatable {
    let operation: String
    let code: Int32

    /// What this means for somebody who wants to record from `device`.
    ///
    /// `ENODEV` and `EBADFD` are what the kernel answers for a device that went away; before a device was open
    /// they say that there is none.
    func fault(device: String, wasOpen: Bool) -> MicrophoneFault {
        switch -code {
        case ENODEV, EBADFD:
            wasOpen ? .unplugged(device: device) : .missing(device: device)
        case ENOENT, ENXIO:
            .missing(device: device)
        case EACCES, EPERM:
            .denied(device: device, remedy: DeviceNodes(device: device).remedy)
        case EBUSY, EAGAIN:
            .busy(device: device, holder: Holder.find(card: cardIndex(of: device))?.description)
        default:
            .failed(device: device, operation: operation, reason: String(cString: snd_strerror(code)))
        }
    }
}

/// Passes a count or zero on; throws libasound's negative answers.
@discardableResult
func check(_ operation: @autoclosure () -> String, _ result: Int32) throws(ALSAError) -> Int32 {
    guard result >= 0 else { throw ALSAError(operation: operation(), code: result) }
    return result
}
