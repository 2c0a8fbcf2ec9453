import AudioFiles

/// Whether a stored recording is what a file holds.
///
/// The waves of a lossy copy differ (Opus alone correlates as low as 0.80 with its original), their
/// log-spectrograms hardly do (40 clips of real speech: never below 0.94, median 0.97), so that is what counts.
package struct AudioComparison: Equatable, Sendable {
    /// Where the recording begins in the file, seconds; negative when it began before the file's sound.
    package let offsetSeconds: Double
    /// The recording's length.
    package let recordingSeconds: Double
    /// The file's length.
    package let fileSeconds: Double
    /// Rate and channels are equal, and from the offset on so is every sample; where the file has none, silence.
    package let identical: Bool
    /// Pearson's r over all cells of the two log-spectrograms, over the whole recording.
    package let correlation: Double

    /// The least correlation that counts as the same sound.
    package static let enough = 0.90

    /// The recording is the file's sound.
    package var same: Bool { identical || correlation >= Self.enough }

    /// Nil when either is shorter than one frame of 25 ms, or silent.
    package init?(recording: PCM, file: PCM) {
        let part = ComparedSound(recording)
        let whole = ComparedSound(file)
        guard part.samples.count >= LogSpectrogram.frame, whole.samples.count >= LogSpectrogram.frame,
            let lag = Alignment.lag(of: part, in: whole)
        else { return nil }
        recordingSeconds = recording.seconds
        fileSeconds = file.seconds
        // A file that has ended is silent, as the microphone is that played it.
        let beside = part.samples.indices.map { index in
            let at = index + lag
            return whole.samples.indices.contains(at) ? whole.samples[at] : 0
        }
        let cells = LogSpectrogram().cells(part.samples, beside)
        correlation = Correlation.pearson(cells.a, cells.b)
        let exact = Self.exactOffset(recording, file, near: lag)
        identical = exact != nil
        offsetSeconds =
            exact.map { Double($0) / Double(file.rate) } ?? Double(lag) / Double(ComparedSound.rate)
    }

    /// The offset in frames at which every sample is equal; nil when there is none within 2 ms of the lag.
    private static func exactOffset(_ recording: PCM, _ file: PCM, near lag: Int) -> Int? {
        guard recording.rate == file.rate, recording.channels == file.channels else { return nil }
        let near = lag * file.rate / ComparedSound.rate
        let reach = file.rate / 500
        let nearest = (near - reach...near + reach).sorted { abs($0 - near) < abs($1 - near) }
        return nearest.first { offset in
            let shift = offset * file.channels
            return recording.samples.indices.allSatisfy { index in
                let at = index + shift
                return recording.samples[index] == (file.samples.indices.contains(at) ? file.samples[at] : 0)
            }
        }
    }
}
