"""Scores weights on made sets with the bench's own functions, by part and by situation.

    python evaluate.py --sources DIR [--strangers FOLDER] WEIGHTS.bin …

Probabilities count in 255ths, as in the program.
"""

import argparse
import json
import pickle
import zlib
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

import network
import rule
import strangers
from features import inputs, spectrum
from sources import Sources, in_part, is_validation

DEVELOPMENT_NOISES_OF_VALIDATION = {"coffee", "wind", "dishes"}  # as the bench names them


def development(folder):
    """The development set as the bench makes it."""
    import gen

    return [dict(M=m, spectra=spectrum(x)) for x, m, _ in gen.Gen("dev").all()]


def situations(split, speakers, beds, music, clicks, speech_turns=60, noise_turns=24):
    """The bench's situations with these speakers, noises, pieces of music and clicks."""
    import gen
    import pools

    class Generator(gen.Gen):
        def __init__(self):
            self.split = split
            self.spk = speakers
            self.ids = sorted(speakers)
            self.multi = [k for k in self.ids if len(speakers[k]["ph"]) >= 2]
            made = pools.noise_pool(speakers, "dev")
            self.noise = {k: made[k] for k in ("babble", "room", "fan", "rustle")} | beds
            self.noise |= {f"music{i}": x for i, x in enumerate((music * 2)[:2])}
            self.clicks = clicks

    gen.BG[split] = sorted(beds) + ["babble", "music0", "room", "fan", "rustle"]
    gen.N_SPEECH, gen.N_NOISE = speech_turns, noise_turns
    turns = [dict(M=m, spectra=spectrum(x)) for x, m, _ in Generator().all()]
    gen.N_SPEECH, gen.N_NOISE = 40, 16
    return turns


def of_part(name, folder):
    """The situations with the recordings of one part of the split."""
    import pools

    part = Sources(folder, name)
    speakers = {k: v for k, v in pools.speech_pool().items() if in_part(k, name)}
    return situations(name, speakers, part.noises, part.music, part.clicks)


def training(folder):
    return of_part("train", folder)


def choice(folder):
    return of_part("choice", folder)


def validation(folder):
    return of_part("validation", folder)


def unknown(folder):
    """The situations with voices, noises, music and clicks of no recording here; `folder` is that of `strangers`."""
    return situations("strangers", strangers.speakers(folder), strangers.beds(folder), strangers.music(folder), strangers.clicks())


def stretches(active, gap=25):
    """(first, last) of each run of activity, joined over gaps of up to `gap`."""
    index = np.flatnonzero(active)
    cuts = np.flatnonzero(np.diff(index) > gap)
    return list(zip(index[np.concatenate([[0], cuts + 1])], index[np.concatenate([cuts, [len(index) - 1]])]))


def commands(folder):
    """Each clean voice command as it is, pauses and all, then 4 s of noise at the clip's own floor.

    The end is that of the last stretch of sound within 18 dB of the clip's speech: what is softer is a breath or a chair,
    by the measure that cleaned the development set.
    """
    import pools

    turns = []
    for file in sorted((Path(folder) / "sources/picovoice").glob("*.flac")):
        x = pools.load(str(file))
        found = pools.analyse(x)
        if found is None or found[0] - found[1] < 40:
            continue
        level, floor, active = found
        frames = pools.frame_db(x)

        def loud(first, last):
            some = frames[first : last + 1]
            return 10 * np.log10(np.mean(10 ** (some[some > np.percentile(some, 95) - 20] / 10))) > level - 18

        spoken = [s for s in stretches(active) if loud(*s)]
        rng = np.random.default_rng(zlib.crc32(file.name.encode()))
        sound = np.concatenate([x, pools.pink(64_000, rng, 1.0) * 10 ** (floor / 20)]).astype(np.float32)
        pause = max((b[0] - a[1] for a, b in zip(spoken, spoken[1:])), default=0) / 100
        m = dict(scenario="command", last_sound=np.flatnonzero(active)[-1] / 100 + 0.0125, start=spoken[0][0] / 100, end=spoken[-1][1] / 100 + 0.0125, max_pause=pause,
                 noise="", speaker="pico-" + file.name[:8], id=file.stem)
        turns.append(dict(M=m, spectra=spectrum(sound)))
    return turns


MAKERS = dict(development=development, training=training, choice=choice, validation=validation, strangers=unknown, commands=commands)


def made(name, folder, cache):
    """The set `name`, made once and kept in `cache`."""
    file = Path(cache) / f"{name}.pickle"
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(pickle.dumps(MAKERS[name](folder)))
    return pickle.loads(file.read_bytes())


def listen(turns, weights):
    """Adds each turn's probabilities, as `p`."""
    order = sorted(range(len(turns)), key=lambda i: len(turns[i]["spectra"]))
    for start in range(0, len(order), 128):
        some = [turns[i] for i in order[start : start + 128]]
        longest = max(len(t["spectra"]) for t in some)
        spectra = np.stack([np.pad(t["spectra"], ((0, longest - len(t["spectra"])), (0, 0)), mode="edge") for t in some])
        for turn, p in zip(some, network.probabilities(weights, inputs(spectra))):
            turn["p"] = np.rint(p[: len(turn["spectra"])] * 255) / 255


def alone(turn):
    """No background talkers, as the bench's table has it."""
    return turn["M"]["scenario"] not in ("far", "n_far") and turn["M"]["noise"] not in strangers.TALKING


def of_validation(turn):
    """Whether the turn's speaker or noise is of the validation part: the network did not meet it in the part "train"."""
    noise = turn["M"]["noise"]
    return is_validation(turn["M"].get("speaker") or "") if turn["M"]["end"] is not None else noise in DEVELOPMENT_NOISES_OF_VALIDATION


def outcomes(turns, lag, parameters):
    from score import outcomes

    return outcomes(turns, lambda turn: rule.run(turn["p"], lag, parameters))


def table(turns, results):
    from score import line, summarise

    some = lambda test: summarise([r for r, t in zip(results, turns) if test(t)])
    yield line("all", some(lambda t: True))
    yield line("no background talkers", some(alone))
    if turns[0]["M"]["id"].startswith("dev"):
        yield line("speakers (noises) of the part train", some(lambda t: not of_validation(t)))
        yield line("… of the part validation", some(of_validation))


def by_situation(results):
    counts = defaultdict(Counter)
    for situation, outcome, *_ in results:
        counts[situation][outcome] += 1
    return "; ".join(
        f"{s} " + " ".join(f"{k} {n}/{sum(c.values())}" for k, n in c.items() if k != "ok")
        for s, c in counts.items() if set(c) != {"ok"})


def quick(turns, lag, parameters, end="end"):
    """-> (premature cuts %, never heard %, median delay s, 95th percentile) on single commands; the truth is m[end]."""
    results = outcomes([t | {"M": t["M"] | {"end": t["M"][end]}} for t in turns], lag, parameters)
    share = lambda *kinds: 100 * sum(r[1] in kinds for r in results) / len(results)
    delays = [r[2] for r in results if r[1] == "ok"] or [np.nan]
    return share("cut", "cutdrop"), share("deaf"), np.median(delays), np.percentile(delays, 95)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sources", required=True)
    parser.add_argument("--strangers", help="the folder that strangers.py tells of")
    parser.add_argument("--sets", default="development,training,validation", help="which, comma between; strangers go with their folder")
    parser.add_argument("--cache", default="/tmp/lapel-endpoint-sets")
    parser.add_argument("weights", nargs="+")
    arguments = parser.parse_args()
    from score import HEAD

    for file in arguments.weights:
        weights, lag = network.unpack(Path(file).read_bytes())
        print(f"\n{file}, lag {lag}")
        for name in arguments.sets.split(",") + (["strangers"] if arguments.strangers else []):
            turns = made(name, arguments.strangers if name == "strangers" else arguments.sources, arguments.cache)
            listen(turns, weights)
            for speed, parameters in (("calm", rule.CALM), ("quick", rule.QUICK)):
                results = outcomes(turns, lag, parameters)
                print(f"\n{name}, {speed}\n{HEAD}", *table(turns, results), by_situation(results), sep="\n", flush=True)
        turns = made("commands", arguments.sources, arguments.cache)
        listen(turns, weights)
        for part in (False, True):
            some = [t for t in turns if of_validation(t) == part]
            print(f"\n{len(some)} commands of the part {'validation' if part else 'train'}, quick")
            for end in ("end", "last_sound"):
                print(f"{end}: cut %.1f %%, never heard %.1f %%, delay %.2f / %.2f s" % quick(some, lag, rule.QUICK, end))


if __name__ == "__main__":
    main()
