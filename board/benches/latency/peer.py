"""A button that lights an LED and starts arecord, as gpiozero's manual has it: peer.py DEVICE FILE.wav

Says, of each press, the kernel's stamp of the edge, as gpiozero keeps it, and when the LED's call had returned, by
CLOCK_MONOTONIC in nanoseconds."""
import signal, subprocess, sys, time
from gpiozero import LED, Button
from gpiozero.pins.lgpio import LGPIOFactory


class Factory(LGPIOFactory):
    def _get_revision(self):
        return 0xA020D3  # a Raspberry Pi 3 B+: this machine has no revision to be asked for


device, file = sys.argv[1:]
factory = Factory(chip=0)
led, button = LED(27, pin_factory=factory), Button(17, pin_factory=factory)
recorder = None


def pressed():
    global recorder
    led.on()
    lit = time.monotonic_ns()
    recorder = subprocess.Popen(["arecord", "-q", "-D", device, "-f", "S16_LE", "-r", "16000", "-c", "1", file])
    print(round(button._last_changed * 10**9), lit, flush=True)


def released():
    recorder.terminate()
    recorder.wait()
    led.off()


button.when_pressed, button.when_released = pressed, released
print("ready", flush=True)
signal.pause()
