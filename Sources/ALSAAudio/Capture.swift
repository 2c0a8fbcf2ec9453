import CALSA
import Glibc
import Hardware
import Threads

/// A device that is set up, with all that reading it needs.
struct Capture: ~Copyable {
    let device: CaptureDevice
    let format: DeviceFormat
    let chain: CaptureChain

    /// Allocates everything a capture will need.
    init(
        _ device: consuming CaptureDevice, format: DeviceFormat, settings: CaptureSettings,
        sink: any AudioSink
    ) throws(ALSAError) {
        chain = try CaptureChain(format: format, settings: settings, sink: sink)
        self.device = device
        self.format = format
    }

    /// The device alone.
    consuming func release() -> CaptureDevice { device }
}

/// What `poll` waits for while a device is read: the mailbox first, then the device's descriptors.
final class PollSet {
    private let descriptors: UnsafeMutablePointer<pollfd>
    private let count: Int

    init(_ device: borrowing CaptureDevice, mailbox: Mailbox<CaptureCommand>) {
        let own = max(Int(snd_pcm_poll_descriptors_count(device.pcm)), 0)
        descriptors = .allocate(capacity: own + 1)
        descriptors.initialize(repeating: pollfd(), count: own + 1)
        descriptors[0] = pollfd(fd: mailbox.wakeUp.descriptor, events: Int16(POLLIN), revents: 0)
        count = 1 + max(Int(snd_pcm_poll_descriptors(device.pcm, descriptors + 1, UInt32(own))), 0)
    }

    deinit { descriptors.deallocate() }

    /// Sleeps until there is something to do, at most `timeout`. True when a command waits.
    func wait(_ timeout: Duration) -> Bool {
        let ready = poll(descriptors, nfds_t(count), timeout.pollTimeout)
        return ready > 0 && descriptors[0].revents != 0
    }

    /// Tells libasound what `poll` saw: a plugin translates its descriptors, and some clear them by it.
    func acknowledge(_ device: borrowing CaptureDevice) {
        var events: UInt16 = 0
        snd_pcm_poll_descriptors_revents(device.pcm, descriptors + 1, UInt32(count - 1), &events)
    }
}
