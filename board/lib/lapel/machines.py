"""Whole machines whose power can be cut, each with disks and a folder that it shares with this one.

The virtual board's kernel is an ordinary program: what its disk driver has written is in the files of its disks, what its
own page cache held is gone, as with a board that loses power."""
import hashlib, os, shutil, signal, subprocess, time
from pathlib import Path

from lapel.programs import CACHE, ROOT, WANTED, Lost, until

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


def toolbox(folder, programs, *more):
    """What a machine needs: the programs, and what runs them there: inside.py."""
    folder.mkdir(exist_ok=True)
    for source in (*(programs / name for name in WANTED), *filter(None, more)):
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
        kernel = CACHE / f"sim-{key}/linux"
        return kernel if kernel.exists() else "there is no kernel: board/sim build makes one (some minutes)"

    def __init__(self, folder, kernel, tools, images, *words):
        super().__init__(folder, tools, words[0], *self.disks, *words[1:])
        memory = "/dev/shm" if os.statvfs("/dev/shm").f_bavail * os.statvfs("/dev/shm").f_frsize > 1 << 30 else str(folder)
        words = ["mem=768M", f"initrd={kernel.parent}/initrd", f"uml_dir={folder}", "umid=board", "quiet", "vr.root=/", f"vr.io={folder}",
                 "con=null", "con0=null,fd:1", "ssl=null", *(f"ubd{number}={image}" for number, image in enumerate(images))]
        self.process = subprocess.Popen([ROOT / "board/simulator/boot", kernel, *words], stdin=subprocess.DEVNULL, stdout=open(folder / "kernel.log", "w"),
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
