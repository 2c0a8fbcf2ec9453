"""Device and host in network namespaces of their own: links go down and up, and addresses change."""
import itertools, os, random, subprocess, time

from lapel.programs import Lost, quietly, until

HOST, DEVICE = "10.77.0.1", "10.77.0.2"
PORT = 8443


def ip(*words):
    quietly("ip", *words)


class Cable:
    """Two namespaces and a cable of 2 Mbit/s between them."""

    numbers = itertools.count()

    def __init__(self):
        number = next(self.numbers)
        self.host, self.device = (f"lapel-{role}-{os.getpid()}-{number}" for role in ("host", "device"))
        self.made = []

    def __enter__(self):
        for name in (self.host, self.device):
            ip("netns", "add", name)
            self.made.append(name)
        ip("-n", self.host, "link", "add", "dev", "cable", "type", "veth", "peer", "name", "cable", "netns", self.device)
        for name, address in ((self.host, HOST), (self.device, DEVICE)):
            ip("-n", name, "address", "add", f"{address}/24", "dev", "cable")
            ip("-n", name, "link", "set", "lo", "up")
            ip("-n", name, "link", "set", "cable", "up")
        # Slow enough that a session has a middle; a kernel without it has a short middle.
        subprocess.run(["ip", "netns", "exec", self.device, "tc", "qdisc", "add", "dev", "cable", "root", "tbf", "rate", "2mbit", "burst", "10kb",
                        "latency", "200ms"], capture_output=True)
        return self

    def __exit__(self, *_):
        for name in self.made:
            subprocess.run(["ip", "netns", "del", name], capture_output=True)

    def plug(self, is_in):
        ip("-n", self.device, "link", "set", "cable", "up" if is_in else "down")

    def move(self, name, old, new):
        # In this order: with its first address a network's second ones go too.
        ip("-n", name, "address", "del", f"{old}/24", "dev", "cable")
        ip("-n", name, "address", "add", f"{new}/24", "dev", "cable")

    def sent(self):
        """Bytes that the device has put on the cable."""
        text = subprocess.run(["ip", "netns", "exec", self.device, "cat", "/sys/class/net/cable/statistics/tx_bytes"], capture_output=True, text=True)
        return int(text.stdout or 0)


def session(check, folder, cable, during, chance):
    """A transfer over the cable with something done to it in the middle."""
    world = check.waiting.copy(folder)
    world.port, world.address = PORT, HOST
    world.elsewhere = {"lapel-host": ["ip", "netns", "exec", cable.host], "lapel": ["ip", "netns", "exec", cable.device]}
    try:
        world.serve()
        world.moved(PORT, HOST)
        during(world, cable, chance)
        world.sent()
        world.end()
        return check.waiting.judge(world)
    finally:
        world.kill()


def started(world, cable, chance):
    """Starts the device, and returns when some of the 290 kB are on their way."""
    mark = cable.sent() + chance.randrange(1_000, 200_000)
    world.start()
    until(lambda: cable.sent() >= mark, "bytes are on their way")


def usable():
    """None, or why there are no namespaces here."""
    if os.geteuid() != 0:
        return "network namespaces are for root"
    try:
        with Cable():
            return None
    except Lost as lost:
        return f"network namespaces do not work here: {lost}"


def unplugged(seconds):
    def during(world, cable, chance):
        started(world, cable, chance)
        cable.plug(False)
        time.sleep(seconds)
        cable.plug(True)
    return during


def device_moves(world, cable, chance):
    started(world, cable, chance)
    cable.move(cable.device, DEVICE, "10.77.0.12")


def host_moves(world, cable, chance):
    # The device knows the other address from its settings.
    world.settings.write_text(f"host = 10.77.0.11:{PORT + 1}\n")
    started(world, cable, chance)
    world.serving.terminate()
    world.serving.wait()
    cable.move(cable.host, HOST, "10.77.0.11")
    world.address, world.port = "10.77.0.11", PORT + 1
    world.serve()


CASES = {f"the cable is out for {seconds} s": unplugged(seconds) for seconds in (0.2, 3, 12, 26)} | {
    "the device gets another address": device_moves,
    "the host gets another address and port": host_moves,
}


def run(check, case, folder):
    with Cable() as cable:
        return session(check, folder, cable, CASES[case.name], random.Random(case.name))
