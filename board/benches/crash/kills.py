"""kill -9 of a device, a host, or both, in the middle of whatever they do; both start again; in the end all is there."""
import hashlib, json, random, time

from lapel.world import KEPT, Verdict, World


def worlds(folder, programs, microphone, cycles, seed, number):
    """One device and one host through so many kills; what became of it, and how often each was killed."""
    chance = random.Random(f"{seed}-{number}")
    world, verdict = World(folder / f"kills{number}", programs, microphone), Verdict()
    hashes, cut, killed = {}, {}, {"device": 0, "host": 0, "both": 0}
    try:
        world.serve()
        world.pair()
        hand = world.start()
        for _ in range(cycles):
            victim = chance.choice(("device", "host", "both"))
            killed[victim] += 1
            running = None
            for _ in range(chance.randint(0, 2)):
                hand.send(b"press")
                time.sleep(chance.uniform(0.6, 1.0))
                hand.send(b"release")
                time.sleep(chance.uniform(0.0, 0.3))
            hand.send(b"press")
            running = time.monotonic()
            if chance.random() < 0.6:
                time.sleep(chance.uniform(0.2, 4.5))
            else:
                # Into the finishing, the commit and the transfer, which are over after some milliseconds.
                time.sleep(chance.uniform(0.6, 1.2))
                hand.send(b"release")
                running = None
                time.sleep(chance.uniform(0.0, 0.08))
            now = time.monotonic()
            for role in ("recording", "serving"):
                if victim in ("both", "device" if role == "recording" else "host"):
                    getattr(world, role).kill()
            if victim != "host":
                world.recording.wait()
                if running is not None:
                    # It is the newest in rec/; where there is none, nothing had been written yet.
                    parts = world.items("rec")
                    cut[parts[-1][0] if parts else f"nothing {len(cut)}"] = now - running
                for id, file in world.items("out"):
                    hashes[id] = hashlib.sha256(file.read_bytes()).hexdigest()
            if victim != "device":
                world.serving.wait()
                time.sleep(chance.choice((0, 0, 0.5)))
                world.serve()
            if victim != "host":
                hand.close()
                hand = world.start()
            elif running is not None:
                hand.send(b"release")
                time.sleep(0.2)
        world.end()
        code = world.drain()
        kept = {id: float(seconds) for id, seconds in KEPT.findall(world.log.read_text())}
        listed = world.listed()
        verdict.judge(kept, listed, world.checked(), world.left(), hashes, world.presses())
        if code:
            verdict.notes.append(f"the last start of the device ended with {code}: {world.log.read_text()[-300:]}")
        found = {item["utterance"]: item for item in listed}
        for id, spoken in cut.items():
            if id in kept:
                continue
            verdict.tail(id, spoken, found.get(id))
            # Too little of it resembles nothing.
            if id in found and found[id]["seconds"] > 0.8:
                compared = json.loads(world.command(
                    "lapel-lab", "compare", id, microphone, "--dir", world.host, "--json", fails=True).stdout)
                # The whole file's 0.9 is much to ask of the first second of a codec.
                if compared["correlation"] < 0.8 or abs(compared["offset_s"]) > 0.01:
                    verdict.corrupt += 1
                    verdict.notes.append(f"corrupt: what was saved of {id} is not what was spoken: {compared}")
        return verdict, killed
    finally:
        world.kill()
