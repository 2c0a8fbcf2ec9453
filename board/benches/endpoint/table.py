"""python3 table.py PROGRAM SET COMMANDS: the rules of the program and two VADs on one set, as one table.

The set's own scoring is found by PYTHONPATH. The VADs end 3 s after their last frame of speech; in the second table, of
single voice commands, silero after 1.5 s. CPU is processor time of one thread of this machine for a second of sound.
"""
import json
import os
import re
import subprocess
import sys
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
import soundfile  # noqa: E402

PROGRAM, SET, COMMANDS = sys.argv[1:]
from rules import hangover  # noqa: E402
from score import HEAD, line, outcomes, summarise  # noqa: E402
from vads import silero, webrtc  # noqa: E402


def ours(folder, *options):
    """The program's rows and what it says they cost, in ms a second."""
    run = subprocess.run([PROGRAM, "endpoint", "--score", folder, *options], check=True, capture_output=True, text=True)
    lines = run.stdout.splitlines()
    cost = float(re.search(r": ([0-9.]+) ms", lines[-1]).group(1))
    return [row for row in lines[2:] if row.startswith("|")], cost


def items(folder):
    with open(f"{folder}/manifest.json") as file:
        manifest = json.load(file)
    return [dict(M=m, x=soundfile.read(f"{folder}/wav/{m['id']}.wav", dtype="int16")[0]) for m in manifest]


def alone(item):
    return item["M"]["scenario"] not in ("far", "n_far") and item["M"].get("noise") != "babble"


def theirs(name, vad, turns, seconds):
    spent = 0.0

    def rule(item):
        nonlocal spent
        start = time.process_time()
        active, step = vad(item["x"])
        spent += time.process_time() - start
        return hangover(active, step, seconds)

    results = outcomes(turns, rule)
    rows = [line(name, summarise(results))]
    quiet = [result for result, item in zip(results, turns) if alone(item)]
    if len(quiet) < len(results):
        rows.append(line(f"{name}, no background talkers", summarise(quiet)))
    return rows, spent * 1000 / sum(len(item["x"]) / 16000 for item in turns)


def printed(parts):
    head, rule = HEAD.split("\n")
    print(f"{head} CPU ms/s |\n{rule}---|")
    for rows, cost in parts:
        for index, row in enumerate(rows):
            figure = f"{cost:.3f}" if index == 0 and cost is not None else ""
            print(f"{row} {figure} |", flush=True)


def main():
    turns = items(SET)
    lapel, cost = ours(SET, "--rule", "lapel", "--by", "scenario")
    printed([
        ours(SET, "--rule", "reference"), (lapel[:2], cost), ours(SET, "--rule", "lapel", "--patience", "quick"),
        theirs("webrtcvad-3", webrtc, turns, 3.0), theirs("silero", silero, turns, 3.0)])
    print("\nlapel, by situation:\n")
    printed([(lapel[2:], None)])
    clips = items(COMMANDS)
    print(f"\n{len(clips)} single voice commands as they are:\n")
    rows, cost = ours(COMMANDS, "--rule", "lapel", "--patience", "quick")
    printed([(rows[:1], cost), theirs("silero, 1.5 s", silero, clips, 1.5)])


main()
