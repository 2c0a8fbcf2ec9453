"""Training examples: 12 s as a button's microphone hears them, with a label for each 20 ms frame: does the wearer speak?

Talkers at least 12 dB below the wearer, or reverberant beyond what a worn microphone hears, are not the wearer.
Every example is a function of (seed, its number) and the sources.
"""

import multiprocessing

import numpy as np
from scipy.signal import fftconvolve, resample_poly

import noises
from features import BANDS, HOP, spectrum
from noises import RATE, gain, rms, unit, wander

SECONDS = 12
LENGTH = SECONDS * RATE
FRAMES = LENGTH // HOP
SPEEDS = [None, None, None, (9, 10), (10, 9), (19, 20), (20, 19), (6, 7), (7, 6)]


class Mixer:
    def __init__(self, sources, seed):
        self.s, self.seed, rng = sources, seed, np.random.default_rng([seed, 0])
        self.names = sorted(sources.speakers)
        self.clip_names = sorted(sources.clips)
        self.real = [sources.noises[k] for k in sorted(sources.noises)]
        often = {"music": 14, "rustle": 12, "wind": 8, "fan": 8, "room": 8, "rails": 8}
        self.made = {k: [unit(f(20 * RATE, rng)) for _ in range(often.get(k, 6))] for k, f in noises.BEDS.items()}
        self.babble = [self._babble(rng) for _ in range(14)]
        self.made["cries"] = [self._cries(rng) for _ in range(40)]

    def _babble(self, rng):
        n = 25 * RATE
        y = np.zeros(n, np.float32)
        for _ in range(rng.integers(4, 11)):  # fewer could be wearers
            talk = noises.scatter(n, rng, lambda: rng.uniform(1.2, 3.2), lambda: self._phrase(rng)[0] * gain(rng.uniform(-6, 3)))
            if rng.random() < 0.5:
                talk = fftconvolve(talk, noises.reverberation(rng, rng.uniform(0.2, 0.9), rng.uniform(-15, 3)))[:n]
            y += talk.astype(np.float32)
        return unit(y)

    def _cries(self, rng):
        """An animal that calls: one syllable of somebody, far too high or too low for anybody, again and again, most often from afar."""
        n = 20 * RATE
        phrase = self._phrase(rng)[0]
        at = int(rng.uniform(0.05, 0.95) * len(phrase))
        at = max(range(max(0, at - 4000), min(len(phrase), at + 4000), 80), key=lambda i: np.sum(phrase[i : i + 800] ** 2))
        size = int(rng.uniform(0.15, 0.5) * RATE)
        syllable = phrase[max(0, at - size // 3) : at + size]
        rate = rng.uniform(1.6, 2.4) if rng.random() < 0.75 else rng.uniform(0.42, 0.6)
        gap = np.exp(rng.uniform(np.log(0.05), np.log(0.6)))
        corner, slope = np.exp(rng.uniform(np.log(600), np.log(6000))), rng.uniform(0, 1.5)
        bout = rng.integers(1, 9)
        last = 0.0

        def call():
            nonlocal last
            step = rate * rng.uniform(0.88, 1.14)
            x = np.interp(np.arange(0, len(syllable) - 1, step), np.arange(len(syllable)), syllable)
            m = int(len(x) * rng.uniform(0.6, 1))
            u = np.arange(m) / m
            last = m / RATE
            return (x[:m] * np.minimum(1, u * 15) * (1 - u) ** rng.uniform(0.3, 1.5) * gain(rng.uniform(-8, 0))).astype(np.float32)

        def pause():
            nonlocal bout
            bout -= 1
            if bout > 0:
                return last + gap * rng.uniform(0.7, 1.4)
            bout = rng.integers(1, 9)
            return last + gap + rng.exponential(1.0)

        y = noises.scatter(n, rng, pause, call)
        y = noises.shaped(y, lambda f: (1 + (f / corner) ** 2) ** (-slope / 2))
        if rng.random() < 0.8:
            y = fftconvolve(y, noises.reverberation(rng, rng.uniform(0.15, 0.9), rng.uniform(-12, 12)))[:n].astype(np.float32)
        return unit(y + gain(rng.uniform(-60, -20)) * rms(y) * noises.coloured(n, rng, 1))

    # Speech

    def _phrase(self, rng, speaker=None, longest=None):
        speaker = speaker or self.names[rng.integers(len(self.names))]
        phrases = self.s.speakers[speaker]
        if longest:
            phrases = [p for p in phrases if len(p["x"]) < longest * RATE] or phrases
        p = phrases[rng.integers(len(phrases))]
        return p["x"] / gain(p["act"]), None, speaker

    def _clip(self, rng):
        speaker = self.clip_names[rng.integers(len(self.clip_names))]
        clips = self.s.clips[speaker]
        sound, active = clips[rng.integers(len(clips))]
        return sound, active, speaker

    def _activity(self, sound):
        """Per 10 ms: within 28 dB of the active level, as the bench's truth has it."""
        level = self.s.pools.frame_db(sound)
        active = np.zeros(len(sound) // 160 + 2, bool)
        if len(level) >= 3:
            speech = 10 * np.log10(np.mean(10 ** (level[level > np.percentile(level, 95) - 20] / 10)))
            active[np.flatnonzero(level > speech - 28) + 1] = True
        return active

    def _level(self, sound):
        """Active level in dB."""
        level = self.s.pools.frame_db(sound)
        return 10 * np.log10(np.mean(10 ** (level[level > np.percentile(level, 95) - 20] / 10)))

    def talk(self, rng, start, end, short=False, whole=False, inside=False):
        """One speaker from `start` until about `end` seconds -> sound, activity per 10 ms. `inside`: begins within a phrase."""
        y, active = np.zeros(LENGTH, np.float32), np.zeros(LENGTH // 160 + 1, bool)
        speed, speaker, at = SPEEDS[rng.integers(len(SPEEDS))], None, int(start * 100) * 160
        while at < end * RATE and at < LENGTH - 4000:
            if speaker is None and whole:
                sound, mask, speaker = self._clip(rng)
            else:
                sound, mask, speaker = self._phrase(rng, speaker, 1.4 if short else None)
            mask = self._activity(sound) if mask is None else mask
            if speed:
                up, down = speed
                sound = resample_poly(sound, up, down).astype(np.float32)
                mask = mask[np.minimum((np.arange(int(np.ceil(len(mask) * up / down))) * down / up).astype(int), len(mask) - 1)]
            if inside and len(sound) > RATE:
                skip = int(rng.uniform(0, 0.5) * len(sound)) // 160
                sound, mask, inside = sound[skip * 160 :], mask[skip:], False
            m = min(len(sound), LENGTH - at)
            y[at : at + m] += sound[:m] * gain(rng.uniform(-2, 2))
            mask = mask[: min(len(mask), m // 160, len(active) - at // 160)]
            active[at // 160 : at // 160 + len(mask)] |= mask
            if short:
                break
            at = (at + m + int(np.exp(rng.uniform(np.log(0.25), np.log(3))) * RATE)) // 160 * 160
        return y, active

    def far(self, rng, start, end):
        """A talker across the room: mostly reverberation; rms one where it sounds."""
        y, _ = self.talk(rng, start, end)
        h = noises.reverberation(rng, rng.uniform(0.25, 0.9), rng.uniform(-18, -4))
        y = fftconvolve(y, h)[:LENGTH].astype(np.float32)
        if rng.random() < 0.5:
            y = noises.tilted(y, rng, 6)
        sounding = np.abs(y) > 1e-4
        return y / (rms(y[sounding]) + 1e-9) if sounding.any() else y

    def wearer(self, rng, level):
        """-> sound of active level one, activity, when it ends (s)."""
        short, whole, at_once = rng.random() < 0.25, rng.random() < 0.4, rng.random() < 0.25
        start = rng.uniform(0, 0.1) if at_once else rng.uniform(0.2, 3.5)
        end = start + (1 if short else rng.uniform(1, 6))
        y, active = self.talk(rng, start, end, short, whole and not short, at_once and rng.random() < 0.6)
        if rng.random() < 0.06:
            y = noises.whispered(y, rng)
        if rng.random() < 0.5:
            y = noises.tilted(y, rng, rng.uniform(0, 7))
        if rng.random() < 0.12:
            y = noises.band(y, rng.uniform(80, 350), rng.uniform(3300, 8000))
        room, cloth = rng.random(), rng.random()
        echoes = room < 0.1 and level > -38  # a small hard room: echo as from afar, but the voice is as loud as a wearer's
        if echoes:
            y = fftconvolve(y, noises.reverberation(rng, rng.uniform(0.3, 1.0), rng.uniform(-6, 5)))[:LENGTH].astype(np.float32)
        elif room < 0.38:
            y = fftconvolve(y, noises.reverberation(rng, rng.uniform(0.12, 0.6), rng.uniform(4, 18)))[:LENGTH].astype(np.float32)
        if cloth < (0.4 if echoes else 0.08):
            y = noises.muffled(y, rng)
            y /= gain(self._level(y))
        return y, active, end

    # What is not the wearer

    def bed(self, rng, n, kind=None):
        kind = kind or rng.choice(["real", "made", "music", "babble", "cries"], p=[0.43, 0.26, 0.12, 0.14, 0.05])
        if kind == "real":
            x = self.real[rng.integers(len(self.real))]
        elif kind == "babble":
            x = self.babble[rng.integers(len(self.babble))]
        elif kind == "music" and rng.random() < 0.5:
            x = self.s.music[rng.integers(len(self.s.music))]
        else:
            made = self.made[kind if kind in self.made else sorted(self.made)[rng.integers(len(self.made))]]
            x = made[rng.integers(len(made))]
        start = rng.integers(len(x))
        y = np.take(x, np.arange(start, start + int(1.3 * n)), mode="wrap")
        if kind in ("real", "cries") and rng.random() < 0.4:  # another size of the same thing
            y = np.interp(np.arange(n) * rng.uniform(0.8, 1.25), np.arange(len(y)), y).astype(np.float32)
        y = y[:n]
        if rng.random() < 0.5:
            y = noises.tilted(y, rng, rng.uniform(0, 8))
        return y if kind == "rustle" else unit(y)

    def background(self, rng, quiet):
        y = np.zeros(LENGTH, np.float32)
        if rng.random() > 0.03:
            y += self.bed(rng, LENGTH, rng.choice(["fan", "room", "hiss"]) if quiet else None)
        if rng.random() < 0.2:
            y += self.bed(rng, LENGTH) * gain(rng.uniform(-15, 0))
        t, change = np.arange(LENGTH) / RATE, rng.random()
        if change < 0.15:  # a step
            y *= gain(np.where(t < rng.uniform(0.3, 10.5), 0, rng.uniform(5, 16) * rng.choice([1, 1, 1, -1]))).astype(np.float32)
        elif change < 0.28:  # a ramp
            a, b = np.sort(rng.uniform(0, 11, 2))
            y *= gain(rng.uniform(6, 18) * rng.choice([1, 1, -1]) * np.clip((t - a) / (b - a + 0.3), 0, 1)).astype(np.float32)
        elif change < 0.34:
            y *= wander(LENGTH, rng, rng.uniform(0.2, 2), 3)
        return y

    def events(self, rng, level):
        y = np.zeros(LENGTH, np.float32)

        def put(x, at, decibels):
            at = int(at * RATE)
            m = min(len(x), LENGTH - at)
            y[at : at + m] += x[:m] * gain(decibels)

        click = lambda: self.s.clicks[rng.integers(len(self.s.clicks))] if rng.random() < 0.55 else noises.knock(rng)
        if rng.random() < 0.35:  # the button itself
            put(click(), rng.uniform(0, 0.06), rng.uniform(-24, -1))
        if rng.random() < 0.12:
            for _ in range(rng.integers(1, 12)):
                put(click(), rng.uniform(0, 11.5), rng.uniform(-45, -3))
        if rng.random() < 0.25:
            for _ in range(rng.integers(1, 5)):
                put(noises.slam(rng), rng.uniform(0.3, 11.2), rng.uniform(-40, -1))
        if rng.random() < 0.15:
            x = self.bed(rng, int(rng.uniform(0.5, 5) * RATE), "rustle")
            put(x * np.hanning(len(x)) ** 0.3, rng.uniform(0, 9), level + rng.uniform(-25, 0))
        if rng.random() < 0.2:
            kind = rng.choice(["clatter", "beeps", "machine", "gusts", "animals", "cries", "real", "real"])
            x = self.bed(rng, int(rng.uniform(0.3, 5) * RATE), kind)
            put(x * np.minimum(1, (len(x) - np.arange(len(x))) / 800), rng.uniform(0, 9), level + rng.uniform(-28, -3))
        if rng.random() < 0.18:
            at = rng.uniform(0, 9) if rng.random() < 0.6 else 0
            x = self.bed(rng, LENGTH - int(at * RATE), "music")
            put(x * np.minimum(1, np.arange(len(x)) / (rng.uniform(0.001, 1.5) * RATE)), at, level + rng.uniform(-26, -6))
        return y

    def example(self, number):
        """-> (spectra [FRAMES, BANDS + 2] float16, speech [FRAMES] bool, weight [FRAMES] float16)."""
        rng = np.random.default_rng([self.seed, 1, number])
        speaks = rng.random() < 0.66
        level = rng.uniform(-55, -40) if rng.random() < 0.2 else rng.uniform(-42, -14)
        how = rng.random()
        snr = rng.uniform(28, 45) if how < 0.33 else rng.uniform(-3, 28) if how < 0.82 else rng.uniform(-4, 9)
        speech, active, end = np.zeros(LENGTH, np.float32), np.zeros(LENGTH // 160, bool), 0
        if speaks:
            speech, active, end = self.wearer(rng, level)
            speech *= gain(level).astype(np.float32)
        else:
            level, snr = rng.uniform(-45, -20), 0
        bed = level - snr if speaks else rng.uniform(-75, -24)
        other = self.background(rng, speaks and snr > 28 and rng.random() < 0.7) * gain(bed)
        other += self.events(rng, level)
        far = np.zeros(LENGTH, np.float32)
        if rng.random() < (0.28 if speaks else 0.5):
            start = rng.uniform(min(end, 9), 11) if speaks and rng.random() < 0.7 else rng.uniform(0, 10)
            loud = level + rng.uniform(-28, -12) if speaks else rng.uniform(-62, -36)
            far = self.far(rng, start, start + rng.uniform(2, 12)) * gain(loud)
        sound = speech + other + far
        if rng.random() < 0.15:
            sound = sound * wander(LENGTH, rng, rng.uniform(0.1, 0.5), 2)
        if rng.random() < 0.05:  # the microphone under cloth
            sound = noises.muffled(sound, rng)
        if rng.random() < 0.03:  # clipped at a gain set too high
            sound = np.clip(sound * gain(rng.uniform(6, 20)), -1, 1) * gain(rng.uniform(-12, 0))
        spectra = spectrum(np.round(np.clip(sound, -1, 1) * 32767).astype(np.int16))

        label = active[: LENGTH // 160].reshape(FRAMES, 2).any(1)
        power = lambda x: (x.astype(np.float64).reshape(FRAMES, HOP) ** 2).mean(1)
        clear = 10 * np.log10((power(speech) + 1e-12) / (power(other + far) + 1e-12))
        across = (power(far) > 1e-11) & ~label
        weight = np.where(label & (clear < -6), 0.25, np.where(across, 2, 1))
        weight[:2] = 0
        return spectra.astype(np.float16), label, weight.astype(np.float16)


_mixer = None


def _example(number):
    return _mixer.example(number)


def mixtures(sources, seed, count, workers=2):
    """-> (spectra, speech, weight) of `count` examples. The same whatever the number of workers."""
    global _mixer
    _mixer = Mixer(sources, seed)
    spectra = np.empty((count, FRAMES, BANDS + 2), np.float16)
    speech = np.empty((count, FRAMES), bool)
    weight = np.empty((count, FRAMES), np.float16)
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        for i, made in enumerate(pool.imap(_example, range(count), 16)):
            spectra[i], speech[i], weight[i] = made
    return spectra, speech, weight
