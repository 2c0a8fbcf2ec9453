#!/usr/bin/python3
"""Instructions that a recorded second costs: board/bench instructions [--seconds N]

Counted by valgrind's callgrind on this machine: the simulated device records memos of two lengths, sealed Opus, with the
trained ear listening, and the difference is divided by the difference in length. So start, end and idling drop out. A
count does not depend on the machine's speed or load, which is why a slow board's load can be estimated from it. Debian's
emulators for other processors count nothing: they are built without plugins.
"""
import json, re, shutil, subprocess, sys

from lapel.programs import WANTED, not_run, quietly, released, workplace
from lapel.sound import sentences

SECONDS = int(sys.argv[sys.argv.index("--seconds") + 1]) if "--seconds" in sys.argv else 20
# A Cortex-A53 at 1 GHz is a core of the smallest board; it retires two instructions a cycle at best, and on code like a
# codec's, with a small cache, about 0.7 (Arm's own figures for SPEC-like code are 0.6 to 1).
CLOCK, PER_CYCLE, VECTORS = 1e9, 0.7, 1.3

if not shutil.which("valgrind"):
    not_run("board/bench instructions: not run: valgrind is not installed (board/deps --for test).")


def counted(folder, seconds):
    """Instructions of a whole run with one memo of about so many seconds, and how long it came out."""
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", f"{folder}/lapel", "run", "--simulate",
               "--mic", f"{folder}/speech.wav", "--mode", "memo", "--press", f"1,{1 + seconds}", "--outbox-dir",
               f"{folder}/device-{seconds}", "--json"]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=20 * seconds + 120)
    except subprocess.TimeoutExpired:
        not_run("board/bench instructions: not run: this machine is too busy for valgrind to keep pace with a microphone.")
    total = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode or not total:
        sys.exit(f"board/bench instructions: {run.stderr[-800:]}")
    return int(total[1]), json.loads(run.stdout.splitlines()[-1])["captured_s"]


programs = released()
with workplace("instructions") as folder:
    sentences(folder / "speech.wav", 3 * SECONDS)
    # valgrind gives up on debug information of a newer form than its own.
    for name in set(WANTED) - {"lapel-host"}:
        quietly("strip", "-o", folder / name, programs / name)
    short, short_seconds = counted(folder, SECONDS // 2)
    long, long_seconds = counted(folder, SECONDS + SECONDS // 2)
each = (long - short) / (long_seconds - short_seconds)
print(f"memos of {short_seconds:.1f} and {long_seconds:.1f} s: {short / 1e6:.0f} and {long / 1e6:.0f} million instructions")
print(f"instructions per recorded second: {each / 1e6:.1f} million")
print(f"estimate for a Cortex-A53 at 1 GHz: {100 * each * VECTORS / PER_CYCLE / CLOCK:.1f} % of one core while recording "
      f"({PER_CYCLE} instructions a cycle, {VECTORS} times the instructions, because its vectors are half as wide)")
