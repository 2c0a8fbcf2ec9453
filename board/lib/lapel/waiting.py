"""A device whose outbox waits for its host, made once and copied for each case; and what must be true in the end."""
import hashlib, re, shutil, sqlite3, time

from lapel.programs import until
from lapel.world import KEPT, Verdict, World

SMALL = ("", 0.6)
# 16 kHz WAV: more than an upload may have in the request that creates it.
LARGE = ("format = wav\n", 8.6)


class Waiting:
    """`recordings`: of each the settings and the seconds of its press, made while the host is away."""

    def __init__(self, folder, programs, microphone, recordings):
        self.world = World(folder, programs, microphone)
        self.world.serve()
        self.world.pair()
        self.world.end()
        # The port of a host that is gone may be taken by anything: nobody is there.
        self.world.moved(1)
        hand = settings = None
        for number, (lines, seconds) in enumerate(recordings, 1):
            if lines != settings:
                self.world.end()
                self.world.settings.write_text(lines)
                hand, settings = self.world.start(), lines
            while not self.recorded(hand, seconds, number):
                pass
        self.world.end()
        self.world.settings.write_text("")
        self.kept = {id: float(length) for id, length in KEPT.findall(self.world.log.read_text())}
        self.order = [id for id, _ in self.world.items("out")]
        self.hashes = {id: hashlib.sha256(file.read_bytes()).hexdigest() for id, file in self.world.items("out")}
        # The host's shelves of what belongs to each, manifest and recording: the first two digits of their hashes.
        self.shelves = {id: {hashlib.sha256(file.read_bytes()).hexdigest()[:2] for file in (self.world.device / "out").glob(f"*{id}*")}
                        for id in self.order}

    def recorded(self, hand, seconds, number):
        """One press. False when the device took it for a slip: a busy machine saw it late."""
        slips = self.world.log.read_text().count(" discarded")
        hand.send(b"press")
        # A busy machine opens the microphone late.
        until(lambda: self.world.status("microphone_open"), "the microphone is open")
        time.sleep(seconds)
        hand.send(b"release")
        until(lambda: len(self.world.items("out")) == number or self.world.log.read_text().count(" discarded") > slips,
              lambda: f"the recording is kept: {self.world.log.read_text()[-300:]}")
        return len(self.world.items("out")) == number

    def copy(self, folder):
        world = World(folder, self.world.programs, self.world.microphone)
        for part in ("device", "host"):
            shutil.copytree(self.world.folder / part, world.folder / part, ignore=lambda _, names: [n for n in names if n == "control"])
        world.moved(world.port)
        return world

    def judge(self, world, parked=()):
        """What is wrong with the end of a case, as sentences. `parked`: identities that may stay on the device."""
        verdict = Verdict()
        left = [name for name in world.left() if not any(id in name for id in parked)]
        kept = {id: seconds for id, seconds in self.kept.items() if id not in parked}
        verdict.judge(kept, world.listed(), world.checked(), left, self.hashes)
        if set(re.findall(r"utterance=([0-9a-f]{32}).* parked", world.log.read_text())) - set(parked):
            verdict.notes.append("parked: " + world.log.read_text()[-200:])
        with sqlite3.connect(f"file:{world.host}/lapel.db?mode=ro", uri=True) as rows:
            found = rows.execute("SELECT utterance, kind, completed_at IS NOT NULL FROM uploads").fetchall()
        wanted = sorted((id, kind, 1) for id in kept for kind in ("audio", "manifest"))
        # A touch that was killed half way is a recording too.
        beside = set(parked) | set(world.presses()) - set(self.kept)
        if sorted(row for row in found if row[0] not in beside) != wanted:
            verdict.notes.append(f"the host knows of the uploads {sorted(found)}, and there are {wanted}")
        return verdict.notes
