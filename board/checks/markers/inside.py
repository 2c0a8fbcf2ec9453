"""inside.py SEAL DISK TEXT: the whole life of recordings of a marker tone, on a virtual board whose card is DISK.

An unpaired device records, is paired, and sends; then it records in every format; in the end its host is away, one
recording waits, and the device is killed in the middle of another. The host's folder lies in memory, not on the card.
"""
import glob, json, os, subprocess, sys, time

seal, disk, text = sys.argv[1:]
os.makedirs("/card")
subprocess.run(["mount", "-t", "ext4", disk, "/card"], check=True)
host, device = "/run/host", "/card/lapel"
open("/run/lapel.conf", "w").close()


def recording(press, *more):
    seals = ["--seal", "off"] if seal == "off" else []
    return ["/io/lapel", "run", "--simulate", "--mic", "/io/marker.wav", "--mode", "hold", "--highpass", "off", "--press", press,
            "--config", "/run/lapel.conf", "--outbox-dir", device, "--device-name", text + "-device", "--participant",
            text + "-participant", "--session", text + "-session", *seals, *more]


def run(*command, fails=False):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    print("said", " ".join(command[:2]), done.returncode, done.stderr.replace("\n", " | ")[-600:], flush=True)
    if done.returncode and not fails:
        sys.exit(1)
    return done.stdout


def unfinished():
    """Bytes of the recording that runs, without the zeros that are only reserved."""
    found = 0
    for name in glob.glob(f"{device}/rec/*"):
        try:
            with open(name, "rb") as file:
                found = max(found, len(file.read().rstrip(b"\0")))
        except OSError:
            pass  # renamed meanwhile
    return found


run(*recording("0.1+1.5"))
serving = subprocess.Popen(["/io/lapel-host", "serve", "--dir", host, "--listen", "127.0.0.1:8443"], stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
while not os.path.exists(f"{host}/listening"):
    time.sleep(0.02)
url = json.loads(run("/io/lapel-host", "pair", "--dir", host, "--json"))["url"]
run("/io/lapel", "pair", url, "--outbox-dir", device, "--device-name", text + "-device")
for form in ("opus", "flac", "wav"):
    run(*recording("0.1+2.2", "--format", form))
stored = json.loads(run("/io/lapel-host", "list", "--dir", host, "--json"))
print("stored", sum(item["state"] == "stored" for item in stored), flush=True)
serving.kill()
serving.wait()
for form in ("wav", "opus"):
    last = subprocess.Popen(recording("0.1+1.5,1.8+60", "--format", form), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)
    # More than the first press may have: of the second, some seconds are on the card.
    while unfinished() < (100_000 if form == "wav" else 9_000):
        time.sleep(0.02)
    last.kill()
    last.wait()
os.sync()
print("waiting", len(os.listdir(f"{device}/out")), "unfinished", len(os.listdir(f"{device}/rec")), flush=True)
print("done", flush=True)
time.sleep(600)
