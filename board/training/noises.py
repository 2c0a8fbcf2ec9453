"""Sounds that are not the wearer's speech, synthesised: beds that last, and single events. Each takes its randomness from `rng` alone."""

import numpy as np

RATE = 16_000


def gain(decibels):
    return 10 ** (np.asarray(decibels) / 20)


def rms(x):
    return np.sqrt(np.mean(np.asarray(x, np.float64) ** 2) + 1e-20)


def unit(x):
    return (x / rms(x)).astype(np.float32)


def loudest(x):
    return (x / (np.max(np.abs(x)) + 1e-9)).astype(np.float32)


def shaped(x, response):
    """`x` with its spectrum multiplied by `response(hertz)`."""
    hertz = np.fft.rfftfreq(len(x), 1 / RATE)
    return np.fft.irfft(np.fft.rfft(x) * response(hertz), len(x)).astype(np.float32)


def coloured(n, rng, exponent):
    """Noise whose power falls as frequency to the `exponent`, flat below 30 Hz; rms one."""
    return unit(shaped(rng.standard_normal(n), lambda f: 1 / np.maximum(f, 30) ** (exponent / 2)))


def band(x, low=None, high=None):
    def response(f):
        r = np.ones_like(f)
        if low:
            r /= np.sqrt(1 + (low / np.maximum(f, 1)) ** 4)
        if high:
            r /= np.sqrt(1 + (f / high) ** 4)
        return r

    return shaped(x, response)


def tilted(x, rng, depth):
    """A random smooth equaliser, up to ± `depth` dB, one knot per octave from 60 Hz."""
    knots = rng.uniform(-depth, depth, 8)
    return shaped(x, lambda f: gain(np.interp(np.log2(np.maximum(f, 60) / 60), np.linspace(0, 7.1, 8), knots)))


def wander(n, rng, rate, depth):
    """A slow random gain: `rate` knots a second, `depth` dB standard deviation."""
    knots = max(4, int(n / RATE * rate) + 4)
    return gain(np.interp(np.arange(n), np.linspace(0, n, knots), rng.standard_normal(knots) * depth)).astype(np.float32)


def drift(n, rng, knots, size):
    return 1 + size * np.interp(np.arange(n), np.linspace(0, n, knots), rng.standard_normal(knots))


def scatter(n, rng, gap, event):
    """Events one after another: `event()` makes one, `gap()` says how many seconds until the next begins."""
    y = np.zeros(n, np.float32)
    at = 0
    while at < n:
        e = event()
        m = min(len(e), n - at)
        y[at : at + m] += e[:m]
        at += int(gap() * RATE) + 1
    return y


# Beds


def room(n, rng):
    t = np.arange(n) / RATE
    hum = rng.choice([50, 60, 100, 120])
    y = coloured(n, rng, rng.uniform(0.6, 2.0))
    for k in range(1, 4):
        y = y + rng.uniform(0, 0.25) * np.sin(2 * np.pi * hum * k * t)
    return y


def fan(n, rng):
    t = np.arange(n) / RATE
    blade = rng.uniform(60, 420)
    y = coloured(n, rng, rng.uniform(0, 1.6))
    for k in range(1, rng.integers(2, 7)):
        y = y + rng.uniform(0.05, 0.6) / k * np.sin(2 * np.pi * blade * k * t + rng.uniform(0, 6))
    return y * (1 + rng.uniform(0, 0.4) * np.sin(2 * np.pi * rng.uniform(0.3, 12) * t))


def hiss(n, rng):
    return band(rng.standard_normal(n), rng.uniform(50, 1500), rng.uniform(2000, 8000))


def wind(n, rng):
    low = coloured(n, rng, rng.uniform(1.6, 3)) * wander(n, rng, rng.uniform(0.4, 4), rng.uniform(3, 7))
    return low + 0.1 * coloured(n, rng, 0.8) * wander(n, rng, rng.uniform(0.4, 3), 6)


def gusts(n, rng):
    y = band(rng.standard_normal(n), rng.uniform(100, 400), rng.uniform(500, 2000))
    return y * wander(n, rng, rng.uniform(0.3, 2), rng.uniform(2, 5))


def waves(n, rng):
    t = np.arange(n) / RATE
    swell = rng.uniform(4, 9) * np.sin(2 * np.pi * rng.uniform(0.08, 0.4) * t + rng.uniform(0, 6))
    return coloured(n, rng, rng.uniform(0.3, 1.4)) * gain(swell)


def rustle(n, rng):
    def burst():
        m = int(rng.uniform(0.04, 0.45) * RATE)
        return (rng.standard_normal(m) * np.hanning(m) ** rng.uniform(0.3, 2) * gain(rng.uniform(-20, 0))).astype(np.float32)

    bursts = scatter(n, rng, lambda: rng.uniform(0.05, 1.2), burst)
    if rng.random() < 0.7:
        bursts = band(bursts, rng.uniform(100, 2000), rng.uniform(2500, 8000))
    return coloured(n, rng, 0.6) * rng.uniform(0.01, 0.08) + bursts


def clatter(n, rng):
    rate = rng.uniform(0.8, 7)

    def clang():
        t = np.arange(int(rng.uniform(0.05, 0.5) * RATE)) / RATE
        s = rng.uniform(0, 1) * rng.standard_normal(len(t)) * np.exp(-t / rng.uniform(0.003, 0.04))
        for _ in range(rng.integers(2, 7)):
            ring = np.exp(-t / rng.uniform(0.008, 0.15))
            s += rng.uniform(0.2, 1) * np.sin(2 * np.pi * rng.uniform(400, 6500) * t + rng.uniform(0, 6)) * ring
        return (s * gain(rng.uniform(-24, 0))).astype(np.float32)

    return coloured(n, rng, 1) * 0.01 + scatter(n, rng, lambda: rng.exponential(1 / rate), clang)


def machine(n, rng):
    """A drum, a wheel, a rail: noise that comes round."""
    turn = np.cumsum(rng.uniform(0.7, 14) * drift(n, rng, 64, 0.03)) / RATE
    pulse = rng.uniform(0.05, 0.5) + (0.5 + 0.5 * np.cos(2 * np.pi * turn)) ** rng.uniform(1, 8)
    return tilted(coloured(n, rng, rng.uniform(0, 1.6)) * pulse, rng, 6)


def engine(n, rng):
    turn = np.cumsum(rng.uniform(18, 140) * drift(n, rng, 30, 0.1)) / RATE
    roll = rng.uniform(0.4, 1.2)
    y = np.zeros(n)
    for k in range(1, 25):
        y += rng.uniform(0.2, 1) / k**roll * np.sin(2 * np.pi * k * turn + rng.uniform(0, 6))
    return tilted(y * wander(n, rng, 2, 1.5) + rng.uniform(0.1, 1) * coloured(n, rng, 1), rng, 6)


def rails(n, rng):
    """Rumble, joints in pairs, now and then a squeal."""
    period = rng.uniform(0.35, 1.4)
    split = rng.uniform(0.08, 0.25)
    colour = rng.uniform(0.6, 2)

    def joint():
        m = int(rng.uniform(0.1, 0.3) * RATE)
        t = np.arange(m) / RATE
        hit = coloured(m, rng, colour) * np.exp(-t / rng.uniform(0.02, 0.06))
        y = np.zeros(m + int(split * RATE), np.float32)
        y[:m] += hit
        y[-m:] += hit * rng.uniform(0.4, 1)
        return y

    rumble = coloured(n, rng, rng.uniform(0.8, 2)) * wander(n, rng, rng.uniform(0.3, 2), 2)
    y = rumble + gain(rng.uniform(-6, 10)) * scatter(n, rng, lambda: period * rng.uniform(0.93, 1.07), joint)
    if rng.random() < 0.4:
        t = np.arange(n) / RATE
        tone = rng.uniform(600, 3500)
        squeal = np.sin(2 * np.pi * np.cumsum(tone * drift(n, rng, 40, 0.02)) / RATE) + 0.4 * np.sin(4 * np.pi * tone * t)
        y = y + rng.uniform(0.1, 0.8) * squeal * np.clip(wander(n, rng, 1, 12), 0, 1.5)
    return y


def rain(n, rng):
    y = np.zeros(n, np.float32)
    drops = int(n / RATE * rng.uniform(30, 900))
    y[rng.integers(0, n, drops)] = rng.standard_normal(drops) * rng.exponential(1, drops)
    return band(y, rng.uniform(200, 1500), rng.uniform(3000, 8000)) + rng.uniform(0, 0.02) * coloured(n, rng, 0.5)


def animals(n, rng):
    """Birds, and in a lower voice things that bark and mew: sweeps with some harmonics, repeated."""
    low = rng.random() < 0.35
    harmonics = rng.integers(2, 7) if low else 1

    def call():
        t = np.arange(int(rng.uniform(0.04, 0.4) * RATE)) / RATE
        base, sweep = (rng.uniform(250, 900), rng.uniform(-150, 150)) if low else (rng.uniform(1500, 6000), rng.uniform(-1500, 1500))
        pitch = base + sweep * t / t[-1] + rng.uniform(0, 0.1) * base * np.sin(2 * np.pi * rng.uniform(5, 40) * t)
        phase = 2 * np.pi * np.cumsum(pitch) / RATE
        one = sum(np.sin(k * phase) / k for k in range(1, harmonics + 1)) * np.hanning(len(t)) ** rng.uniform(0.3, 1)
        pause = np.zeros(int(rng.uniform(0.02, 0.15) * RATE))
        return (np.tile(np.concatenate([one, pause]), rng.integers(1, 5)) * gain(rng.uniform(-20, 0))).astype(np.float32)

    return 0.02 * coloured(n, rng, 1) + scatter(n, rng, lambda: rng.exponential(1.2) + 0.2, call)


def beeps(n, rng):
    tone = rng.uniform(400, 4000)
    length, gap = rng.uniform(0.05, 0.6), rng.uniform(0.05, 1.0)
    square = rng.random() < 0.5

    def beep():
        nonlocal tone
        if rng.random() < 0.3:
            tone = rng.uniform(400, 4000)
        t = np.arange(int(length * RATE)) / RATE
        s = np.sin(2 * np.pi * tone * t)
        return ((np.sign(s) * 0.5 + 0.5 * s if square else s) * np.minimum(1, (len(t) - np.arange(len(t))) / 80)).astype(np.float32)

    return 0.003 * coloured(n, rng, 1) + scatter(n, rng, lambda: length + gap, beep)


def music(n, rng):
    """Voices that play random notes of one scale, with overtones, chords, vibrato and perhaps drums."""
    beat = rng.uniform(0.18, 0.6)
    scale = np.array([0, 2, 4, 5, 7, 9, 11] if rng.random() < 0.5 else [0, 2, 3, 5, 7, 8, 10])
    root = rng.uniform(55, 220)
    y = 1e-3 * rng.standard_normal(n).astype(np.float32)
    for _ in range(rng.integers(1, 4)):
        octave, overtones, roll = 2 ** rng.integers(0, 3), rng.integers(3, 14), rng.uniform(0.6, 2)
        attack, decay, loud = rng.uniform(0.003, 0.08), rng.uniform(0.15, 2.5), rng.uniform(0.3, 1)
        chord = 3 if rng.random() < 0.4 else 1
        vibrato = rng.uniform(0, 0.012) if rng.random() < 0.4 else 0
        at = 0
        while at < n:
            length = int(beat * rng.choice([0.5, 1, 1, 2, 4]) * RATE)
            m = min(int(length * rng.uniform(0.8, 1.5)), n - at)
            if rng.random() < 0.85:
                t = np.arange(m) / RATE
                shape = np.minimum(1, t / attack) * np.exp(-t / decay) * np.minimum(1, (m - np.arange(m)) / 200) * loud
                note = np.zeros(m, np.float32)
                degree = rng.integers(7)
                for c in range(chord):
                    pitch = root * octave * 2 ** (scale[(degree + 2 * c) % 7] / 12)
                    phase = 2 * np.pi * pitch * (t + vibrato / 33 * np.sin(2 * np.pi * 5.3 * t))
                    for k in range(1, min(overtones, int(7500 / pitch) + 1)):
                        note += (np.sin(k * phase) / k**roll).astype(np.float32)
                y[at : at + m] += (note * shape).astype(np.float32)
            at += length
    if rng.random() < 0.6:
        y += drums(n, rng, beat)
    return y


def drums(n, rng, beat):
    step = -1

    def stroke():
        nonlocal step
        step += 1
        m = int(0.2 * RATE)
        t = np.arange(m) / RATE
        s = 0.2 * np.diff(rng.standard_normal(m + 1)) * np.exp(-t / 0.02)
        if step % 4 == 0:
            s += 1.5 * np.sin(2 * np.pi * (50 * t + 1.5 * (1 - np.exp(-t / 0.03)))) * np.exp(-t / 0.1)
        if step % 4 == 2:
            s += 0.7 * rng.standard_normal(m) * np.exp(-t / 0.06)
        return s.astype(np.float32)

    return scatter(n, rng, lambda: beat / 2, stroke)


BEDS = dict(
    room=room, fan=fan, hiss=hiss, wind=wind, gusts=gusts, waves=waves, rustle=rustle, clatter=clatter, machine=machine,
    engine=engine, rails=rails, rain=rain, animals=animals, beeps=beeps, music=music)


# Single events, loudest sample one


def slam(rng):
    n = int(rng.uniform(0.25, 0.7) * RATE)
    t = np.arange(n) / RATE
    y = coloured(n, rng, rng.uniform(0.8, 2.2)) * np.exp(-t / rng.uniform(0.02, 0.16))
    for _ in range(rng.integers(1, 4)):
        y = y + rng.uniform(0.2, 1) * np.sin(2 * np.pi * rng.uniform(45, 400) * t + rng.uniform(0, 6)) * np.exp(-t / rng.uniform(0.03, 0.15))
    if rng.random() < 0.5:  # the latch
        later = int(rng.uniform(0.03, 0.25) * RATE)
        y[later:] += rng.uniform(0.3, 1) * y[:-later].copy()
    return loudest(y * np.minimum(1, np.arange(n) / rng.uniform(8, 200)) * np.minimum(1, (n - np.arange(n)) / 800))


def knock(rng):
    t = np.arange(int(0.12 * RATE)) / RATE
    y = np.sin(2 * np.pi * rng.uniform(120, 2500) * t) * np.exp(-t / rng.uniform(0.004, 0.03))
    return loudest(y + rng.uniform(0, 1) * rng.standard_normal(len(t)) * np.exp(-t / rng.uniform(0.001, 0.012)))


# What happens to a voice on its way


def reverberation(rng, decay, direct_to_reverberant):
    """An impulse response: the direct sound and exponentially falling noise, `decay` seconds to -60 dB."""
    n = int(min(0.9, decay * 1.1) * RATE)
    h = rng.standard_normal(n) * np.exp(-6.9 * np.arange(n) / RATE / decay)
    if rng.random() < 0.7:
        h[: int(rng.uniform(0.001, 0.012) * RATE)] = 0
        h = band(h, None, rng.uniform(2500, 9000))
    h = h / np.sqrt(np.sum(h**2)) * gain(-direct_to_reverberant / 2)
    h[0] += gain(direct_to_reverberant / 2)
    return (h / np.sqrt(np.sum(h**2))).astype(np.float32)


def muffled(x, rng):
    """Through cloth: from some corner on the higher, the weaker, by 6 to 18 dB an octave."""
    corner, slope = np.exp(rng.uniform(np.log(500), np.log(2500))), rng.uniform(1, 3)
    return shaped(x, lambda f: (1 + (f / corner) ** 2) ** (-slope / 2))


def whispered(x, rng):
    """Speech with its voice taken out: the smoothed spectrum of each 32 ms excites noise, the low end lowered."""
    size, hop = 512, 128
    count = (len(x) - size) // hop
    if count < 4:
        return x
    window = np.hanning(size)
    frames = x[np.arange(count)[:, None] * hop + np.arange(size)] * window
    power = np.abs(np.fft.rfft(frames, axis=1)) ** 2
    smooth = np.apply_along_axis(lambda p: np.convolve(np.pad(p, 5, mode="edge"), np.full(11, 1 / 11), "valid"), 1, power)
    hertz = np.fft.rfftfreq(size, 1 / RATE)
    envelope = np.sqrt(smooth) * np.minimum(1, hertz / 500) * gain(np.clip((hertz - 500) / 500, 0, 8) * 0.8)
    noise = rng.standard_normal(envelope.shape) + 1j * rng.standard_normal(envelope.shape)
    pieces = np.fft.irfft(envelope * noise, axis=1) * window
    y = np.zeros(len(x))
    for i, piece in enumerate(pieces):
        y[i * hop : i * hop + size] += piece
    return unit(y) * rms(x)
