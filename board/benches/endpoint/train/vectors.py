"""Writes vectors for a port of the front end, the network and the rule: for each WAV file NAME.inputs.csv, NAME.probabilities.csv, NAME.rule.json.

    python vectors.py WEIGHTS.bin OUT NAME.wav …
"""

import json
import sys
from pathlib import Path

import numpy as np
import soundfile

import network
import rule
from features import inputs, spectrum


def main():
    weights, lag = network.unpack(Path(sys.argv[1]).read_bytes())
    out = Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    for file in map(Path, sys.argv[3:]):
        sound, rate = soundfile.read(file, dtype="int16")
        if rate != 16_000:
            sys.exit(f"{file}: {rate} Hz, not 16000")
        x = inputs(spectrum(sound)[None])
        p = network.probabilities(weights, x)[0]
        ends = {}
        for speed, parameters in (("calm", rule.CALM), ("quick", rule.QUICK)):
            end, spoken, heard = rule.run(p, lag, parameters)
            ends[speed] = dict(end_s=None if end is None else round(end, 2), speech_s=round(spoken, 2), heard=heard)
        np.savetxt(out / f"{file.stem}.inputs.csv", x[0], fmt="%.6g", delimiter=",")
        np.savetxt(out / f"{file.stem}.probabilities.csv", p, fmt="%.6f")
        (out / f"{file.stem}.rule.json").write_text(json.dumps(ends) + "\n")
        print(file.name, ends)


if __name__ == "__main__":
    main()
