#!/usr/bin/python3
"""board/test endpoint-set [SET [PROGRAM]]: does `lapel-lab endpoint --rule reference` judge as the rule is worded?

SET is a folder of WAV files (one channel, 16 bit); by default the project's samples. A made set has them in
SET/wav, their levels in SET/meter, and in SET/manifest.json the id and the true end of each. PROGRAM is by default
the one that was built here. Every answer is compared with the rule written down again below, without the program's
code; a made set is scored against its true ends too. Exit code 0 only if no answer differs."""
import array, json, math, statistics, subprocess, sys, wave
from pathlib import Path

from lapel.programs import ROOT, program


def reference(readings, hangover=3.0):
    """The rule as its specification words it: (end_s or None, speech_s, send)."""
    room, floor, before, last_speech, speech = [], None, None, None, 0.0
    for seconds, level in readings:
        if not (math.isfinite(level) and math.isfinite(seconds)):
            continue
        step = max(0.0, seconds - before) if before is not None else 0.0
        before = seconds
        if floor is None:
            room.append(level)
            if len(room) == 5:
                floor = sorted(room)[2]
        elif level > max(floor + 10, -45):
            speech += step
            last_speech = seconds
        else:
            floor = 0.95 * floor + 0.05 * level
            if last_speech is not None and seconds - last_speech >= hangover - 0.001:
                return seconds, speech, speech >= 0.4 - 1e-9
    return None, speech, speech >= 0.4 - 1e-9


def levels(path):
    """A full-scale sine reads 0 dBFS; silence -120; reading k is stamped (k+1)·0.1 s."""
    with wave.open(str(path)) as file:
        hop = file.getframerate() // 10
        samples = array.array("h", file.readframes(file.getnframes()))
    for k in range(len(samples) // hop):
        power = 2 * sum(x * x for x in samples[k * hop:(k + 1) * hop]) / 32768**2 / hop
        yield (k + 1) / 10, 20 * math.log10(max(math.sqrt(power), 1e-6))


def trace(path):
    lines = path.read_text().split()
    return [tuple(map(float, line.split(","))) for line in lines[1:]]


def asked(program, folder):
    run = subprocess.run([program, "endpoint", "--rule", "reference", "--json", str(folder)], capture_output=True, text=True)
    if run.returncode or run.stderr:
        sys.exit(f"{program} endpoint {folder} failed ({run.returncode}): {run.stderr}")
    return {Path(answer["file"]).stem: answer for answer in map(json.loads, run.stdout.splitlines())}


def same(answer, expected):
    end, speech, send = expected
    ends = answer["end_s"] is None if end is None else answer["end_s"] is not None and abs(answer["end_s"] - end) < 1e-6
    return ends and abs(answer["speech_s"] - speech) < 1e-3 and answer["send"] == send


def percentile(values, share):
    place = (len(values) - 1) * share
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (place - low)


def scored(items, answers):
    count = dict.fromkeys(["missed", "unheard", "cut", "ok", "false", "hot", "closed"], 0)
    delays = []
    for item in items:
        answer = answers[item["id"]]
        end, send, true_end = answer["end_s"], answer["send"], item["end"]
        if true_end is None:
            count["false" if end is not None and send else "hot" if send else "closed"] += 1
        elif end is not None and end < true_end - 0.1:
            count["cut"] += 1
        elif not send:
            count["unheard"] += 1
        elif end is None:
            count["missed"] += 1
        else:
            count["ok"] += 1
            delays.append(end - true_end)
    speech = sum(count[k] for k in ("missed", "unheard", "cut", "ok"))
    noise = sum(count[k] for k in ("false", "hot", "closed"))
    share = {k: 100 * v / (noise if k in ("false", "hot", "closed") else speech) for k, v in count.items()}
    delays.sort()
    return (f"missed {share['missed']:.1f} %, never heard {share['unheard']:.1f} %, cut {share['cut']:.1f} %, "
            f"ok {share['ok']:.1f} %, delay p50/p95 {statistics.median(delays):.2f}/{percentile(delays, 0.95):.2f} s, "
            f"false send {share['false']:.1f} %, open for ever {share['hot']:.1f} %")


def compared(program, folder, read, ending):
    """The program's answers by name, and how many of them differ."""
    answers, differing = asked(program, folder), 0
    for path in sorted(folder.glob(f"*.{ending}")):
        expected = reference(read(path))
        answer = answers.pop(path.stem)
        if not same(answer, expected):
            differing += 1
            print(f"{path.name}: expected {expected}, got {answer}")
        answers[path.stem] = answer
    print(f"{folder}: {len(answers)} files, {differing} answers differ from the rule as worded")
    return answers, differing


def main():
    given = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "board/samples"
    judge = sys.argv[2] if len(sys.argv) > 2 else program("lapel-lab")
    if not (given / "manifest.json").exists():
        sys.exit(1 if compared(judge, given, levels, "wav")[1] else 0)
    items = json.loads((given / "manifest.json").read_text())
    wav, wrong = compared(judge, given / "wav", levels, "wav")
    print(scored(items, wav))
    meter, wrong_too = compared(judge, given / "meter", trace, "csv")
    print(scored(items, meter))
    # The traces are rounded to one decimal, and a level can fall on the other side of the threshold by that.
    apart = [name for name in wav if any(wav[name][k] != meter[name][k] for k in ("end_s", "speech_s", "send"))]
    ends = [name for name in apart if wav[name]["end_s"] != meter[name]["end_s"]]
    print(f"samples and rounded levels: {len(apart)} files differ in speech, {len(ends)} of them in the end")
    sys.exit(1 if wrong + wrong_too else 0)


main()
