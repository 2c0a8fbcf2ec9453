import Hardware
import Threads

/// Opening, in order: open, configure, start. Each takes the state it comes from and returns the one it leads to.
extension CaptureThread {
    /// The names to be tried, best first. `hw:` gives the device's own frames and our own resampler; `plughw:` is
    /// there for formats that we do not read. Any other name is taken as it is.
    static func candidates(_ settings: CaptureSettings) -> [String] {
        let name = settings.device
        return settings.configuration == nil && name.hasPrefix("hw:") ? [name, "plug" + name] : [name]
    }

    func open(_ state: consuming State) -> State {
        switch consume state {
        case .closed: return openDevice()
        case .opened: return outOfOrder(.open)
        case .configured: return outOfOrder(.open)
        case .started: return outOfOrder(.open)
        }
    }

    private func openDevice() -> State {
        do {
            let name = Self.candidates(settings)[0]
            let device = try CaptureDevice(name: name, configuration: settings.configuration)
            report(.done(.open, at: MonotonicClock.now))
            return .opened(device)
        } catch {
            return failed(.open, error.fault(device: settings.device, wasOpen: false))
        }
    }

    func configure(_ state: consuming State) -> State {
        do {
            switch consume state {
            case .opened(let device):
                return try negotiate(device)
            case .closed: return outOfOrder(.configure)
            case .configured: return outOfOrder(.configure)
            case .started: return outOfOrder(.configure)
            }
        } catch {
            return failed(.configure, error.fault(device: settings.device, wasOpen: true))
        }
    }

    /// Tries the open device, then the other candidates.
    private func negotiate(_ device: consuming CaptureDevice) throws(ALSAError) -> State {
        let first = try device.configure(rate: settings.rate, channels: settings.channels)
        if let first {
            return configured(try Capture(device, format: first, settings: settings, sink: sink))
        }
        let offered = device.offered()
        _ = consume device  // two handles on one card would exclude each other
        for name in Self.candidates(settings).dropFirst() {
            let other = try CaptureDevice(name: name, configuration: settings.configuration)
            let format = try other.configure(rate: settings.rate, channels: settings.channels)
            if let format {
                return configured(try Capture(other, format: format, settings: settings, sink: sink))
            }
        }
        return failed(.configure, .unsupported(device: settings.device, offered: offered))
    }

    private func configured(_ capture: consuming Capture) -> State {
        report(.done(.configure, at: MonotonicClock.now))
        return .configured(capture)
    }

    func start(_ state: consuming State) -> State {
        switch consume state {
        case .configured(let capture):
            do {
                try capture.device.start()
            } catch {
                return failed(.start, error.fault(device: settings.device, wasOpen: true))
            }
            let now = MonotonicClock.now
            report(.done(.start, at: now))
            return .started(capture, at: now)
        case .closed: return outOfOrder(.start)
        case .opened: return outOfOrder(.start)
        case .started: return outOfOrder(.start)
        }
    }
}
