"""python3 vectors.py: write what the trainer's arithmetic makes of the project's samples, for the tests of the Swift code.

Reads the weights that the program carries. Writes Tests/Vectors/endpoint: of each sample the probabilities and the
rule's answers, of one the network's inputs, too. To be run again whenever the weights change.
"""
import base64, json, re, wave
from pathlib import Path

import numpy as np

import features, network, rule

HOUSE = Path(__file__).resolve().parents[2]
TAIL = 4  # seconds of faint noise behind each sample, so that it ends


def weights():
    source = (HOUSE / "Sources/EndOfSpeech/SpeechNetWeights.swift").read_text()
    text = re.search(r'"""\n(.*?)"""', source, re.S).group(1)
    return network.unpack(base64.b64decode(re.sub(r"[\s\\]", "", text)))


def sound(path):
    """The sample and its tail; the tail is a plain recurrence that a test can repeat: Numerical Recipes' generator."""
    with wave.open(str(path)) as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2")
    state, tail = 1, []
    for _ in range(TAIL * 16000):
        state = (state * 1664525 + 1013904223) % 2**32
        tail.append((state >> 28) - 8)
    return np.concatenate([samples, np.array(tail, "<i2")])


def main():
    target = HOUSE / "Tests/Vectors/endpoint"
    target.mkdir(parents=True, exist_ok=True)
    net, lag = weights()
    for path in sorted((HOUSE / "board/samples").glob("*.wav")):
        inputs = features.inputs(features.spectrum(sound(path))[None])
        probabilities = network.probabilities(net, inputs)[0]
        verdicts = {}
        for name, parameters in (("calm", rule.CALM), ("quick", rule.QUICK)):
            end, speech, heard = rule.run(np.rint(probabilities * 255) / 255, lag, parameters)
            verdicts[name] = dict(end_s=None if end is None else round(end, 2), speech_s=round(speech, 2), heard=heard)
        (target / f"{path.stem}.rule.json").write_text(json.dumps(verdicts) + "\n")
        np.savetxt(target / f"{path.stem}.probabilities.csv", probabilities, fmt="%.6f")
        if path.stem == "command-1":
            np.savetxt(target / f"{path.stem}.inputs.csv", inputs[0], fmt="%.5g", delimiter=",")
        print(path.stem, verdicts)


main()
