"""The end rule on top of one probability per frame. It decides after every fifth frame, that is every 100 ms, and looks at no later frame."""

from dataclasses import dataclass, replace

FRAME = 0.02
FRAMES_PER_READING = 5


@dataclass(frozen=True)
class Parameters:
    on: float = 0.4  # speech begins at this probability
    off: float = 0.3  # and lasts until it falls below this one
    shortest: int = 2  # frames: shorter runs are dropped
    sure: float = 0.65  # a frame of this probability confirms
    confirm: int = 12  # so many confirming frames …
    within: int = 125  # … within so many make the turn one with speech …
    certain: float = 0.948  # … if, of the confirming, those of this probability …
    share: float = 0.2  # … are at least this share: a voice across the room is seldom certain
    uncertain: int = 125  # once so many frames of speech in a row, over pauses, were not certain …
    uncertain_share: float = 0.05  # … the turn is one with speech only while, of all of them, this share is certain: babble goes on and on
    word: int = 40  # speech of at most so many frames in all needs no certain ones when a full pause follows: a word, then nothing
    hangover: float = 3.0  # seconds of no speech that end a confirmed turn
    slow: float = 0.0  # quick only, 0 is off: the hangover in seconds after a doubtful pause …
    doubt: float = 0.1  # … one in which a probability exceeded this …
    grace: int = 10  # … later than so many frames after the last speech


CALM = Parameters()
QUICK = replace(CALM, hangover=1.05, slow=2.4, doubt=0.0138, grace=25)


def run(probabilities, lag, parameters=CALM):
    """-> (end in seconds or None, seconds of speech, whether speech was confirmed)."""
    k = parameters
    on = enough = heard = False
    length = counted = last = 0
    doubt = 0.0
    ring = [(0, 0)] * k.within  # of each frame: whether it is sure, whether it is certain
    sures = certains = 0
    talk = sure_talk = certain_talk = run_of_uncertain = longest_uncertain = 0
    for t, p in enumerate(probabilities.tolist()):
        if p >= k.on:
            on = True
        elif p < k.off:
            on = False
        length = length + 1 if on else 0
        speech = length >= k.shortest
        if speech:
            counted += k.shortest if length == k.shortest else 1
            last = t
            doubt = 0.0
            talk += 1
            sure_talk += p >= k.sure
            certain_talk += p >= k.certain
            run_of_uncertain = 0 if p >= k.certain else run_of_uncertain + 1
            longest_uncertain = max(longest_uncertain, run_of_uncertain)
        elif t - last > k.grace:
            doubt = max(doubt, p)
        left = ring[t % k.within]
        here = ring[t % k.within] = (int(speech and p >= k.sure), int(speech and p >= k.certain))
        sures += here[0] - left[0]
        certains += here[1] - left[1]
        enough = enough or (sures >= k.confirm and certains >= k.share * sures - 1e-6)
        heard = enough and (longest_uncertain < k.uncertain or certain_talk >= k.uncertain_share * talk - 1e-6)
        word = sure_talk >= k.confirm and talk <= k.word
        if (heard or word) and t % FRAMES_PER_READING == FRAMES_PER_READING - 1:
            hangover = k.slow if k.slow > 0 and (doubt > k.doubt or not heard) else k.hangover
            if (t - last + lag) * FRAME >= hangover - 1e-6:
                return (t + 1) * FRAME, counted * FRAME, True
    return None, counted * FRAME, heard
