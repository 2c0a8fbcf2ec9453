"""Power cuts of a whole machine: the virtual board's kernel with two disks, killed in the middle.

The kernel is an ordinary program: what its disk driver has written is in the files of its disks, what its own page
cache held is gone, as with a board that loses power. A kernel of another kind (replay.py) is used in the same way.
"""
import hashlib, json, os, random, shutil, signal, subprocess, time
from pathlib import Path

from world import KEPT, ROOT, Lost, Verdict, World, until

DISK_MIB = 96
# Seconds from one beat of a machine to its next (inside.py).
BEAT = 0.2
# The machine's second step: what it finds is /io, which it shares with this one, and its name for the disks.
INSIDE = """\
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8
unset mem uml_dir umid
/run/busybox ifconfig lo 127.0.0.1 up
/run/busybox setsid /bin/sh /io/command </dev/null >/io/stdout 2>/io/stderr
/run/busybox poweroff -f
"""


def linked(source, target):
    """A file under another name; a copy where that cannot be."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def toolbox(folder, programs, microphone, nosync):
    """What a machine needs: the programs, the sound, and what runs it."""
    folder.mkdir(exist_ok=True)
    for source in (*(programs / name for name in ("lapel", "lapel-host", "libasound_module_pcm_card.so")), microphone, nosync,
                   Path(__file__).with_name("inside.py")):
        if source:
            shutil.copy2(source, folder)
    return folder


class Machine:
    """A running one: a folder shared with it, what it says, and its power."""

    def __init__(self, folder, tools, *words):
        shutil.rmtree(folder, ignore_errors=True)
        # Below /tmp the machine has files of its own; what it needs of this one's is handed over.
        shutil.copytree(tools, folder, copy_function=linked)
        self.folder = folder
        for name in ("stdout", "stderr"):
            (folder / name).write_bytes(b"")
        (folder / "stage2").write_text(INSIDE)
        (folder / "command").write_text(f"exec /usr/bin/python3 -B /io/inside.py {' '.join(words)}\n")
        self.process, self.read, self.lines, self.clock, self.beats = None, 0, [], [], []

    def said(self):
        """All lines so far. Each beat tells how far the machine's clock is behind this one's, or a little more."""
        with open(self.folder / "stdout", "rb") as file:
            file.seek(self.read)
            more = file.read()
        whole = more[: more.rfind(b"\n") + 1]
        self.read += len(whole)
        now = time.monotonic()
        for line in whole.decode(errors="replace").splitlines():
            words = line.split(" ", 1)
            if words[0] == "beat":
                self.beats.append(int(words[1]) / 1e9)
                self.clock.append(now - self.beats[-1])
            self.lines.append((words[0], words[1] if len(words) > 1 else ""))
        if any(word == "failed" for word, _ in self.lines):
            raise Lost(f"in the machine: {self.lines[-5:]} {self.errors()}")
        return self.lines

    def errors(self):
        return (self.folder / "stderr").read_text(errors="replace")[-400:]

    def outside(self, nanoseconds):
        """A stamp of the machine's clock by this one's. The beat that came fastest is the truest."""
        return int(nanoseconds) / 1e9 + min(self.clock)

    def stretch(self, moment):
        """How much longer than asked for the machine took between its beats, in the seconds before a moment: 1 is in time.
        What a machine does that is given too little of this one's time takes so much longer too."""
        near = [beat for beat in self.beats if moment - 5 <= beat + min(self.clock) <= moment]
        return max(1.0, (near[-1] - near[0]) / (BEAT * (len(near) - 1))) if len(near) > 2 else 1.0

    def until(self, condition, what, seconds=120):
        def look():
            found = condition(self.said())
            if not found and self.process.poll() is not None:
                raise Lost(f"{what}: the machine has ended: {self.lines[-3:]} {self.errors()} {self.last_words()}")
            return found
        return until(look, what, seconds)

    def ends(self, seconds=240):
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.cut()
            raise Lost(f"the machine does not end: {self.lines[-5:]} {self.errors()}")
        return self.said()


class Board(Machine):
    """A virtual board (board/sim's kernel and first step)."""

    disks = ("/dev/ubda", "/dev/ubdb")

    @staticmethod
    def found():
        """Its kernel, or why there is none."""
        if os.uname().sysname + os.uname().machine != "Linuxx86_64":
            return "the virtual board runs on x86-64 Linux only"
        if kernel := os.environ.get("LAPEL_SIM_KERNEL"):
            return Path(kernel).resolve() if os.access(kernel, os.X_OK) else f"LAPEL_SIM_KERNEL={kernel} is no program"
        parts = ROOT / "board/simulator"
        key = hashlib.sha256(b"".join((parts / name).read_bytes() for name in ("kernel.config", "init", "build"))).hexdigest()[:16]
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        kernel = cache / f"lapel/sim-{key}/linux"
        return kernel if kernel.exists() else "there is no kernel: board/sim build makes one (some minutes)"

    def __init__(self, folder, kernel, tools, images, *words):
        super().__init__(folder, tools, words[0], *self.disks, *words[1:])
        memory = "/dev/shm" if os.statvfs("/dev/shm").f_bavail * os.statvfs("/dev/shm").f_frsize > 1 << 30 else str(folder)
        words = ["mem=768M", f"initrd={kernel.parent}/initrd", f"uml_dir={folder}", "umid=board", "quiet", "vr.root=/", f"vr.io={folder}",
                 "con=null", "con0=null,fd:1", "ssl=null", *(f"ubd{number}={image}" for number, image in enumerate(images))]
        self.process = subprocess.Popen([kernel, *words], stdin=subprocess.DEVNULL, stdout=open(folder / "kernel.log", "w"),
                                        stderr=subprocess.STDOUT, env={**os.environ, "TMPDIR": memory}, start_new_session=True)

    def last_words(self):
        return (self.folder / "kernel.log").read_text(errors="replace")[-400:]

    def cut(self):
        """The power goes: every process of the kernel at once. Returns when."""
        pid = self.folder / "board/pid"
        groups = {self.process.pid} | ({int(pid.read_text())} if pid.exists() and pid.read_text().strip() else set())
        now = time.monotonic()
        for group in groups:
            try:
                os.killpg(group, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()
        return now


def disk(path, folder=None, mib=DISK_MIB):
    """A new ext4, with what is in a folder."""
    path.unlink(missing_ok=True)
    with open(path, "wb") as file:
        file.truncate(mib << 20)
    subprocess.run(["mkfs.ext4", "-q", "-F", "-m", "0", *(["-d", folder] if folder else []), path], check=True)
    return path


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
