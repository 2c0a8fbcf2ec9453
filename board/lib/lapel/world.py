"""A device and its host as a check or a bench runs them: programs, a thumb; and what the host must have in the end."""
import collections, hashlib, json, re, socket, subprocess, time
from pathlib import Path

from lapel.alone import free_port
from lapel.programs import Lost, until

KEPT = re.compile(r"utterance=([0-9a-f]{32}) kept seconds=([\d.]+)")
# Seconds of a running recording that a crash may cost.
MOST_LOST = 2.0


def touch(hand):
    """A press too short to record; whoever it is for may have been killed meanwhile."""
    try:
        hand.send(b"press")
        time.sleep(0.05)
        hand.send(b"release")
    except OSError:
        pass


class World:
    """A device and its host, in a folder."""

    # Where the host listens, and what runs a program elsewhere: `ip netns exec NAME`.
    address = "127.0.0.1"
    elsewhere = {}

    def __init__(self, folder, programs, microphone, options=("--mode", "hold")):
        self.folder, self.programs, self.microphone, self.options = Path(folder), programs, microphone, options
        self.folder.mkdir(exist_ok=True)
        self.device, self.host = self.folder / "device", self.folder / "host"
        self.port = free_port()
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

    def offer(self):
        """The URL of a pairing."""
        return json.loads(self.command("lapel-host", "pair", "--dir", self.host, "--json").stdout)["url"]

    def pair(self):
        self.command("lapel", "pair", self.offer(), "--outbox-dir", self.device)

    def moved(self, port, address="127.0.0.1"):
        """The device looks for its host elsewhere: a copy must not find the host it was copied from."""
        file = self.device / "host.json"
        file.write_text(re.sub(r"\d+\.\d+\.\d+\.\d+:\d+", f"{address}:{port}", file.read_text()))

    @property
    def arguments(self):
        return ["run", "--simulate", "--mic", str(self.microphone), "--config", str(self.settings),
                "--outbox-dir", str(self.device), *map(str, self.options)]

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

    def ask(self, word):
        """The running device's answer to a word at its control socket; None while it has none."""
        with socket.socket(socket.AF_UNIX) as control:
            try:
                control.connect(str(self.device / "control"))
            except OSError:
                return None
            control.sendall(word.encode() + b"\n")
            return json.loads(control.makefile().readline())

    def status(self, field):
        """A field of the running device's status; None while it has not answered: it may be busy."""
        return (self.ask("status") or {}).get(field)

    def sent(self, by=lambda: None):
        """Waits until nothing is left on the device; `by` is done again and again meanwhile."""
        until(lambda: by() or not self.left(), lambda: f"the outbox is empty: {self.log.read_text()[-300:]}")

    def drain(self):
        """Sends what is left, from a start of both; the device and the host have ended when it returns."""
        self.serve()
        with open(self.log, "a") as log:
            sent = subprocess.run([*self.program("lapel"), *self.arguments, "--press", "none"], stdin=subprocess.DEVNULL,
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
