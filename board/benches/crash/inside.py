"""inside.py: what runs in a machine whose power is cut: a host and its device, each on a disk of its own, and a thumb.

    inside.py SEED DEVICE_DISK HOST_DISK [PRELOAD [patient]]    records until the power goes
    inside.py drain DEVICE_DISK HOST_DISK                       sends what is left, and tells what the host has

Every line of its output leaves the machine before the next thing happens; what the machine has not said when it is cut,
nobody was told. `beat NS` is the machine's monotonic clock, by which the other stamps are to be read outside.
"""
import glob, json, os, random, socket, subprocess, sys, threading, time

seed, *disks = sys.argv[1:4]
preload = sys.argv[4] if len(sys.argv) > 4 and sys.argv[4] != "-" else None
# Presses again only when what was said before is kept: on a slow machine it would wait behind that.
patient = sys.argv[5:] == ["patient"]
kept = threading.Event()
programs, microphone = "/io", "/io/microphone.wav"
environment = {**os.environ, **({"LD_PRELOAD": preload} if preload else {})}
lock = threading.Lock()


def tell(*words):
    with lock:
        sys.stdout.write(" ".join(map(str, words)) + "\n")
        sys.stdout.flush()


def follow(stream, prefix):
    for line in stream:
        tell(prefix, line.rstrip("\n"))
        if " kept seconds=" in line or line.rstrip().endswith(" discarded"):
            kept.set()


def start(name, *arguments):
    program = subprocess.Popen([f"{programs}/{name}", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, env=environment)
    threading.Thread(target=follow, args=(program.stdout, name), daemon=True).start()
    return program


def until(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            tell("failed", what)
            sys.exit(1)
        time.sleep(0.01)


def journal():
    """The device's journal, line by line as it is written: which recordings begin, which end."""
    seen = {name: os.path.getsize(name) for name in glob.glob(f"{device}/ledger/*")}
    while True:
        for name in sorted(glob.glob(f"{device}/ledger/*")):
            with open(name, "rb") as file:
                file.seek(seen.get(name, 0))
                more = file.read()
            whole = more[: more.rfind(b"\n") + 1]
            seen[name] = seen.get(name, 0) + len(whole)
            for line in whole.decode(errors="replace").splitlines():
                tell("journal", line)
        time.sleep(0.02)


def beats():
    while True:
        tell("beat", time.monotonic_ns())
        time.sleep(0.2)


for number, disk in enumerate(disks):
    os.makedirs(f"/disk{number}", exist_ok=True)
    subprocess.run(["mount", "-t", "ext4", disk, f"/disk{number}"], check=True)
device, host = "/disk0/lapel", "/disk1/host"
threading.Thread(target=beats, daemon=True).start()
open("/run/lapel.conf", "w").close()
run = ["run", "--simulate", "--mic", microphone, "--mode", "hold", "--config", "/run/lapel.conf", "--outbox-dir", device]
serving = start("lapel-host", "serve", "--dir", host, "--listen", "127.0.0.1:8443", "--json")
until(lambda: os.path.exists(f"{host}/listening"), "the host listens")
if seed == "drain":
    over = subprocess.run([f"{programs}/lapel", *run, "--press", "none"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True)
    for line in over.stderr.splitlines():
        tell("lapel", line)
    for command in ("check", "list"):
        out = subprocess.run([f"{programs}/lapel-host", command, "--dir", host, "--json"], stdout=subprocess.PIPE, text=True)
        tell(command, json.dumps(json.loads(out.stdout)))
    left = sorted(f"{place}/{name}" for place in ("rec", "out", "parked") for name in os.listdir(f"{device}/{place}")
                  if not name.startswith("spare."))
    tell("left", json.dumps(left))
    serving.terminate()
    serving.wait()
    for number in (0, 1):
        subprocess.run(["umount", f"/disk{number}"], check=True)
    tell("drained", over.returncode)
    sys.exit(0)

threading.Thread(target=journal, daemon=True).start()
start("lapel", *run, "--panel", "/run/panel")
until(lambda: os.path.exists(f"{device}/control") and os.path.exists("/run/panel"), "the device runs")
thumb = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
thumb.bind("/run/thumb")
until(lambda: not thumb.connect_ex("/run/panel"), "the panel is there")
chance = random.Random(int(seed))
tell("ready")
while True:
    kept.clear()
    thumb.send(b"press")
    tell("pressed", time.monotonic_ns())
    # Mostly short ones, of which more are finished; now and then one that is synced several times.
    time.sleep(chance.uniform(0.6, 1.2) if chance.random() < 0.7 else chance.uniform(2, 5))
    thumb.send(b"release")
    tell("released", time.monotonic_ns())
    if patient or chance.random() < 0.5:
        kept.wait(30)
    time.sleep(chance.uniform(0.15, 0.4))
