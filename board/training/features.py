"""What the network hears: 43 inputs for each 20 ms frame of 16 kHz sound. Causal; the Swift front end is the same arithmetic.

`spectrum` is the part that looks at samples, `inputs` the part that follows floors and peaks over time. They are apart
because training shifts levels between them.
"""

import numpy as np
from scipy.signal import butter, lfilter

RATE = 16_000
HOP = 320  # samples per frame: 20 ms
WINDOW = 512  # samples per spectrum: the frame and the 12 ms before it
BANDS = 20
INPUTS = 2 * BANDS + 3
LAGS = np.arange(10, 58)  # at 4 kHz: 70 to 400 Hz

FLOOR_DOWN, FLOOR_UP = 0.25, 0.006  # share of the distance per frame
PEAK_UP, PEAK_DOWN_DB = 0.2, 0.01  # share of the distance; dB per frame
PEAK_LEAST_DB = -60.0


def mel_bank():
    """[BANDS, WINDOW/2 + 1]: triangles of equal width on the HTK mel scale, 80 Hz to 7600 Hz, each summing to one."""
    mel = lambda hertz: 2595 * np.log10(1 + hertz / 700)
    edges = 700 * (10 ** (np.linspace(mel(80.0), mel(7600.0), BANDS + 2) / 2595) - 1)
    bins = np.arange(WINDOW // 2 + 1) * RATE / WINDOW
    bank = np.zeros((BANDS, len(bins)), np.float32)
    for band, (low, centre, high) in enumerate(zip(edges, edges[1:], edges[2:])):
        triangle = np.maximum(0, np.minimum((bins - low) / (centre - low), (high - bins) / (high - centre)))
        bank[band] = triangle / triangle.astype(np.float32).sum()
    return bank


MEL = mel_bank()
HANN = (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(WINDOW) / WINDOW)).astype(np.float32)
LOWPASS = butter(4, 1500 / (RATE / 2))
POWER_OF_SINE = WINDOW * WINDOW * 0.375 / 2  # a full-scale sine sums to about 0 dB over its bins


def spectrum(sound):
    """int16 or float sound -> [frames, BANDS + 2]: band levels in dB, level in dB, periodicity. Frame t ends at (t + 1) * 20 ms."""
    if sound.dtype == np.int16:
        sound = sound.astype(np.float32) / 32768
    frames = len(sound) // HOP
    sound = sound[: frames * HOP]
    padded = np.concatenate([np.zeros(WINDOW - HOP, np.float32), sound])
    windows = padded[np.arange(frames)[:, None] * HOP + np.arange(WINDOW)] * HANN
    power = np.abs(np.fft.rfft(windows, axis=1)).astype(np.float32) ** 2 / POWER_OF_SINE
    bands = 10 * np.log10(power @ MEL.T * 8 + 1e-10)
    level = 10 * np.log10(power[:, 3:].sum(1) + 1e-10)

    slow = lfilter(*LOWPASS, sound)[::4].astype(np.float32)
    slow = np.concatenate([np.zeros(80, np.float32), slow])
    voice = slow[np.arange(frames)[:, None] * 80 + np.arange(160)]
    voice = voice - voice.mean(1, keepdims=True)
    correlation = np.fft.irfft(np.abs(np.fft.rfft(voice, 512, axis=1)) ** 2, 512, axis=1)
    unbiased = correlation[:, LAGS] * (160 / (160 - LAGS))
    periodicity = np.maximum(0, unbiased.max(1)) / (correlation[:, 0] + 1e-9)
    return np.concatenate([bands, level[:, None], periodicity[:, None]], 1).astype(np.float32)


def inputs(spectra):
    """[turns, frames, BANDS + 2] -> [turns, frames, INPUTS], the trackers starting at each turn's first frame."""
    turns, frames, _ = spectra.shape
    out = np.empty((turns, frames, INPUTS), np.float32)
    levels = spectra[:, :, : BANDS + 1].astype(np.float32)
    floor = levels[:, 0].copy()
    peak = np.maximum(levels[:, 0, BANDS], PEAK_LEAST_DB)
    for t in range(frames):
        now = levels[:, t]
        level = now[:, BANDS]
        above = now - floor
        floor += np.where(above < 0, FLOOR_DOWN, FLOOR_UP) * above
        peak = np.where(level > peak, peak + PEAK_UP * (level - peak), peak - PEAK_DOWN_DB)
        out[:, t, :BANDS] = (now[:, :BANDS] + 60) / 20
        out[:, t, BANDS : 2 * BANDS] = np.clip((now - floor)[:, :BANDS] / 10, -1, 4)
        out[:, t, 2 * BANDS] = spectra[:, t, BANDS + 1] * 2 - 1
        out[:, t, 2 * BANDS + 1] = np.clip((level - floor[:, BANDS]) / 10, -1, 4)
        out[:, t, 2 * BANDS + 2] = np.clip((level - peak) / 10, -5, 2)
    return out
