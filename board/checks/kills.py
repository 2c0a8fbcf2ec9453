#!/usr/bin/python3
"""board/test kills [--kills N] [--seed S] [--keep]: kill -9 of the device or of its host, N times (200) in a transfer.

The device's outbox holds three recordings, one too long for the request that creates it. Each kill comes at a byte of
the session that the seed draws, or some milliseconds after a request or an answer has arrived, when the other side is at
work on it; who was killed starts again, up to four times in one transfer. In the end each recording is on the host
once, byte for byte, and the outbox is empty. Prints what was killed, and in the middle of what.
board/bench crash kills recordings; this check kills transfers.
"""
import argparse, collections, concurrent.futures, random, shutil, threading, time, traceback

from lapel.alone import alone
from lapel.programs import Lost, ends, programs, until, workplace
from lapel.proxy import Fault, Proxy
from lapel.sound import sentences
from lapel.waiting import LARGE, SMALL, Waiting
from lapel.world import touch

WORKERS, AT_ONCE = 8, 4
PHASES = ("handshake", "request on its way", "host at work", "answer on its way", "device at work")
# Bytes of the longest request.
LONGEST = 290_000


def phase(road, delayed):
    stretch = road.stretch()
    if stretch < 2:
        return PHASES[0]
    return PHASES[1 + stretch % 2 * 2 + delayed]


class Killing:
    """One transfer and what kills it."""

    def __init__(self, waiting, folder, number, seed):
        self.chance = random.Random(f"{seed}-{number}")
        self.waiting, self.world = waiting, waiting.copy(folder)
        self.struck, self.killed = threading.Event(), []
        self.hand = self.victim = None

    def fault(self):
        """Where the next connection ends somebody."""
        self.victim = self.chance.choice(("device", "host"))
        direction = self.chance.choice(("up", "down"))
        delay = self.chance.choice((0, self.chance.uniform(0, 0.003), self.chance.uniform(0.001, 0.03)))
        # A sealed request with a manifest or a short recording is some 4 kB, an answer some 300 bytes.
        if direction == "up":
            at = self.chance.choice((self.chance.randrange(600), self.chance.randrange(26_000), self.chance.randrange(LONGEST)))
        else:
            at = self.chance.choice((self.chance.randrange(800), self.chance.randrange(800, 2_600), self.chance.randrange(800, 1_400)))
        return Fault("act", direction, at, delay, lambda road: self.kill(road, delay > 0))

    def kill(self, road, delayed):
        program = self.world.recording if self.victim == "device" else self.world.serving
        if program and not self.struck.is_set():
            program.kill()
            self.killed.append((self.victim, phase(road, delayed)))
            self.struck.set()

    def run(self):
        self.world.serve()
        proxy = Proxy(("127.0.0.1", self.world.port), [self.fault()])
        try:
            self.world.moved(proxy.port)
            self.hand = self.world.start()
            pressed = time.monotonic()

            def moved_on():
                nonlocal pressed
                if self.struck.is_set():
                    return "struck"
                # Somebody who waits presses.
                if time.monotonic() - pressed > 2:
                    pressed = time.monotonic()
                    touch(self.hand)
                return None if self.world.left() else "sent"

            while until(moved_on, lambda: f"the outbox is empty: {self.world.log.read_text()[-300:]}") == "struck":
                if self.victim == "device":
                    self.world.recording.wait()
                    self.hand.close()
                else:
                    self.world.serving.wait()
                    self.world.serve()
                if len(self.killed) < AT_ONCE:
                    proxy.faults.append(self.fault())
                self.struck.clear()
                if self.world.recording.poll() is not None:
                    self.hand = self.world.start()
                pressed = time.monotonic()
            self.world.end()
            return self.waiting.judge(self.world), self.killed
        finally:
            self.world.kill()
            proxy.stop()


def main():
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--kills", type=int, default=200)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--keep", action="store_true", help="leave the folders of what broke")
    asked = asked.parse_args()
    built = programs()
    alone()
    began = time.monotonic()
    table, broken, transfers = collections.Counter(), 0, 0
    with workplace("kills", asked.keep) as folder:
        waiting = Waiting(folder / "waiting", built, sentences(folder / "microphone.wav", 12, trimmed=True), [SMALL, LARGE, SMALL])
        numbers, guard = iter(range(asked.kills * 10)), threading.Lock()

        def transfer():
            nonlocal broken, transfers
            while True:
                with guard:
                    if sum(table.values()) >= asked.kills:
                        return
                    number = next(numbers)
                place = folder / f"transfer{number}"
                killing = Killing(waiting, place, number, asked.seed)
                try:
                    notes, _ = killing.run()
                except Lost as lost:
                    notes = [str(lost)]
                except Exception:
                    notes = [traceback.format_exc()]
                with guard:
                    transfers += 1
                    table.update(killing.killed)
                    if notes:
                        broken += 1
                        print(f"FAILED: transfer {number}, killed {killing.killed}\n        " + "\n        ".join(notes), flush=True)
                if not (asked.keep and notes):
                    shutil.rmtree(place, ignore_errors=True)

        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            for done in [pool.submit(transfer) for _ in range(WORKERS)]:
                done.result()
    print("note: " + f"{'killed':<8}" + "".join(f"{name:>20}" for name in PHASES))
    for victim in ("device", "host"):
        print("note: " + f"{victim:<8}" + "".join(f"{table[victim, name]:>20}" for name in PHASES))
    print(f"note: {sum(table.values())} kills in {transfers} transfers of {len(waiting.kept)} recordings, {broken} broken, "
          f"{time.monotonic() - began:.0f} s, seed {asked.seed}")
    return 1 if broken or not table else 0


ends(main)
