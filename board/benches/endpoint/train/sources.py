"""The recordings, and the split: by speaker, by noise, by click. `part` is "train", "validation" or "all"."""

import sys
import zlib
from pathlib import Path

import numpy as np

from noises import RATE, gain, loudest, unit

VALIDATION_SHARE = 220  # of 1000 speakers
VALIDATION_NOISES = {  # never in the part "train"
    "coffee-shop", "wind", "doing_the_dishes", "train", "restaurant", "waterfall", "laundry-room", "dog-barking"}
TRAINING_MUSIC = {"train": ["macroform-cold_day", "macroform-the_simplicity"]}
TRAINING_MUSIC["all"] = TRAINING_MUSIC["train"] + ["manolo_camp-morning_coffee"]
VALIDATION_MUSIC = ["macroform-robot_dity", "reno_project-system"]
MUSIC = Path("/usr/share/asterisk/moh")  # Debian: asterisk-moh-opsound-wav
CLICKS = Path("/usr/share/buckle/wav")  # Debian: bucklespring-data


def is_validation(speaker):
    return zlib.crc32(speaker.encode()) % 1000 < VALIDATION_SHARE


def in_part(speaker, part):
    return part == "all" or is_validation(speaker) == (part == "validation")


class Sources:
    """Phrases and whole clips by speaker, noises, music and clicks of one part; all 16 kHz, noises of rms one."""

    def __init__(self, folder, part):
        folder = Path(folder).resolve()
        if str(folder / "bench") not in sys.path:
            sys.path.insert(0, str(folder / "bench"))
        import pools

        self.pools = pools
        self.part = part
        self.speakers = {k: v["ph"] for k, v in pools.speech_pool().items() if in_part(k, part)}
        self.clips = self._clips(folder)
        noises = sorted((folder / "sources/noise").iterdir()) + sorted((folder / "noise-train").glob("*.ogg"))
        wanted = {"train": lambda n: n not in VALIDATION_NOISES, "validation": lambda n: n in VALIDATION_NOISES, "all": lambda n: True}[part]
        self.noises = {f.stem: self._bed(f) for f in noises if wanted(f.stem)}
        self.music = [self._bed(MUSIC / (n + ".wav")) for n in TRAINING_MUSIC.get(part, VALIDATION_MUSIC)]
        clicks = [self._click(f) for f in sorted(CLICKS.glob("*-1.wav"))[::2]]
        self.clicks = {"train": clicks[::2], "validation": clicks[1::2], "all": clicks}[part]

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
