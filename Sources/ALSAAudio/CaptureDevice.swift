import CALSA
import Glibc

/// An open capture PCM. Closing it is the end of its life. Owned by one thread; no call blocks but those said to.
struct CaptureDevice: ~Copyable {
    let pcm: OpaquePointer
    /// The ALSA name that was opened.
    let name: String

    /// Opens `name`, by the machine's ALSA configuration, or by `configuration` alone (ALSA configuration syntax,
    /// in which nothing else is known). May block while a driver powers the device up.
    init(name: String, configuration: String?) throws(ALSAError) {
        _ = lapel_alsa_quiet()
        var handle: OpaquePointer?
        if let configuration {
            var top: OpaquePointer?
            try check("read its configuration", snd_config_load_string(&top, configuration, 0))
            defer { snd_config_delete(top) }
            try check(
                "be opened", snd_pcm_open_lconf(&handle, name, SND_PCM_STREAM_CAPTURE, SND_PCM_NONBLOCK, top))
        } else {
            try check("be opened", snd_pcm_open(&handle, name, SND_PCM_STREAM_CAPTURE, SND_PCM_NONBLOCK))
        }
        guard let handle else { throw ALSAError(operation: "be opened", code: -ENODEV) }
        self.pcm = handle
        self.name = name
    }

    deinit { snd_pcm_close(pcm) }

    /// Frames begin to move into the buffer. None is read.
    borrowing func start() throws(ALSAError) { try check("be started", snd_pcm_start(pcm)) }

    /// Drops what is in the buffer and stops.
    borrowing func stop() { snd_pcm_drop(pcm) }

    /// Ready to be started again.
    borrowing func prepare() throws(ALSAError) { try check("be prepared", snd_pcm_prepare(pcm)) }

    /// Goes on after the system slept; false when the driver cannot and the device is to be prepared anew.
    borrowing func resume() -> Bool { snd_pcm_resume(pcm) == 0 }

    borrowing func state() -> snd_pcm_state_t { snd_pcm_state(pcm) }

    /// Frames ready to be read.
    borrowing func available() throws(ALSAError) -> Int {
        let frames = snd_pcm_avail_update(pcm)
        guard frames >= 0 else { throw ALSAError(operation: "be read", code: Int32(frames)) }
        return frames
    }

    /// Reads up to `frames`; 0 when none is there.
    borrowing func read(into buffer: UnsafeMutableRawPointer, frames: Int) throws(ALSAError) -> Int {
        let read = snd_pcm_readi(pcm, buffer, snd_pcm_uframes_t(frames))
        guard read >= 0 else {
            if read == -Int(EAGAIN) { return 0 }
            throw ALSAError(operation: "be read", code: Int32(read))
        }
        return read
    }
}
