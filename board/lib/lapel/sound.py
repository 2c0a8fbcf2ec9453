"""The sample sentences as what a microphone hears."""
import array, wave

from lapel.programs import ROOT


def written(path, samples, rate=16000):
    """A WAV file of one channel, 16 bit."""
    with wave.open(str(path), "wb") as target:
        target.setnchannels(1)
        target.setsampwidth(2)
        target.setframerate(rate)
        target.writeframes(samples.tobytes())
    return path


def sentences(path, seconds=None, rate=16000, trimmed=False):
    """The sentences one after another: once, or so many seconds of them; at 48 kHz by linear interpolation. `trimmed`:
    without the quiet around each, so that what is heard is never nothing."""
    samples = array.array("h")
    for name in sorted((ROOT / "board/samples").glob("*.wav")):
        with wave.open(str(name)) as source:
            sentence = array.array("h", source.readframes(source.getnframes()))
        loud = [at for at, value in enumerate(sentence) if abs(value) > 1000] if trimmed else [0, len(sentence)]
        samples.extend(sentence[loud[0]:loud[-1]])
    if seconds:
        samples = (samples * (1 + seconds * 16000 // len(samples)))[: seconds * 16000]
    if rate == 48000:
        wide = array.array("h")
        for here, there in zip(samples, samples[1:] + samples[-1:]):
            wide.extend((here, (2 * here + there) // 3, (here + 2 * there) // 3))
        samples = wide
    return written(path, samples, rate)
