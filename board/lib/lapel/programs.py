"""The built programs and what they are waited for with.

python3 -m lapel.programs prints their folder."""
import contextlib, os, shutil, signal, subprocess, sys, tempfile, time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lapel"
# What a whole folder of programs holds.
WANTED = ("lapel", "lapel-host", "lapel-lab", "libasound_module_pcm_card.so")


class Lost(Exception):
    """What the programs did not do; the check or bench ends."""


def programs():
    """Their folder: the one in $LAPEL_BIN, or the newest under .build. Ends this program with 69 where there is none."""
    if folder := os.environ.get("LAPEL_BIN"):
        return Path(folder).resolve()
    whole = [f for f in (ROOT / ".build/release", ROOT / ".build/debug") if all((f / name).exists() for name in WANTED)]
    if not whole:
        not_run("lapel is not built here: run board/build or swift build first.")
    return max(whole, key=lambda folder: (folder / "lapel").stat().st_mtime).resolve()


def program(name):
    """The path of one of them."""
    return programs() / name


def released():
    """The folder of the optimised programs, which are built if they are not; for figures."""
    return Path(os.environ.get("LAPEL_BIN") or quietly(ROOT / "board/build").strip()).resolve()


def ends(main):
    """Runs a check or a bench: its exit code is what `main` returns, and what the programs did not do is 1."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(130))
    try:
        sys.exit(main())
    except Lost as lost:
        print(f"FAILED: {lost}")
        sys.exit(1)


@contextlib.contextmanager
def workplace(name, keeps=False):
    """A temporary folder; to be looked at afterwards, or removed."""
    folder = Path(tempfile.mkdtemp(prefix=f"lapel-{name}."))
    try:
        yield folder
    finally:
        if keeps:
            print(f"the folder stays: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)


def not_run(why):
    """Ends this program as one that could not run here."""
    print(why, file=sys.stderr)
    sys.exit(69)


def quietly(*command, **more):
    """Runs a command to its end; its output, or Lost with the end of what it said."""
    done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True, **more)
    if done.returncode:
        raise Lost(f"{' '.join(map(str, command[:3]))} failed ({done.returncode}): {(done.stderr or done.stdout)[-400:]}")
    return done.stdout


def until(condition, what, seconds=180, pause=0.005):
    """What a condition gives when it gives something. `what`: words, or a function that finds them when it is too late.

    A machine that does other things meanwhile is no fault: the limit is only there to end."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(pause)
    raise Lost(f"waited {seconds} s in vain: {what() if callable(what) else what}")


def compiled(source, target, *options):
    """A C file made into a program or a library by whichever compiler there is; None without one."""
    compiler = next(filter(shutil.which, ("cc", "gcc", "clang")), None)
    if compiler:
        quietly(compiler, "-O2", "-Wall", "-Wextra", "-Werror", "-o", target, source, *options)
        return target


def library(source, folder):
    """A library to be preloaded; None without a compiler."""
    return compiled(source, folder / f"{source.stem}.so", "-shared", "-fPIC", "-ldl")


if __name__ == "__main__":
    print(programs())
