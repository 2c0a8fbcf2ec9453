"""A loopback of one's own. python3 -m lapel.alone COMMAND... runs a command with one.

Nobody else listens on it, and nobody's outgoing connection takes the port of a host that is about to start again. Where
this machine permits no network namespace, hosts and checks share its loopback; then `free_port` alone has to do."""
import ctypes, fcntl, itertools, os, random, socket, struct, sys
from pathlib import Path

# linux/sched.h, linux/sockios.h, linux/if.h
NEWUSER, NEWNET, SET_FLAGS, UP = 0x10000000, 0x40000000, 0x8914, 1
_given = set()


def alone():
    """From here on this process has a network of its own, and so has what it starts. To be called before any thread is
    started, and after whatever needs the real network."""
    unshare, user, group = ctypes.CDLL(None).unshare, os.getuid(), os.getgid()
    if unshare(NEWNET):
        if unshare(NEWUSER | NEWNET):
            return
        for name, line in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            Path(f"/proc/self/{name}").write_text(line)
    with socket.socket() as some:
        fcntl.ioctl(some, SET_FLAGS, struct.pack("16sH14x", b"lo", UP))


def free_port():
    """One that nobody has, below the range from which the kernel gives ports to outgoing connections: let go of, it stays
    free."""
    lowest = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    begin = random.randrange(10_000, max(20_000, lowest - 2_000))
    for port in itertools.count(begin):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        if port not in _given:
            _given.add(port)
            return port


if __name__ == "__main__":
    alone()
    os.execvp(sys.argv[1], sys.argv[1:])
