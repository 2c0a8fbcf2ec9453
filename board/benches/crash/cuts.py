"""Power cuts of the virtual board in the middle of whatever it does."""
import json, random, shutil, subprocess, time

from lapel.machines import Board, disk
from lapel.programs import Lost
from lapel.world import KEPT, Verdict, World


def pair_of_disks(folder, programs, microphone):
    """Two disks: a device that is paired, and its host."""
    world = World(folder / "begin", programs, microphone)
    try:
        world.serve()
        world.pair()
    finally:
        world.end()
    world.moved(8443)
    for stale in (world.device / "control", world.host / "listening"):
        stale.unlink(missing_ok=True)
    for kind, inner in (("device", "lapel"), ("host", "host")):
        tree = folder / "begin" / f"{kind}.disk"
        shutil.rmtree(tree, ignore_errors=True)
        tree.mkdir()
        shutil.copytree(folder / "begin" / kind, tree / inner)
        disk(folder / f"{kind}.ext4", tree)
    return [folder / "device.ext4", folder / "host.ext4"]


def mended(image):
    """Replays an image's journal; what e2fsck could not make good by itself, which is to be nothing."""
    run = subprocess.run(["e2fsck", "-fp", image], capture_output=True, text=True)
    # 0: clean, 1: put right (e2fsck(8)).
    return [f"e2fsck: {image.name}: {run.stdout[-300:]}"] if run.returncode > 1 else []


def kept_of(lines):
    return {id: float(seconds) for word, rest in lines if word == "lapel" for id, seconds in KEPT.findall(rest)}


def running(lines, machine, moment):
    """Identity of the recording that ran at a moment, and seconds since its press; None when none did."""
    last = None
    for word, rest in lines:
        if word == "journal":
            record = json.loads(rest)
            if machine.outside(record["monotonic_ns"]) <= moment and record["record"] in ("opening", "closed"):
                last = record
    if last and last["record"] == "opening":
        return last["press"], moment - machine.outside(last["monotonic_ns"])
    return None


def cycles(folder, programs, microphone, kernel, tools, count, seed, preload=""):
    """So many cuts of one pair of disks, each followed by a start on them; then all is sent and looked at."""
    chance, verdict = random.Random(f"{seed}-cuts"), Verdict()
    work = folder / ("unsynced" if preload else "cuts")
    work.mkdir(exist_ok=True)
    images = pair_of_disks(work, programs, microphone)
    kept, spoken = {}, {}
    for cycle in range(count):
        machine = Board(work / "board", kernel, tools, images, f"{seed}{cycle}", preload or "-")
        try:
            machine.until(lambda lines: ("ready", "") in lines, "the board is up")
            finished = chance.randint(1, 2)
            if chance.random() < 0.5:
                # Into the commit and the transfer.
                machine.until(lambda lines: sum(word == "released" for word, _ in lines) >= finished, "a release")
                time.sleep(chance.uniform(0, 0.2))
            else:
                machine.until(lambda lines: sum(word == "pressed" for word, _ in lines) > finished, "a press")
                time.sleep(chance.uniform(0.1, 4))
        finally:
            cut = machine.cut()
        lines = machine.said()
        kept |= kept_of(lines)
        if begun := running(lines, machine, cut):
            spoken[begun[0]] = (begun[1], machine.stretch(cut))
        # Every other time the next start's own kernel replays the journals.
        if cycle % 2:
            for image in images:
                verdict.notes += mended(image)
    lines = drained(work / "board", kernel, tools, images)
    told = {word: rest for word, rest in lines}
    listed = json.loads(told["list"])
    verdict.judge(kept, listed, json.loads(told["check"]), json.loads(told["left"]), read=None)
    found = {item["utterance"]: item for item in listed}
    for id, (seconds, stretch) in spoken.items():
        verdict.tail(id, seconds, found.get(id), stretch)
    return verdict


def drained(folder, kernel, tools, images):
    machine = Board(folder, kernel, tools, images, "drain")
    try:
        lines = machine.ends()
    finally:
        if machine.process.poll() is None:
            machine.cut()
    if not any(word == "drained" for word, _ in lines):
        raise Lost(f"the board did not send what was left: {lines[-4:]} {machine.errors()} {machine.last_words()}")
    return lines


def control(folder, programs, microphone, kernel, tools, seed):
    """Cuts of a board whose syncs do nothing, until something is lost; at most four."""
    if not (tools / "nosync.so").exists():
        raise Lost("the control needs a C compiler: apt-get install gcc")
    for attempt in range(1, 5):
        verdict = cycles(folder, programs, microphone, kernel, tools, 1, seed + attempt, "/io/nosync.so")
        if verdict.lost:
            break
    return verdict, attempt
