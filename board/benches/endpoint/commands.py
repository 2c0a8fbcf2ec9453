"""PYTHONPATH=DATA/bench python3 commands.py DATA OUT: the voice commands as they are, pauses and all, as a set like make_set.py's.

Behind each clip come 4 s of noise at the clip's own floor. The true end is the clip's last sound, breaths and chairs with
it: the strictest truth there is, and the one by which silero with a fixed 1.5 s cuts 2 %.
"""
import json
import sys
import zlib
from pathlib import Path

import numpy as np
import pools
import soundfile

TAIL = 4


def stretches(active):
    """[first, last] frame of each run of active frames that no gap of more than 250 ms interrupts."""
    runs = []
    for frame in np.flatnonzero(active):
        if runs and frame - runs[-1][1] <= 25:
            runs[-1][1] = frame
        else:
            runs.append([frame, frame])
    return runs


def main():
    data, out = Path(sys.argv[1]), Path(sys.argv[2])
    (out / "wav").mkdir(parents=True)
    items = []
    for file in sorted((data / "sources/picovoice").glob("*.flac")):
        x = pools.load(str(file))
        found = pools.analyse(x)
        if found is None or found[0] - found[1] < 40:
            continue
        _, floor, active = found
        sounds = stretches(active)
        rng = np.random.default_rng(zlib.crc32(file.name.encode()))
        sound = np.concatenate([x, pools.pink(TAIL * 16000, rng, 1.0) * 10 ** (floor / 20)])
        soundfile.write(out / "wav" / f"{file.stem}.wav", sound.astype(np.float32), 16000, subtype="PCM_16")
        pauses = [(after[0] - before[1]) / 100 for before, after in zip(sounds, sounds[1:])]
        items.append(dict(
            id=file.stem, scenario="command", noise="", start=sounds[0][0] / 100, end=sounds[-1][1] / 100 + 0.0125,
            max_pause=max(pauses, default=0)))
    (out / "manifest.json").write_text(json.dumps(items, indent=0))
    print(len(items), "commands")


main()
