"""The part of board/bench latency that runs on the virtual board: inside.py RUNS"""
import fcntl, json, math, os, re, select, struct, subprocess, sys, time

RUNS = int(sys.argv[1])
LAPEL = os.environ["LAPEL_BIN"] + "/lapel"
DEVICE = "hw:Loopback,1"
STATUS = "/proc/asound/Loopback/pcm1c/sub0/status"
BEFORE, BUTTON, AFTER, LAMP = 16, 17, 18, 27
WORK = "/tmp/latency"


def folder(offset):
    return subprocess.run(["line", str(offset)], check=True, capture_output=True, text=True).stdout.strip()


folders = {offset: folder(offset) for offset in (BEFORE, BUTTON, AFTER, LAMP)}
pulls = {offset: os.open(f"{folders[offset]}/pull", os.O_WRONLY) for offset in (BEFORE, BUTTON, AFTER)}


def pull(down, *offsets):
    for offset in offsets:
        os.write(pulls[offset], b"pull-down" if down else b"pull-up")


class Twin:
    """A line beside the button's. Request and events as linux/gpio.h lays them out."""

    def __init__(self, offset):
        pull(False, offset)
        chip = os.open("/dev/gpiochip0", os.O_RDWR | os.O_CLOEXEC)
        flags = 1 << 2 | 1 << 4 | 1 << 5 | 1 << 8  # input, both edges, pull-up
        request = bytearray(struct.pack("<I252x32s", offset, b"twin") + struct.pack("<QI20x", flags, 0) + bytes(240)
                            + struct.pack("<II20xi", 1, 0, -1))
        fcntl.ioctl(chip, 0xC250B407, request)
        os.close(chip)
        self.line = struct.unpack_from("<i", request, len(request) - 4)[0]

    def edge(self):
        """The kernel's stamp of the next edge, in nanoseconds."""
        if not select.select([self.line], [], [], 10)[0]:
            sys.exit("bench: a twin's edge does not come.")
        return struct.unpack_from("<Q", os.read(self.line, 48))[0]


class Twins:
    """One pulled before the button and one after it: what they agree on holds for the button too."""

    def __init__(self):
        self.before, self.after = Twin(BEFORE), Twin(AFTER)

    def press(self):
        """Presses, and returns the kernel's stamp; None when a tick fell between."""
        for down in (True, False):
            pull(down, BEFORE, AFTER)
            self.before.edge(), self.after.edge()
        pull(True, BEFORE, BUTTON, AFTER)
        first, last = self.before.edge(), self.after.edge()
        return first if last - first < 200_000 else None

    def release(self):
        pull(False, BEFORE, BUTTON, AFTER)
        self.before.edge(), self.after.edge()


def until(what, condition, seconds=20, pause=0.02):
    end = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > end:
            sys.exit(f"bench: waited {seconds} s in vain: {what}.")
        time.sleep(pause)
    return found


def lamp_is_lit(value):
    return os.pread(value, 2, 0)[:1] == b"1"


def triggered():
    """When the capture was started, in nanoseconds; None while it is not."""
    with open(STATUS) as file:
        status = file.read()
    at = re.search(r"trigger_time: (\d+)\.(\d{9})", status)
    return int(at[1]) * 10**9 + int(at[2]) if at and "state: RUNNING" in status else None


def card_is_closed():
    with open(STATUS) as file:
        return file.read().startswith("closed")


def press(twins, value):
    """A press of half a second: the edge, and the capture's start, in nanoseconds."""
    edge = twins.press()
    sample = until("the capture starts", triggered)
    until("the lamp's line is high", lambda: lamp_is_lit(value))
    time.sleep(0.5)
    return edge, sample


def release(twins, value):
    twins.release()
    until("the lamp is off and the card closed", lambda: not lamp_is_lit(value) and card_is_closed())


class Ours:
    name = "Lapel"

    def __init__(self):
        self.log = open(f"{WORK}/lapel.log", "w")
        self.process = subprocess.Popen(
            [LAPEL, "run", "--outbox-dir", f"{WORK}/device", "--button", "gpio:GPIO17", "--lamp", "GPIO27",
             "--motor", "GPIO22", "--microphone", DEVICE, "--mode", "hold"],
            stdin=subprocess.DEVNULL, stderr=self.log)
        until("the device answers", self.status)

    def status(self):
        answer = subprocess.run([LAPEL, "status", "--outbox-dir", f"{WORK}/device", "--json"], capture_output=True)
        return json.loads(answer.stdout) if answer.returncode == 0 else None

    def stamps(self):
        """When the light's call had returned and when the first period had been read; its press."""
        turn = self.status()["last_turn"]
        press = turn["press_ns"]
        return press + turn["press_to_light_us"] * 1000, press + turn["press_to_first_sample_ms"] * 10**6, press

    def rest(self):
        until("the turn is over", lambda: self.status()["phase"] == "off")
        time.sleep(0.8)


class Peer:
    name = "gpiozero + arecord"

    def __init__(self):
        self.process = subprocess.Popen(
            [os.environ["LAPEL_PEER_PYTHON"], "board/benches/latency/peer.py", DEVICE, f"{WORK}/peer.wav"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, cwd=os.getcwd())
        if self.process.stdout.readline() != b"ready\n":
            sys.exit("bench: the peer does not start.")

    def stamps(self):
        return int(self.process.stdout.readline()), None, None

    def rest(self):
        time.sleep(0.8)


def measured(program, twins):
    """Milliseconds after each press's edge: light, first sample, first period read, the program's own press."""
    value = os.open(f"{folders[LAMP]}/value", os.O_RDONLY)
    found = []
    # The first presses find nothing in the caches, of either.
    warm_up = 2
    while len(found) < RUNS + warm_up:
        edge, sample = press(twins, value)
        light, period, pressed = program.stamps()
        release(twins, value)
        program.rest()
        if edge:
            found.append([stamp and (stamp - edge) / 1e6 for stamp in (light, sample, period, pressed)])
    os.close(value)
    program.process.kill()
    program.process.wait()
    return [column if column[0] is not None else None for column in zip(*found[warm_up:])]


def rank(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, math.ceil(share * len(values)) - 1)]


def row(name, ours, peer, aim):
    cells = [name] + [f"{rank(each, share):.2f}" if each else "–" for each in (ours, peer) for share in (0.5, 0.95)]
    cells += [f"{rank(peer, share) / rank(ours, share):.1f}" if peer else "–" for share in (0.5, 0.95)]
    print(f"| {' | '.join(cells)} | {aim} |")


def main():
    os.makedirs(WORK)
    pull(False, BUTTON)
    twins = Twins()
    ours = measured(Ours(), twins)
    peer = measured(Peer(), twins)
    print(f"\n{RUNS} presses each, on one boot of the virtual board; milliseconds after the kernel's stamp of the edge.\n")
    print("| | Lapel | p95 | gpiozero + arecord | p95 | times faster | p95 | aim |\n|---|---|---|---|---|---|---|---|")
    row("press → light", ours[0], peer[0], "≥ 4 times")
    row("press → first sample", ours[1], peer[1], "≥ 5 times")
    row("press → first period read", ours[2], peer[2], "")
    print(f"\nThe device's own stamps of its presses are {1000 * max(map(abs, ours[3])):.0f} µs from these at most.")


main()
