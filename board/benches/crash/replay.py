"""Disks as a power cut could have left them, made from a log of every write and flush that a machine's two disks had.

QEMU's block driver `blklogwrites` writes the log (format: Linux, Documentation/admin-guide/device-mapper/log-writes.rst).
At a moment of the run, what came before a disk's last flush is on it; of what came later, each write is, is not, or is
there up to a 512-byte border: a drive may keep, drop and tear what it was not told to flush.
"""
import bisect, concurrent.futures, lzma, os, random, re, shutil, struct, subprocess, sys, threading, time
from pathlib import Path

from cuts import kept_of, mended, pair_of_disks, running
from lapel.machines import Machine
from lapel.programs import CACHE, Lost
from lapel.world import Verdict, World

MODULES = ("virtio_pci", "virtio_blk", "9p", "9pnet_virtio", "overlay", "crc32c_generic", "ext4")
FLUSH, FUA, DISCARD = 1, 2, 4


class Qemu(Machine):
    """A whole machine, emulated: slow, but every write of its disks is seen."""

    disks = ("/dev/vda", "/dev/vdb")

    @staticmethod
    def found(folder):
        """Folder of a kernel and its initrd, made once; or why there is none."""
        if not shutil.which("qemu-system-x86_64"):
            return "qemu-system-x86_64 is not installed (apt-get install qemu-system-x86)"
        if not shutil.which("debugfs"):
            return "debugfs is not installed (apt-get install e2fsprogs)"
        cache = CACHE / "qemu-kernel"
        if not (cache / "made").exists():
            why = made_kernel(folder / "kernel", cache)
            if why:
                return why
        image(Path(__file__).with_name("init"), cache, folder / "initrd")
        return cache / "vmlinuz", folder / "initrd"

    def __init__(self, folder, machine, tools, images, *words):
        super().__init__(folder, tools, words[0], *self.disks, *words[1:])
        kernel, initrd = machine
        self.logs = [folder / f"log{number}" for number in range(len(images))]
        drives = []
        for number, (disk, log) in enumerate(zip(images, self.logs)):
            log.write_bytes(b"")
            drives += ["-blockdev", f"driver=blklogwrites,node-name=disk{number},file.driver=file,file.filename={disk},"
                                    f"log.driver=file,log.filename={log},log-sector-size=512",
                       "-device", f"virtio-blk-pci,drive=disk{number}"]
        shares = []
        for tag, path, more in (("root", "/", ",readonly=on,multidevs=remap"), ("io", folder, "")):
            shares += ["-fsdev", f"local,id={tag},path={path},security_model=none{more}",
                       "-device", f"virtio-9p-pci,fsdev={tag},mount_tag={tag}"]
        self.process = subprocess.Popen(
            ["qemu-system-x86_64", "-machine", "q35", "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2", "-m", "768",
             "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot", "-serial", f"file:{folder}/kernel.log",
             "-kernel", kernel, "-initrd", initrd, "-append", "console=ttyS0 quiet panic=-1", *shares, *drives],
            stdin=subprocess.DEVNULL, stdout=open(folder / "qemu.log", "w"), stderr=subprocess.STDOUT, start_new_session=True)
        # How long each log was, at which moment: a thread looks every two milliseconds.
        self.looks = []
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self):
        while self.process.poll() is None:
            self.looks.append((time.monotonic(), *(os.stat(log).st_size for log in self.logs)))
            time.sleep(0.002)

    def last_words(self):
        return "".join((self.folder / name).read_text(errors="replace")[-400:] for name in ("kernel.log", "qemu.log"))

    def cut(self):
        now = time.monotonic()
        self.process.kill()
        self.process.wait()
        return now


def made_kernel(work, cache):
    """Debian's kernel and a static busybox, unpacked and cut down to what is needed; None, or why not."""
    work.mkdir(parents=True, exist_ok=True)

    def asked(*command):
        return subprocess.run(command, cwd=work, capture_output=True, text=True)

    named = re.search(r"Depends: (linux-image-\S+)", asked("apt-cache", "depends", "linux-image-amd64").stdout)
    if not named:
        return "no kernel is known to apt: linux-image-amd64"
    print(f"downloading {named[1]} and busybox-static, once", file=sys.stderr, flush=True)
    got = asked("apt-get", "-q", "download", named[1], "busybox-static")
    if got.returncode:
        return f"{named[1]} could not be downloaded: {got.stderr.strip().splitlines()[-1:]}"
    for package in work.glob("*.deb"):
        subprocess.run(["dpkg-deb", "-x", package, work / "tree"], check=True)
    there = {re.sub(r"\.ko(\.\w+)?$", "", file.name).replace("-", "_"): file for file in (work / "tree").rglob("*.ko*")}
    order = []

    def take(name):
        if name in order or name not in there:
            return  # built into the kernel
        for needed in depends(there[name]):
            take(needed)
        order.append(name)

    for name in MODULES:
        take(name)
    partial = cache.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    (partial / "modules").mkdir(parents=True)
    for name in order:
        (partial / "modules" / name).write_bytes(module(there[name]))
    (partial / "modules/order").write_text("\n".join(order) + "\n")
    shutil.copy(next((work / "tree").glob("boot/vmlinuz-*")), partial / "vmlinuz")
    shutil.copy(next((work / "tree").rglob("bin/busybox")), partial / "busybox")
    (partial / "made").write_text(named[1] + "\n")
    shutil.rmtree(cache, ignore_errors=True)
    partial.rename(cache)


def module(file):
    return lzma.decompress(file.read_bytes()) if file.suffix == ".xz" else file.read_bytes()


def depends(file):
    found = re.search(rb"\0depends=([^\0]*)\0", module(file))
    return [name.replace("-", "_") for name in (found[1].decode().split(",") if found and found[1] else [])]


def image(init, cache, target):
    """An initrd: a cpio archive in the form `newc` (Linux, Documentation/driver-api/early-userspace/buffer-format.rst)."""
    with open(target, "wb") as out:
        def entry(name, mode, data=b""):
            fields = [0, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0]
            out.write(b"070701" + b"".join(b"%08X" % field for field in fields) + name.encode() + b"\0")
            out.write(b"\0" * (-out.tell() % 4) + data)
            out.write(b"\0" * (-out.tell() % 4))

        for folder in ("bin", "proc", "sys", "dev", "lower", "io", "layer", "new", "modules"):
            entry(folder, 0o40755)
        entry("bin/busybox", 0o100755, (cache / "busybox").read_bytes())
        entry("init", 0o100755, init.read_bytes())
        for file in sorted((cache / "modules").iterdir()):
            entry(f"modules/{file.name}", 0o100644, file.read_bytes())
        entry("TRAILER!!!", 0)


class Log:
    """The writes and flushes of one disk, in their order."""

    def __init__(self, path):
        self.file, size = open(path, "rb"), os.path.getsize(path)
        magic, self.version, _, self.sector = struct.unpack("<QQQI", self.file.read(28))
        if magic != 0x6A736677736872:
            raise Lost(f"{path} is no log of writes")
        self.entries, self.ends, at = [], [], self.sector
        while at + self.sector <= size:
            self.file.seek(at)
            where, count, flags, _ = struct.unpack("<QQQQ", self.file.read(32))
            data = at + self.sector
            at = data + (0 if flags & DISCARD else count * self.sector)
            if at > size or not (where or count or flags):
                break
            self.entries.append((where, count, flags, data))
            self.ends.append(at)

    def left(self, base, target, length, chance):
        """What a cut leaves, when the log was so long: into `target`, which begins as `base`; how many writes were not flushed."""
        subprocess.run(["cp", "--sparse=always", base, target], check=True)
        here = bisect.bisect_right(self.ends, length)
        flushed = max((at for at in range(here) if self.entries[at][2] & FLUSH), default=-1)
        open_writes = 0
        with open(target, "r+b") as disk:
            for at, (where, count, flags, data) in enumerate(self.entries[:here]):
                if not count or flags & DISCARD:
                    continue
                # Several cuts are made at once: a place in the file that they share would be moved between seek and read.
                bytes = os.pread(self.file.fileno(), count * self.sector, data)
                if at > flushed and not flags & FUA:
                    open_writes += 1
                    fate = chance.random()
                    if fate < 0.45:
                        continue
                    # Half a superblock no ext4 survives: it counts on these two sectors being written at once.
                    if fate < 0.6 and count > 1 and where > 2:
                        bytes = bytes[: chance.randrange(1, count) * self.sector]
                disk.seek(where * self.sector)
                disk.write(bytes)
        return open_writes


def recorded(work, machine, tools, images, seed, preload, wanted):
    """One run of many utterances: the machine, its lines, and when each came."""
    qemu = Qemu(work / "qemu", machine, tools, images, str(seed), preload or "-", "patient")
    arrived = []

    def enough(lines):
        now = time.monotonic()
        arrived.extend(now for _ in range(len(lines) - len(arrived)))
        return len(kept_of(lines)) >= wanted

    try:
        qemu.until(enough, f"{wanted} utterances in QEMU", 300)
        time.sleep(0.5)
    finally:
        end = qemu.cut()
    lines = qemu.said()
    arrived.extend(end for _ in range(len(lines) - len(arrived)))
    return qemu, lines, arrived, end


def replays(folder, programs, microphone, machine, tools, count, seed, preload=""):
    """So many cuts of one recorded run; the verdict, and a word about the log."""
    work = folder / ("unsynced-replays" if preload else "replays")
    work.mkdir(exist_ok=True)
    images = pair_of_disks(work, programs, microphone)
    bases = []
    for one in images:
        bases.append(one.with_suffix(".base"))
        subprocess.run(["cp", "--sparse=always", one, bases[-1]], check=True)
    qemu, lines, arrived, end = recorded(work, machine, tools, images, seed, preload, 6 if preload else 25)
    logs = [Log(path) for path in qemu.logs]
    kept_at = [(when, id, seconds) for when, line in zip(arrived, lines) for id, seconds in kept_of([line]).items()]

    def one(number):
        chance = random.Random(f"{seed}-replay-{number}")
        moment, *lengths = cut_at(chance, qemu.looks, logs, kept_at, end)
        verdict, place = Verdict(), work / f"cut{number}"
        world = World(place, programs, microphone)
        open_writes = 0
        for disk, (base, log, inner, kind) in enumerate(zip(bases, logs, ("lapel", "host"), ("device", "host"))):
            target = place / f"{kind}.ext4"
            open_writes += log.left(base, target, lengths[disk], chance)
            verdict.notes += mended(target)
            subprocess.run(["debugfs", "-R", f"rdump /{inner} {place}", target], capture_output=True)
            target.unlink()
            (place / inner).rename(place / kind)
        kept = {id: seconds for when, id, seconds in kept_at if when <= moment}
        world.moved(world.port)
        code = world.drain()
        listed = world.listed()
        verdict.judge(kept, listed, world.checked(), world.left())
        if code:
            verdict.notes.append(f"replay {number}: the device's start ended with {code}: {world.log.read_text()[-300:]}")
        if begun := running(lines, qemu, moment):
            verdict.tail(*begun, {item["utterance"]: item for item in listed}.get(begun[0]), qemu.stretch(moment))
        shutil.rmtree(place)
        return verdict, open_writes

    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        done = list(pool.map(one, range(count)))
    writes = sum(1 for log in logs for entry in log.entries if entry[1])
    flushes = sum(1 for log in logs for entry in log.entries if entry[2] & FLUSH)
    return Verdict.joined(verdict for verdict, _ in done), f"{writes} writes, {flushes} flushes, {sum(n for _, n in done) / count:.0f} open at a cut"


def cut_at(chance, looks, logs, kept_at, end):
    """A moment at which the power goes: one of all alike, one just after a promise, or one at which writes are open.

    `looks`: times with the logs' lengths then. Returns such a look, of which the promises before its time hold.
    """
    times = [look[0] for look in looks]
    kind = chance.choice(("any", "promise", "open"))
    if kind == "open":
        number = chance.randrange(len(logs))
        log = logs[number]
        first = looks[bisect.bisect(times, kept_at[0][0]) - 1][1 + number]
        ends = [end for (_, count, flags, _), end in zip(log.entries, log.ends) if count and not flags & FLUSH and end > first]
        if ends:
            length = chance.choice(ends)
            seen = next(at for at, look in enumerate(looks) if look[1 + number] >= length)
            # The look that first saw this write may have come late: promises hold up to the one before it, and the host
            # is never cut before the device, which may have let go of what the host has only since.
            when, device, host = looks[seen - 1]
            return (when, length, looks[seen][2]) if number == 0 else (when, device, length)
    moment = chance.choice(kept_at)[0] + chance.uniform(0, 0.1) if kind == "promise" else chance.uniform(kept_at[0][0], end)
    return looks[bisect.bisect(times, min(moment, end)) - 1]
