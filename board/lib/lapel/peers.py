"""What is not ours: Python's packages in the user's cache, and the tus server that two scripts measure themselves by.

python3 -m lapel.peers NAME PACKAGE... prints the interpreter that has such packages; exits 69 where they cannot be had."""
import os, shutil, socket, subprocess, sys

from lapel.programs import CACHE, Lost, not_run, quietly, until

TUSPYSERVER = "tuspyserver==4.4.3"
APPLICATION = """
import os
from fastapi import FastAPI
from tuspyserver import create_tus_router
app = FastAPI()
app.include_router(create_tus_router(prefix="files", files_dir=os.environ["FILES"]))
"""
UVICORN = ("-m", "uvicorn", "--port", "PORT", "--no-access-log", "served:app")


def python(name, *packages):
    """The interpreter of an environment in the user's cache that holds these, made once; Lost where pip reaches nothing."""
    place = CACHE / name
    ready, wanted = place / "ready", " ".join(packages)
    if not ready.exists() or ready.read_text() != wanted:
        shutil.rmtree(place, ignore_errors=True)
        quietly(sys.executable, "-m", "venv", "--clear", place)
        try:
            quietly(place / "bin/pip", "install", "-q", "--retries", "1", "--timeout", "20", *packages, timeout=600)
        except (Lost, subprocess.TimeoutExpired) as problem:
            raise Lost(f"pip cannot fetch {wanted}: {problem}") from None
        ready.write_text(wanted)
    return place / "bin/python"


def served(interpreter, source, arguments, files, port, log):
    """A server of such an environment, when it listens. PORT in its arguments is its port, $FILES its folder."""
    (files.parent / "served.py").write_text(source)
    server = subprocess.Popen([interpreter, *(word.replace("PORT", str(port)) for word in arguments)], cwd=files.parent,
                              env={**os.environ, "FILES": str(files), "PORT": str(port)}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=open(log, "w"))

    def listens():
        if server.poll() is not None:
            raise Lost(f"it ended: {log.read_text()[-400:]}")
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    until(listens, "it serves")
    return server


if __name__ == "__main__":
    try:
        print(python(*sys.argv[1:]))
    except Lost as lost:
        not_run(lost)
