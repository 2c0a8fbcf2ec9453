"""The recordings, and the split: by speaker, by noise, by click.

`part` is "all"; or "validation", for the test, and "train", the rest; of which "choice" is for choosing figures with weights
made of "fit", the rest again.
"""

import zlib
from pathlib import Path

import numpy as np

from noises import RATE, gain, loudest, unit

VALIDATION_SHARE, CHOICE_SHARE = 220, 200  # of 1000 speakers
VALIDATION_NOISES = {
    "coffee-shop", "wind", "doing_the_dishes", "train", "restaurant", "waterfall", "laundry-room", "dog-barking"}
CHOICE_NOISES = {"cafe", "seagulls", "construction-site", "carousel", "howling-wind", "keyboard", "highway", "boiling-water"}
SONGS = {
    "all": ["macroform-cold_day", "macroform-the_simplicity", "manolo_camp-morning_coffee"],
    "train": ["macroform-cold_day", "macroform-the_simplicity"],
    "validation": ["macroform-robot_dity", "reno_project-system"],
    "fit": ["macroform-cold_day"], "choice": ["macroform-the_simplicity"]}
MUSIC = Path("/usr/share/asterisk/moh")  # Debian: asterisk-moh-opsound-wav
CLICKS = Path("/usr/share/buckle/wav")  # Debian: bucklespring-data


def _number(speaker):
    return zlib.crc32(speaker.encode()) % 1000


def is_validation(speaker):
    return _number(speaker) < VALIDATION_SHARE


def in_part(speaker, part):
    number = _number(speaker)
    own = "validation" if number < VALIDATION_SHARE else "choice" if number < VALIDATION_SHARE + CHOICE_SHARE else "fit"
    return part in ("all", own) or part == "train" and own != "validation"


def _is_noise_of(name, part):
    own = "validation" if name in VALIDATION_NOISES else "choice" if name in CHOICE_NOISES else "fit"
    return part in ("all", own) or part == "train" and own != "validation"


class Sources:
    """Phrases and whole clips by speaker, noises, music and clicks of one part; all 16 kHz, noises of rms one."""

    def __init__(self, folder, part):
        folder = Path(folder).resolve()
        import pools

        self.pools = pools
        self.part = part
        self.speakers = {k: v["ph"] for k, v in pools.speech_pool().items() if in_part(k, part)}
        self.clips = self._clips(folder)
        noises = sorted((folder / "sources/noise").iterdir()) + sorted((folder / "noise-train").glob("*.ogg"))
        self.noises = {f.stem: self._bed(f) for f in noises if _is_noise_of(f.stem, part)}
        self.music = [self._bed(MUSIC / (name + ".wav")) for name in SONGS[part]]
        clicks = [self._click(f) for f in sorted(CLICKS.glob("*-1.wav"))[::2]]
        self.clicks = {"train": clicks[::2], "validation": clicks[1::2], "all": clicks, "fit": clicks[::4], "choice": clicks[2::4]}[part]

    def _bed(self, file):
        x = self.pools.load(str(file))
        return unit(x - x.mean())

    def _click(self, file):
        x = self.pools.load(str(file))
        top = int(np.argmax(np.abs(x)))
        x = x[max(0, top - 80) : top + 1600].copy()
        x[-400:] *= np.linspace(1, 0, 400)
        return loudest(x)

    def _clips(self, folder):
        """By speaker: (sound of active level one, activity per 10 ms) of each clean clip, its own pauses inside."""
        clips = {}
        for file in sorted((folder / "sources/librispeech").glob("*.flac")) + sorted((folder / "sources/picovoice").glob("*.flac")):
            speaker = "pico-" + file.name[:8] if file.parent.name == "picovoice" else "ls-" + file.name.split("-")[0].split("__")[0]
            if speaker not in self.speakers:
                continue
            x = self.pools.load(str(file))
            found = self.pools.analyse(x)
            if found is None or found[0] - found[1] < 38:
                continue
            level, _, active = found
            index = np.flatnonzero(active)
            first, last = max(0, index[0] - 5), min(len(active), index[-1] + 6)
            sound = x[first * 160 : last * 160 + 240].copy()
            sound[:240] *= np.linspace(0, 1, 240)
            sound[-240:] *= np.linspace(1, 0, 240)
            clips.setdefault(speaker, []).append((sound / gain(level), active[first:last]))
        return clips
