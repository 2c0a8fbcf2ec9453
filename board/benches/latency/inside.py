"""The part of board/bench latency that runs on the virtual board: inside.py RUNS"""
import json, math, os, re, subprocess, sys, time

RUNS = int(sys.argv[1])
LAPEL = os.environ["LAPEL_BIN"] + "/lapel"
DEVICE = "hw:Loopback,1"
STATUS = "/proc/asound/Loopback/pcm1c/sub0/status"
BUTTON, LAMP = 17, 27
WORK = "/tmp/latency"


def folder(offset):
    return subprocess.run(["line", str(offset)], check=True, capture_output=True, text=True).stdout.strip()


line = os.open(f"{folder(BUTTON)}/pull", os.O_WRONLY)
lamp = os.open(f"{folder(LAMP)}/value", os.O_RDONLY)


def pull(down):
    os.write(line, b"pull-down" if down else b"pull-up")


pressed = 0


def give_up(why):
    """Says what stood when it went wrong: the press, the card, and the last words of both programs."""
    for name in ("lapel.log", "peer.log"):
        if os.path.exists(f"{WORK}/{name}"):
            with open(f"{WORK}/{name}") as file:
                print(f"{name}: ...", *file.readlines()[-8:], sep="\n  ", file=sys.stderr)
    with open(STATUS) as file:
        print("card:", file.read().strip(), file=sys.stderr)
    sys.exit(f"bench: at press {pressed}: {why}")


def until(what, condition, seconds=20, pause=0.02):
    end = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > end:
            give_up(f"waited {seconds} s in vain: {what}.")
        time.sleep(pause)
    return found


def lamp_is_lit():
    return os.pread(lamp, 2, 0)[:1] == b"1"


def triggered():
    """When the capture was started, in nanoseconds; None while it is not."""
    with open(STATUS) as file:
        status = file.read()
    at = re.search(r"trigger_time: (\d+)\.(\d{9})", status)
    return int(at[1]) * 10**9 + int(at[2]) if at and "state: RUNNING" in status else None


def card_is_closed():
    with open(STATUS) as file:
        return file.read().startswith("closed")


def press():
    """A press of three quarters of a second. When the line was pulled and when the capture was started, in nanoseconds."""
    global pressed
    pressed += 1
    pulled = time.monotonic_ns()
    pull(True)
    # The board's one processor belongs to the program now.
    time.sleep(0.3)
    sample = until("the capture starts", triggered)
    until("the lamp's line is high", lamp_is_lit)
    time.sleep(0.4)
    return pulled, sample


def release():
    pull(False)
    until("the lamp is off and the card closed", lambda: not lamp_is_lit() and card_is_closed())


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
        """The edge as the kernel stamped it, the light, and the first period read."""
        turn = self.status()["last_turn"]
        edge = turn["press_ns"]
        return edge, edge + turn["press_to_light_us"] * 1000, edge + turn["press_to_first_sample_ms"] * 10**6

    def rest(self):
        until("the turn is over", lambda: self.status()["phase"] == "off")
        time.sleep(0.8)


class Peer:
    name = "gpiozero + arecord"

    def __init__(self):
        self.process = subprocess.Popen(
            [os.environ["LAPEL_PEER_PYTHON"], "board/benches/latency/peer.py", DEVICE, f"{WORK}/peer.wav"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=open(f"{WORK}/peer.log", "w"))
        if self.process.stdout.readline() != b"ready\n":
            give_up("the peer does not start.")

    def stamps(self):
        edge, light = map(int, self.process.stdout.readline().split())
        return edge, light, None

    def rest(self):
        time.sleep(0.8)


def measured(program):
    """Milliseconds after each press's edge: light, first sample, first period read."""
    found = []
    # The first presses find nothing in the caches, of either.
    warm_up = 2
    for _ in range(RUNS + warm_up):
        pulled, sample = press()
        edge, light, period = program.stamps()
        if not 0 <= edge - pulled < 10**8:
            give_up(f"{program.name} has an edge {(edge - pulled) / 1e6:.3f} ms after the line was pulled.")
        release()
        program.rest()
        found.append([stamp and (stamp - edge) / 1e6 for stamp in (light, sample, period)])
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
    pull(False)
    ours = measured(Ours())
    peer = measured(Peer())
    print(f"\n{RUNS} presses each, on one boot of the virtual board; milliseconds after the kernel's stamp of the edge.\n")
    print("| | Lapel | p95 | gpiozero + arecord | p95 | times faster | p95 | aim |\n|---|---|---|---|---|---|---|---|")
    row("press → light", ours[0], peer[0], "≥ 4 times")
    row("press → first sample", ours[1], peer[1], "≥ 5 times")
    row("press → first period read", ours[2], peer[2], "")


main()
