"""A road between a device and its host that breaks where it is told to. TCP only: what the two say is sealed to both."""
import collections, socket, struct, threading, time

# What happens to a connection after `at` bytes of one direction:
#   reset    both ends hear a reset                     end     both ends hear an orderly end
#   orphan   the device hears a reset, the host nothing: its connection stays half open
#   hang     nothing more arrives at either end         swallow what this direction still sends is gone
#   trickle  a byte a second for `seconds`, then free   late    nothing for `seconds`, then free
#   latency  each piece takes so many `seconds`         flip    one bit is another
#   repeat   what came is delivered twice               portal  a page of HTML instead of a host
#   act      `act` is called with the road, `seconds` after the byte was passed on; nothing else happens
Fault = collections.namedtuple("Fault", "kind direction at seconds act", defaults=("up", 0, 0.0, None))

PAGE = b"<html><title>Welcome</title><body>Please accept the terms to use this network.</body></html>"
PORTAL = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\nUpload-Offset: 0\r\n\r\n%s" % (len(PAGE), PAGE)


def reset(side):
    try:
        side.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        # Whoever is reading from it in another thread wakes up; the reset follows with the close.
        side.shutdown(socket.SHUT_RD)
    except OSError:
        pass
    side.close()


class Road:
    """One connection. Two threads, one for each direction."""

    def __init__(self, proxy, device, fault):
        self.proxy, self.device, self.fault = proxy, device, fault
        self.host = socket.create_connection(proxy.target)
        for side in (self.device, self.host):
            side.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.silent = self.broken = False
        self.timeline = []
        for direction in ("up", "down"):
            threading.Thread(target=self.pump, args=(direction,), daemon=True).start()

    def pump(self, direction):
        source, sink = (self.device, self.host) if direction == "up" else (self.host, self.device)
        fault = self.fault if self.fault and self.fault.direction == direction else None
        passed, struck, until = 0, False, None
        try:
            while piece := source.recv(65536):
                self.timeline.append((direction, len(piece)))
                if fault and fault.kind == "latency":
                    self.proxy.stopped.wait(fault.seconds)
                if fault and not struck and passed + len(piece) > fault.at:
                    struck = True
                    before = max(0, fault.at - passed)
                    self.send(sink, piece[:before], direction)
                    passed, piece = passed + before, piece[before:]
                    if fault.kind in ("reset", "end", "orphan"):
                        return self.cut(fault.kind)
                    if fault.kind in ("hang", "swallow"):
                        self.silent = self.silent or fault.kind == "hang"
                        fault = fault._replace(kind="swallow")
                    elif fault.kind == "late":
                        self.proxy.stopped.wait(fault.seconds)
                    elif fault.kind == "trickle":
                        until = time.monotonic() + fault.seconds
                    elif fault.kind == "act":
                        self.send(sink, piece, direction)
                        self.proxy.stopped.wait(fault.seconds)
                        fault.act(self)
                        continue
                    elif fault.kind == "flip":
                        piece = bytes([piece[0] ^ 1]) + piece[1:]
                    elif fault.kind == "repeat":
                        piece += piece
                passed += len(piece)
                if self.silent or (struck and fault.kind == "swallow"):
                    continue
                while piece and until and time.monotonic() < until and not self.proxy.stopped.wait(1):
                    self.send(sink, piece[:1], direction)
                    piece = piece[1:]
                self.send(sink, piece, direction)
            if not self.silent and not self.broken:
                sink.shutdown(socket.SHUT_WR)
        except OSError:
            # A reset on one side is one on the other.
            if not self.silent and not self.broken:
                self.cut("reset")

    def stretch(self):
        """How often the direction has changed: 0 and 1 are the handshake, then requests are even and answers odd."""
        directions = [direction for direction, _ in self.timeline]
        return sum(a != b for a, b in zip(directions, directions[1:]))

    def send(self, sink, piece, direction):
        sink.sendall(piece)
        self.proxy.count(direction, len(piece))

    def cut(self, kind):
        self.broken = True
        if kind == "end":
            for side in (self.device, self.host):
                try:
                    side.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
            return
        reset(self.device)
        if kind == "reset":
            reset(self.host)

    def close(self):
        self.broken = True
        for side in (self.device, self.host):
            try:
                side.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            side.close()


class Proxy:
    """`faults`: of the connections in their order; those after them are left alone."""

    def __init__(self, target, faults=()):
        self.target, self.faults = target, list(faults)
        self.stopped, self.lock = threading.Event(), threading.Lock()
        self.bytes = {"up": 0, "down": 0}
        self.roads, self.connections = [], 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                device, _ = self.listener.accept()
            except OSError:
                return
            fault = self.faults.pop(0) if self.faults else None
            self.connections += 1
            if fault and fault.kind == "portal":
                threading.Thread(target=self.portal, args=(device,), daemon=True).start()
                continue
            try:
                self.roads.append(Road(self, device, fault))
            except OSError:
                reset(device)

    @staticmethod
    def portal(device):
        with device:
            try:
                device.recv(4096)
                device.sendall(PORTAL)
            except OSError:
                pass

    def count(self, direction, number):
        with self.lock:
            self.bytes[direction] += number

    def stop(self):
        self.stopped.set()
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for road in self.roads:
            road.close()
