"""What the programs do while one of their calls fails. Each script returns the program that had the shim, its exit code,
what a device called kept, and what else must be on the host in the end."""
import shutil

from faulty import SHORT, Shim
from lapel.programs import Lost

# Seconds that are heard of two presses; the first is long enough for a sync.
HELD = (1.2, 0.8)
PRESSES = f"0.02+{HELD[0]},{HELD[0] + 0.5:.2f}+{HELD[1]}"


def device(world, log, at):
    """A start with what kills left, two presses, everything sent."""
    world.reset()
    world.serve_well()
    code, device = world.record(PRESSES, Shim(world.device, log, at))
    return device, code, device.kept(), world.remains


def pairing(world, log, at):
    """A first start: the device's keys are made, and it is paired; a pairing that failed is tried again."""
    world.reset(paired=False)
    world.serve_well()
    code, pairing = world.pair(Shim(world.device, log, at))
    if code:
        world.pair_well()
    return pairing, code, world.record_well(), {}


def host(world, log, at):
    """A start with what kills left, what waits on the device, one more utterance, asked to end."""
    world.reset()
    host = world.serve(Shim(world.host, log, at))
    code = None if host.runs else host.ends()
    if code is not None:
        world.serve_well()
    _, device = world.record(SHORT)
    if code is None:
        code = world.stop(host)
        world.serve_well()
    if not device.kept():
        raise Lost(f"the device kept nothing: {device.said()[-400:]}")
    return host, code, device.kept(), world.remains


def first_start(world, log, at):
    """A host's first start: its folder, its keys and its database are made; then a device is paired."""
    world.reset(paired=False)
    shutil.rmtree(world.host)
    host = world.serve(Shim(world.host, log, at))
    code = world.stop(host) if host.runs else host.ends()
    world.serve_well()
    world.pair_well()
    return host, code, world.record_well(), {}


ALL = {"device": device, "pairing": pairing, "host": host, "first start": first_start}
