"""The programs of this project as a bench runs them: a host, its device, a thumb; and what the host must have in the end."""
import array, collections, hashlib, json, os, re, shutil, socket, subprocess, time, wave
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
KEPT = re.compile(r"utterance=([0-9a-f]{32}) kept seconds=([\d.]+)")
# In mode hold a touch records nothing: such a run only sends what is there.
TOUCH = "0.01+0.05"


# Seconds of a running recording that a crash may cost.
MOST_LOST = 2.0


class Lost(Exception):
    """What the programs did not do; the bench ends."""


def microphone(path, seconds=60):
    """The sample sentences one after another, at 16 kHz, without the quiet around them: what is heard is never nothing."""
    samples = array.array("h")
    for name in sorted((ROOT / "board/samples").glob("*.wav")):
        with wave.open(str(name)) as source:
            sentence = array.array("h", source.readframes(source.getnframes()))
        loud = [at for at, value in enumerate(sentence) if abs(value) > 1000]
        samples.extend(sentence[loud[0]:loud[-1]])
    while len(samples) < seconds * 16000:
        samples.extend(samples)
    with wave.open(str(path), "wb") as target:
        target.setnchannels(1)
        target.setsampwidth(2)
        target.setframerate(16000)
        target.writeframes(samples[: seconds * 16000].tobytes())
    return path


def shared_object(source, folder):
    """A library made from a C file beside this one, by whichever compiler there is; None without one."""
    compiler = next(filter(shutil.which, ("cc", "gcc", "clang")), None)
    if not compiler:
        return None
    made = folder / f"{source}.so"
    subprocess.run([compiler, "-O2", "-Wall", "-shared", "-fPIC", "-o", made, Path(__file__).with_name(f"{source}.c")], check=True)
    return made


def found_programs():
    """The folder in $LAPEL_BIN, or the newest under .build that holds both programs; None without one."""
    if folder := os.environ.get("LAPEL_BIN"):
        return Path(folder).resolve()
    wanted = ("lapel", "lapel-host", "libasound_module_pcm_card.so")
    whole = [f for f in (ROOT / ".build/release", ROOT / ".build/debug") if all((f / w).exists() for w in wanted)]
    return max(whole, key=lambda f: (f / "lapel").stat().st_mtime, default=None)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def until(condition, what, seconds=60):
    """`what`: words, or a function that finds them when the time is over."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.005)
    raise Lost(f"waited {seconds} s in vain: {what() if callable(what) else what}")


class World:
    """A device and its host, in a folder."""

    # Where the host listens, and what runs a program elsewhere: `ip netns exec NAME`.
    address = "127.0.0.1"
    elsewhere = {}

    def __init__(self, folder, programs, microphone, port=None):
        self.folder, self.programs, self.microphone = Path(folder), programs, microphone
        self.folder.mkdir(exist_ok=True)
        self.device, self.host = self.folder / "device", self.folder / "host"
        self.port = port or free_port()
        self.serving = self.recording = None
        self.log = self.folder / "device.log"
        self.settings = self.folder / "lapel.conf"
        self.settings.write_text("")

    def program(self, name):
        return [*self.elsewhere.get(name, ()), self.programs / name]

    def serve(self):
        output = open(self.folder / "host.json", "a")
        start = output.tell()
        self.serving = subprocess.Popen(
            [*self.program("lapel-host"), "serve", "--dir", self.host, "--listen", f"{self.address}:{self.port}", "--json"],
            stdin=subprocess.DEVNULL, stdout=output, stderr=open(self.folder / "host.log", "a"))

        def listens():
            if self.serving.poll() is not None:
                raise Lost(f"the host ended: {(self.folder / 'host.log').read_text()[-400:]}")
            return '"listening"' in (self.folder / "host.json").read_text()[start:]

        until(listens, "the host listens")

    def command(self, name, *arguments, fails=False):
        done = subprocess.run([*self.program(name), *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode and not fails:
            raise Lost(f"{name} {arguments[0]} failed ({done.returncode}): {done.stderr[-400:] or done.stdout[-400:]}")
        return done

    def pair(self):
        offer = json.loads(self.command("lapel-host", "pair", "--dir", self.host, "--json").stdout)
        self.command("lapel", "pair", offer["url"], "--outbox-dir", self.device)

    def moved(self, port, address="127.0.0.1"):
        """The device looks for its host elsewhere: a copy must not find the host it was copied from."""
        file = self.device / "host.json"
        file.write_text(re.sub(r"\d+\.\d+\.\d+\.\d+:\d+", f"{address}:{port}", file.read_text()))

    @property
    def arguments(self):
        return ["run", "--simulate", "--mic", str(self.microphone), "--mode", "hold", "--config", str(self.settings),
                "--outbox-dir", str(self.device)]

    def start(self):
        """The device, with a panel; returns the socket of a thumb."""
        panel, thumb = self.folder / "panel", self.folder / "thumb"
        for path in (panel, thumb, self.device / "control"):
            path.unlink(missing_ok=True)
        self.recording = subprocess.Popen([*self.program("lapel"), *self.arguments, "--panel", panel], stdin=subprocess.DEVNULL,
                                          stdout=subprocess.DEVNULL, stderr=open(self.log, "a"))

        def runs():
            if self.recording.poll() is not None:
                raise Lost(f"the device ended: {self.log.read_text()[-400:]}")
            return (self.device / "control").exists() and panel.exists()

        until(runs, "the device runs")
        hand = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        hand.bind(str(thumb))
        hand.connect(str(panel))
        return hand

    def drain(self):
        """Sends what is left, from a start of both; the device and the host have ended when it returns."""
        self.serve()
        with open(self.log, "a") as log:
            sent = subprocess.run([*self.program("lapel"), *self.arguments, "--press", TOUCH], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=log)
        self.end()
        return sent.returncode

    def end(self):
        for program in (self.recording, self.serving):
            if program and program.poll() is None:
                program.terminate()
                program.wait()
        self.recording = self.serving = None

    def kill(self):
        for program in (self.recording, self.serving):
            if program and program.poll() is None:
                program.kill()
                program.wait()
        self.recording = self.serving = None

    def items(self, place):
        """Identity and path of each recording in a place of the outbox."""
        found = []
        for file in sorted(self.device.glob(f"{place}/*")):
            named = re.match(r"\d{10}-([0-9a-f]{32})\.(opus|flac|wav)(\.age)?$", file.name)
            if named:
                found.append((named[1], file))
        return found

    def presses(self):
        """Identities of all recordings that began, from the device's journal."""
        lines = [line for file in sorted(self.device.glob("ledger/*.jsonl")) for line in file.read_text().splitlines()]
        return [record["press"] for record in map(json.loads, lines) if record["record"] == "opening"]

    def left(self):
        return sorted(str(file.relative_to(self.device)) for place in ("rec", "out", "parked") for file in self.device.glob(f"{place}/*")
                      if not file.name.startswith("spare."))

    def listed(self):
        return json.loads(self.command("lapel-host", "list", "--dir", self.host, "--json").stdout)

    def checked(self):
        return json.loads(self.command("lapel-host", "check", "--dir", self.host, "--json", fails=True).stdout)


class Verdict:
    """What became of the utterances of one part of the bench."""

    def __init__(self):
        self.kept = self.lost = self.corrupt = self.duplicated = 0
        self.tails, self.notes, self.stretch = [], [], 1.0

    @staticmethod
    def joined(verdicts):
        whole = Verdict()
        for one in verdicts:
            for name in ("kept", "lost", "corrupt", "duplicated"):
                setattr(whole, name, getattr(whole, name) + getattr(one, name))
            whole.tails += one.tails
            whole.notes += one.notes
            whole.stretch = max(whole.stretch, one.stretch)
        return whole

    def judge(self, kept, listed, checked, left, hashes=None, presses=None, read=lambda path: Path(path).read_bytes()):
        """`kept`: seconds of each utterance that was called kept. `hashes`: of recordings seen in the outbox.
        `presses`: identities of all there were; what the host has beyond them nobody said. `read`: how a file of the host is read; None where it cannot be, and the host's own check has to do."""
        found, hashes = collections.defaultdict(list), hashes or {}
        for item in listed:
            found[item["utterance"]].append(item)
        for id, seconds in kept.items():
            self.kept += 1
            items = found[id]
            if not any(item["state"] == "stored" for item in items):
                self.lost += 1
                self.notes.append(f"lost: {id}; the host has {[item['state'] for item in items] or 'nothing'}, the device {[f for f in left if id in f] or 'nothing'}")
                continue
            if len(items) > 1:
                self.duplicated += 1
                self.notes.append(f"duplicated: {id} is there {len(items)} times")
            item = items[0]
            wrong = read and hashlib.sha256(read(item["file"])).hexdigest() != item["sha256"]
            wrong = wrong or id in hashes and hashes[id] != item["sha256"]
            # More there may be: silence that stands for what a busy machine did not hear.
            if wrong or (item["seconds"] or 0) < seconds - 0.05:
                self.corrupt += 1
                self.notes.append(f"corrupt: {id}: {item['seconds']} s of {seconds} s, {item['sha256']}, seen as {hashes.get(id)}")
        for id in set(found) - set(presses) if presses else ():
            self.duplicated += 1
            self.notes.append(f"duplicated: {id} is on the host, and no press began it")
        by_hash = collections.Counter(item["sha256"] for item in listed if item["sha256"])
        for hash, count in by_hash.items():
            if count > 1:
                self.duplicated += 1
                self.notes.append(f"duplicated: {count} utterances have the sound {hash}")
        for problem in checked["problems"]:
            self.corrupt += 1
            self.notes.append(f"check: {problem['explanation']}")
        if left:
            self.notes.append(f"left on the device: {', '.join(left)}")

    def tail(self, id, spoken, item, stretch=1.0):
        """Of a recording that was cut: seconds spoken, what the host has of it (None: nothing), and how many times longer
        everything took on a machine that was given too little time."""
        there = (item or {}).get("seconds") or 0
        self.tails.append(max(0.0, spoken - there))
        self.stretch = max(self.stretch, stretch)
        if self.tails[-1] > MOST_LOST * stretch:
            self.notes.append(f"of {id}, {spoken:.2f} s when it was cut, the host has {there:.2f} s "
                              f"({(item or {}).get('state', 'nothing')}; all took {stretch:.1f} times too long)")

    @property
    def worst(self):
        return max(self.tails, default=0.0)

    @property
    def fine(self):
        return not (self.lost or self.corrupt or self.duplicated) and not self.notes
