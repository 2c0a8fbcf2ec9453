#!/usr/bin/python3
"""board/test peers [--keep]: tus clients and servers that are not ours, and what they are worth.

    tuspy 1.1.0             uploads 30 MB to lapel-host over mutual TLS, with a certificate that `lapel-host devices add`
                            let in: it stops in the middle, and another process goes on where the host stands
    tuspyserver 4.4.3       lapel ships sealed recordings to it (`foreign = http://…`), in uvicorn
    resumable-upload 0.3.0  the same to its server

Hashes on both sides must be equal. What a foreign server acknowledges must lie in the device's sent/, with nothing in out/:
its word is no receipt. The peers come from pip into the user's cache, once; where pip reaches nothing this exits 69.
--keep leaves the folder.
"""
import argparse, functools, hashlib, json, os, re, shutil, subprocess
from pathlib import Path

from lapel import peers
from lapel.alone import alone, free_port
from lapel.programs import Lost, ends, not_run, programs, quietly, workplace
from lapel.sound import sentences
from lapel.world import World

PEERS = ("tuspy==1.1.0", peers.TUSPYSERVER, "uvicorn", "resumable-upload==0.3.0")
SIZE, STOP = 30_000_000, 11_000_000

# One upload in a process of its own: from the start, or from where the host stands. Prints the upload's URL.
TUSPY = """
import sys, urllib3
from tusclient.client import TusClient
urllib3.disable_warnings()
server, certificate, key, file, stop, url, checksum = sys.argv[1:]
client = TusClient(server, client_cert=(certificate, key))
uploader = client.uploader(file, chunk_size=1_000_000, url=url or None, verify_tls_cert=False,
                           metadata={"filename": "thirty.bin", "filetype": "application/octet-stream"},
                           upload_checksum=checksum == "yes")
print(uploader.offset, flush=True)
uploader.upload(stop_at=int(stop))
print(uploader.url, uploader.offset)
"""

RESUMABLE = """
import os
from http.server import ThreadingHTTPServer
from resumable_upload import SQLiteStorage, TusHTTPRequestHandler, TusServer
files = os.environ["FILES"]
class Handler(TusHTTPRequestHandler):
    tus_server = TusServer(storage=SQLiteStorage(db_path=files + ".db", upload_dir=files), base_path="/files")
ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
"""


def digest(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def tuspy(folder, programs, sound, name, interpreter):
    """A client of another make: let in by its key, stopped, resumed."""
    world = World(folder, programs, sound)
    try:
        world.serve()
        certificate, key, file = folder / "client.pem", folder / "client.key", folder / "thirty.bin"
        quietly("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "9",
                "-subj", "/CN=tuspy", "-keyout", key, "-out", certificate)
        public = subprocess.run(["openssl", "pkey", "-in", key, "-pubout", "-outform", "DER"], check=True, capture_output=True).stdout
        file.write_bytes(os.urandom(SIZE))
        server = f"https://127.0.0.1:{world.port}/v1/up"

        def upload(stop, url="", checksum="no", fails=False):
            done = subprocess.run([interpreter, "-c", TUSPY, server, certificate, key, file, str(stop), url, checksum],
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True)
            if bool(done.returncode) != fails:
                raise Lost(f"tuspy {'was let in' if fails else 'failed'}: {(done.stderr or done.stdout)[-600:]}")
            return done.stdout.split()

        upload(STOP, fails=True)
        world.command("lapel-host", "devices", "add", "--pin", hashlib.sha256(public).hexdigest(), "--name", "tuspy", "--dir", world.host)
        _, url, stood = upload(STOP)
        began, url, ended = upload(SIZE, url)
        if (stood, began, ended) != (str(STOP), str(STOP), str(SIZE)):
            raise Lost(f"stopped at {stood}, went on at {began}, ended at {ended}")
        # The checksum extension: each piece with its SHA-1.
        upload(SIZE, checksum="yes")
        listed = json.loads(world.command("lapel-host", "files", "--dir", world.host, "--json").stdout)
        wanted = digest(file)
        found = [(entry["sha256"], digest(entry["path"]), entry["bytes"]) for entry in listed]
        if found != [(wanted, wanted, SIZE)] * 2:
            raise Lost(f"sent {wanted}, the host has {found}")
        print(f"tuspy 1.1.0 → lapel-host: 30 MB, stopped at {STOP:,} bytes and resumed there; once more with checksums. "
              f"SHA-256 {wanted[:16]}… on both sides; refused before it was let in")
    finally:
        world.end()


def foreign(folder, programs, sound, name, interpreter, source, arguments):
    """Two recordings of a device without a host, shipped to somebody's server."""
    world = World(folder, programs, sound)
    files, port, log = folder / "files", free_port(), folder / "server.log"
    files.mkdir()
    server = peers.served(interpreter, source, arguments, files, port, log)
    try:
        url = f"http://127.0.0.1:{port}/files"
        if "sealed" not in world.command("lapel", "run", "--simulate", "--mic", sound, "--press", "1", "--seal", "off", "--foreign", url,
                                         "--outbox-dir", world.device, fails=True).stderr:
            raise Lost("a device that does not seal was let at a foreign server")
        # The second is a WAV of 256 kB and more.
        for form, press in (("opus", "0.3+2"), ("wav", "0.3+9")):
            world.command("lapel", "run", "--simulate", "--mic", sound, "--mode", "hold", "--format", form, "--press", press,
                          "--foreign", url, "--outbox-dir", world.device)
        if left := world.left():
            raise Lost(f"{name}: still on the device: {left}")
        listed = json.loads(world.command("lapel", "outbox", "--outbox-dir", world.device, "--json").stdout)
        if [item["place"] for item in listed] != ["sent", "sent"] or not all(item["sealed"] for item in listed):
            raise Lost(f"{name}: the outbox holds {listed}")
        ours = sorted(digest(path) for path in (world.device / "sent").glob("*.age"))
        theirs = sorted(digest(path) for path in files.rglob("*") if path.is_file() and is_upload(path))
        if len(ours) != 4 or ours != theirs:
            raise Lost(f"{name}: sent {ours}, the server has {theirs}")
        print(f"lapel → {name}: 2 recordings, 4 sealed files, the largest of {max(item['bytes'] for item in listed):,} bytes; "
              f"equal hashes ({', '.join(hash[:8] for hash in ours)}); all in sent/, none let go")
    finally:
        server.terminate()
        server.wait()
        world.end()


def is_upload(path):
    """tuspyserver keeps notes beside its files."""
    return not path.suffix and path.read_bytes()[:14] == b"age-encryption"


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--keep", action="store_true")
    keeps = options.parse_args().keep
    if not shutil.which("openssl"):
        not_run("openssl is not installed; board/deps --for test installs it.")
    built = programs()
    try:
        interpreter = peers.python("peers", *PEERS)
    except Lost as problem:
        not_run(problem)
    alone()
    failed = 0
    with workplace("peers", keeps) as folder:
        sound = sentences(folder / "microphone.wav", 20, trimmed=True)
        for name, part in (
            ("tuspy", tuspy),
            ("tuspyserver 4.4.3", functools.partial(foreign, source=peers.APPLICATION, arguments=peers.UVICORN)),
            ("resumable-upload 0.3.0", functools.partial(foreign, source=RESUMABLE, arguments=("served.py",))),
        ):
            place = folder / re.sub(r"\W", "-", name)
            place.mkdir()
            try:
                part(place, built, sound, name, interpreter)
            except (Lost, subprocess.SubprocessError, OSError, ValueError, KeyError) as problem:
                failed += 1
                print(f"FAILED {name}: {problem}")
    return 1 if failed else 0


ends(main)
