#!/usr/bin/python3
"""The main job in figures: board/bench main [--runs N]

A simulated device (real libasound, real files, real TLS) and its host on loopback; this process presses through the
panel's socket and sees the lamp through it. Prints median and 95th percentile over the runs, then what a minute of
recording costs, beside opusenc and arecord on the same sound in the same run. Timings are printed, never asserted.
"""
import math, os, re, resource, shutil, subprocess, sys, time

from lapel.alone import alone
from lapel.programs import ends, released, until, workplace
from lapel.sound import sentences
from lapel.world import World

RUNS = int(sys.argv[sys.argv.index("--runs") + 1]) if "--runs" in sys.argv else 60
MINUTE = 60


class Device(World):
    """A running simulated device, its panel and its control socket; with a host or alone."""

    def __init__(self, programs, folder, name, microphone, *settings, paired=False):
        super().__init__(folder / name, programs, microphone, settings)
        if paired:
            self.serve()
            self.pair()
        self.panel = self.start()
        self.panel.settimeout(20)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def press(self):
        """Returns nanoseconds until the lamp was seen lit here, and until the device had set it."""
        start = time.monotonic_ns()
        self.panel.send(b"press")
        while True:
            word, state, at = self.panel.recv(64).decode().split()
            if state == "on":
                return time.monotonic_ns() - start, int(at) - start

    def release(self):
        self.panel.send(b"release")
        return until(lambda: (turn := self.status("last_turn")) and turn["after_press_s"]["let_go"] and turn, "the turn is let go", pause=0.02)

    def tap(self):
        """A press that no debouncer takes for a glitch; its lamp is not waited for."""
        self.drain_panel()
        self.panel.send(b"press")
        time.sleep(0.06)
        self.panel.send(b"release")

    def drain_panel(self):
        self.panel.setblocking(False)
        try:
            while self.panel.recv(64):
                pass
        except BlockingIOError:
            pass
        self.panel.settimeout(20)

    def resident_kb(self):
        return int(re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{self.recording.pid}/status").read())[1])

    def threads(self):
        """Name, nanoseconds on a processor and voluntary wake-ups of each thread."""
        found = {}
        for task in os.listdir(f"/proc/{self.recording.pid}/task"):
            base = f"/proc/{self.recording.pid}/task/{task}"
            wakeups = int(re.search(r"\nvoluntary_ctxt_switches:\s+(\d+)", open(f"{base}/status").read())[1])
            name = open(f"{base}/comm").read().strip()
            found[task] = (name, int(open(f"{base}/schedstat").read().split()[0]), wakeups)
        return found

    def descriptors(self):
        base = f"/proc/{self.recording.pid}/fd"
        return sorted(filter(None, (link(f"{base}/{fd}") for fd in os.listdir(base))))


def link(path):
    try:
        return os.readlink(path)
    except OSError:
        return None


def row(name, values, unit, aim=""):
    values = sorted(values)
    rank = lambda share: values[min(len(values) - 1, math.ceil(share * len(values)) - 1)]
    print(f"| {name} | {rank(0.5):.2f} | {rank(0.95):.2f} | {unit} | {aim} |")


def presses(programs, folder):
    seen, lit, sample, receipt = [], [], [], []
    with Device(programs, folder, "presses", sentences(folder / "words.wav", 20), "--mode", "hold", paired=True) as device:
        for _ in range(RUNS):
            device.drain_panel()
            here, there = device.press()
            time.sleep(0.6)  # how long the thumb stays: what is measured is before and after
            turn = device.release()
            seen.append(here / 1e3)
            lit.append(there / 1e3)
            sample.append(turn["press_to_first_sample_ms"])
            receipt.append(turn["kept_to_receipt_ms"])
        resident_kb = device.resident_kb()
    print(f"\n{RUNS} presses, each an utterance on the host:\n")
    print("| | median | p95 | | aim |\n|---|---|---|---|---|")
    row("press → light, seen by this process", seen, "µs", "< 1000")
    row("press → light, the device's own stamp", lit, "µs", "")
    row("press → first captured period", sample, "ms", "< 25")
    row("kept → receipt (durable, mutual TLS)", receipt, "ms", "")
    return resident_kb


def children_ms(command, **arguments):
    """CPU milliseconds of a program that runs to its end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def minute(programs, folder, rate, rule):
    """What a minute of recording costs, by thread, and the codec alone on the same sound."""
    sound = sentences(folder / f"minute-{rate}.wav", MINUTE, rate)
    with Device(programs, folder, f"{rule}-{rate}", sound, "--mode", "memo", "--rule", rule) as device:
        idle_kb = device.resident_kb()
        device.tap()
        until(lambda: device.status("microphone_open"), "the microphone is open")
        time.sleep(2)  # past the opening: pages touched once, the codec's tables
        first, start = device.threads(), time.monotonic()
        time.sleep(MINUTE - 6)
        last, seconds = device.threads(), time.monotonic() - start
        recording_kb = device.resident_kb()
        device.tap()
        until(lambda: device.status("microphone_open") is False, "the microphone is closed")
    cost, wakeups = {}, 0
    for task, (name, cpu, wakes) in last.items():
        if task in first:
            cost[name] = cost.get(name, 0) + (cpu - first[task][1]) / 1e6 / seconds
            wakeups += wakes - first[task][2]
    codec = ["opusenc", "--quiet", "--bitrate", "24", "--comp", "5", "--framesize", "20", sound, f"{folder}/codec.opus"]
    alone = min(children_ms(codec) for _ in range(3)) / MINUTE
    return dict(cost=cost, total=sum(cost.values()), alone=alone, wakeups=wakeups / seconds,
                idle_kb=idle_kb, recording_kb=recording_kb)


def peer(programs, folder):
    """arecord of alsa-utils on the same microphone, piped into opusenc: the usual script. CPU milliseconds for a
    second of sound in real time, and milliseconds from starting it to its first bytes, as a button script would."""
    if not shutil.which("arecord"):
        return None
    seconds = 20
    configuration = f"{folder}/asoundrc"
    with open(configuration, "w") as file:
        file.write(f'</usr/share/alsa/alsa.conf>\npcm_type.card {{ lib "{programs}/libasound_module_pcm_card.so" }}\n'
                   f'pcm.mic {{ type card wav "{folder}/minute-16000.wav" }}\n')
    environment = {**os.environ, "ALSA_CONFIG_PATH": configuration}
    first = []
    for _ in range(20):
        start = time.monotonic()
        arecord = subprocess.Popen(["arecord", "-q", "-D", "mic", "-t", "raw", "-f", "S16_LE", "-r", "16000"],
                                   stdout=subprocess.PIPE, env=environment)
        os.read(arecord.stdout.fileno(), 2)
        first.append(1000 * (time.monotonic() - start))
        arecord.kill()
        arecord.wait()
    command = (f"arecord -q -D mic -t raw -f S16_LE -r 16000 -c 1 -d {seconds} | "
               f"opusenc --quiet --raw --raw-rate 16000 --raw-chan 1 --bitrate 24 --comp 5 - {folder}/peer.opus")
    return children_ms(["sh", "-c", command], env=environment) / seconds, first


def idle(programs, folder):
    with Device(programs, folder, "idle", folder / "words.wav") as device:
        time.sleep(2)
        before, start = device.threads(), time.monotonic()
        time.sleep(20)
        after, seconds = device.threads(), time.monotonic() - start
        wakes = sum(after[task][2] - before[task][2] for task in after if task in before)
        held = device.descriptors()
    return wakes / seconds, held


def main():
    programs = released()
    alone()
    with workplace("bench") as folder:
        shipped_kb = presses(programs, folder)
        narrow = minute(programs, folder, 16000, "lapel")
        wide = minute(programs, folder, 48000, "lapel")
        levels = minute(programs, folder, 48000, "reference")
        beside = peer(programs, folder)
        print("\nCPU milliseconds per recorded second (a minute of speech, Opus 24 kb/s):\n")
        print("| microphone | all of lapel | of it | codec alone (opusenc) | ratio | aim |\n|---|---|---|---|---|---|")
        for name, found in (("16 kHz", narrow), ("48 kHz, resampled", wide),
                            ("48 kHz, resampled, reference rule: levels alone", levels)):
            parts = ", ".join(f"{thread} {cpu:.2f}" for thread, cpu in sorted(found["cost"].items()) if cpu >= 0.005)
            # The codec hears 16 kHz in both: that is what is recorded.
            print(f"| {name} | {found['total']:.2f} | {parts} | {narrow['alone']:.2f} | "
                  f"{found['total'] / narrow['alone']:.2f} | < 1.5 |")
        if beside:
            script, first = beside
            print(f"| arecord \\| opusenc, 16 kHz | {script:.2f} | | {narrow['alone']:.2f} | "
                  f"{script / narrow['alone']:.2f} | |")
            print("\n| | median | p95 | | |\n|---|---|---|---|---|")
            row("arecord, started → first bytes", first, "ms", "")
        wakes, held = idle(programs, folder)
        print("\n| | idle | recording | idle after shipping | aim |\n|---|---|---|---|---|")
        print(f"| resident MB | {narrow['idle_kb'] / 1000:.1f} | {narrow['recording_kb'] / 1000:.1f} | "
              f"{shipped_kb / 1000:.1f} | < 20 |")
        print(f"| wake-ups per second, all threads | {wakes:.2f} | {narrow['wakeups']:.0f} | | idle ≤ 0.1 |")
        sockets = sum(name.startswith("socket:") for name in held)
        microphones = sum(name.endswith(".wav") or name.startswith("/dev/snd/pcm") for name in held)
        print(f"| capture devices held | {microphones} | | | 0 |")
        print(f"| sockets held (panel, control) | {sockets} | | | 2 |")


ends(main)
