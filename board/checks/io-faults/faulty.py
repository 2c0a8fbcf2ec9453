"""A device and its host in a worker's own folder, run with a fault before one of them or without."""
import collections, hashlib, os, re, shutil, signal, subprocess
from pathlib import Path

from lapel import world
from lapel.programs import ROOT, Lost, until

SAMPLE = ROOT / "board/samples/demo.wav"
# Presses: none, which only sends what is there; one; and one that goes on.
NONE, SHORT, LONG = "none", "0.02+0.8", "0.02+20"


class Shim:
    """What is put before a program: the library, the folder whose calls it counts, its log, and the call that fails."""

    def __init__(self, root, log, at=None):
        self.variables = {"FAULTS_ROOT": str(root), "FAULTS_LOG": str(log)} | ({"FAULTS_AT": at} if at else {})


class Program:
    """One of the two, with its output in files."""

    def __init__(self, world, name, arguments, shim=None):
        world.number += 1
        self.output, self.errors = (world.folder / f"{world.number}-{name}.{end}" for end in ("out", "err"))
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("ALSA", "NOTIFY_", "JOURNAL_", "WATCHDOG_"))}
        if shim:
            environment |= shim.variables | {"LD_PRELOAD": str(world.library)}
        with open(self.output, "w") as output, open(self.errors, "w") as errors:
            self.process = subprocess.Popen([world.programs / name, *map(str, arguments)], stdin=subprocess.DEVNULL,
                                            stdout=output, stderr=errors, env=environment)
        self.world, self.name = world, name
        world.running.append(self)

    @property
    def runs(self):
        return self.process.poll() is None

    def ends(self, seconds=180):
        """Its exit code; to be ended by a signal and to go on for ever are broken promises."""
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Lost(f"{self.name} still runs after {seconds} s") from None
        self.world.running.remove(self)
        if code < 0:
            raise Lost(f"{self.name} was ended by {signal.Signals(-code).name}: {self.said()[-300:]}")
        return code

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.world.running.remove(self)

    def said(self):
        return self.errors.read_text(errors="replace")

    def kept(self):
        """Identity and seconds of what a device called kept."""
        return [(id, float(seconds)) for id, seconds in world.KEPT.findall(self.said())]


class World(world.World):
    """The folders of a device and a host that are paired, and what kills have left in them."""

    def __init__(self, folder, programs, library):
        super().__init__(folder, programs, SAMPLE)
        self.library = library
        self.number, self.running = 0, []
        # Of what kills have left: seconds, from a run without a fault.
        self.remains = {}

    # Programs.

    def run(self, name, *arguments, shim=None):
        program = Program(self, name, arguments, shim)
        return program.ends(), program

    def serve(self, shim=None):
        """A host that listens, or has ended."""
        host = Program(self, "lapel-host", ["serve", "--dir", self.host, "--listen", f"127.0.0.1:{self.port}", "--json"], shim)
        until(lambda: not host.runs or '"listening"' in host.output.read_text(), "lapel-host neither listens nor ends")
        return host

    def serve_well(self):
        host = self.serve()
        if not host.runs:
            raise Lost(f"lapel-host does not start again: {host.said()[-400:]}")
        return host

    def stop(self, host):
        host.process.terminate()
        return host.ends()

    def record(self, press, shim=None):
        """Runs the device until its presses are over and all is sent, or the host has not answered for 20 s."""
        return self.run("lapel", *self.arguments, "--json", "--press", press, shim=shim)

    def pair(self, shim=None):
        return self.run("lapel", "pair", self.offer(), "--outbox-dir", self.device, shim=shim)

    def pair_well(self):
        code, pairing = self.pair()
        if code:
            raise Lost(f"pairing does not work: {pairing.said()[-400:]}")

    def record_well(self):
        """A press of which all is sent; what was kept."""
        code, device = self.record(SHORT)
        if code or not device.kept():
            raise Lost(f"a press is not kept and sent: {device.said()[-400:]}")
        return device.kept()

    def calm(self):
        """Nothing runs any more."""
        for program in list(self.running):
            program.kill()

    # What there is to begin with.

    def prepare(self):
        """Pairs, and leaves what kills leave: an utterance whose bytes the host has, but not for good; and half a one."""
        host = self.serve_well()
        self.pair_well()
        self.stop(host)
        self.killed(SHORT, lambda: any(self.items("out")))
        log = self.folder / "left"
        host = self.serve(Shim(self.host, log, "fsync\tincoming/#\t5"))
        self.killed(NONE, lambda: log.exists() and "struck" in log.read_text(), host)
        # Well behind a sync: its files have something in them.
        self.killed(LONG, lambda: self.recorded() > 6000)
        self.remains = {id: None for place in ("out", "rec") for id, _ in self.items(place)}
        if len(self.remains) < 2:
            raise Lost(f"not two utterances were left, but {self.files('rec', 'out', 'parked')}")
        for folder in (self.device, self.host):
            shutil.copytree(folder, folder.with_suffix(".begin"), symlinks=True, ignore=shutil.ignore_patterns("control"))

    def killed(self, press, condition, *others):
        """Runs the device until something is so; then it and others are killed."""
        device = Program(self, "lapel", [*self.arguments, "--json", "--press", press])
        until(lambda: condition() or not device.runs, lambda: f"something is left to begin with: {device.said()}")
        if not device.runs:
            raise Lost(f"nothing was left to begin with: {device.said()}")
        for program in (device, *others):
            program.kill()

    def recorded(self):
        """Bytes of the recording that runs, without the zeros that are only reserved."""
        found = 0
        for file in self.device.glob("rec/*"):
            try:
                found = max(found, len(file.read_bytes().rstrip(b"\0")))
            except OSError:
                pass  # renamed meanwhile
        return found

    def reset(self, paired=True):
        """As it was to begin with; or a host that is paired, and a device that is not."""
        self.calm()
        for folder in (self.device, self.host):
            shutil.rmtree(folder, ignore_errors=True)
            if folder == self.host or paired:
                shutil.copytree(folder.with_suffix(".begin"), folder, symlinks=True)

    # What there is in the end.

    def files(self, *places):
        """Files in places of the outbox, but for what the next recording takes over."""
        return [str(file.relative_to(self.device)) for place in places for file in self.device.glob(f"{place}/*")
                if not file.name.startswith("spare.")]

    def by_utterance(self):
        found = collections.defaultdict(list)
        for item in self.listed():
            found[item["utterance"]].append(item)
        return found

    def promises(self, wanted):
        """Sends what is left, from a clean start, and looks whether the host has it all. `wanted`: what each one is."""
        found = self.by_utterance()
        if self.files("rec", "out") or not all(self.stored(found[id]) for id in wanted):
            code, device = self.record(NONE)
            if code:
                raise Lost(f"a clean start does not send what is left: {device.said()[-400:]}")
            found = self.by_utterance()
        if stays := self.files("rec", "out", "parked"):
            why = " ".join(note.read_text().strip() for note in self.device.glob("parked/*.reason.txt"))
            raise Lost(f"still on the device: {', '.join(re.sub('[0-9a-f]{24,}', '…', name) for name in stays)}. {why}")
        for id, what in wanted.items():
            if not self.stored(found[id]):
                raise Lost(f"{what} is lost: the host has {[item['state'] for item in found[id]] or 'nothing'}")
            if len(found[id]) > 1:
                raise Lost(f"{what} is on the host {len(found[id])} times")
            stored = found[id][0]
            if hashlib.sha256(Path(stored["file"]).read_bytes()).hexdigest() != stored["sha256"]:
                raise Lost(f"{what} is corrupt on the host")
        return {id: found[id][0]["seconds"] or 0 for id in wanted}

    @staticmethod
    def stored(items):
        return any(item["state"] == "stored" for item in items)
