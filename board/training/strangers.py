"""Voices and noises from Debian's archive that neither the training nor any choice has met: the last test.

Seven voices of six people in six languages (announcements of a telephone exchange, two actors of a game), noises of a town
and of engines, music. FOLDER holds the packages' files, unpacked; ffmpeg reads them:

    apt-get download asterisk-core-sounds-{en,es,fr,it,ru}-g722 fillets-ng-data-nl lincity-ng-data searchandrescue-data \\
        colobot-common-sounds && for f in *.deb; do dpkg -x $f FOLDER; done      # 230 MB
"""

import subprocess
import zlib
from pathlib import Path

import numpy as np

from noises import RATE, unit

ASTERISK = ("en_US_f_Allison", "es_MX_f_Allison", "fr_CA_f_June", "it_IT_m_Carlo", "ru_RU_f_IvrvoiceRU")
FISH = ("m", "v")
CLIPS = 120  # of each voice; those that are not clean fall out
TOWN = {  # loops of 4 s, those of a kind one after another
    "traffic": "Trafic*", "rails": "RailTrain*", "blacksmith": "Blacksmith*", "harbour": "Harbor*", "water": "Water*", "farm": "Farm*",
    "mine": "OreMine*", "windmill": "WindMill[0-9]*", "market": "Market*", "stadium": "SportsCroud*"}
TALKING = {"market", "stadium", "babble"}
ENGINES = ("jet_engine_inside*", "engine_inside*", "hh6*/engine_inside*")
MUSIC = ("Constructive.ogg", "music005.ogg")
CLICKS = Path("/usr/share/buckle/wav")  # the releases: training has presses


def _read(file):
    """16 kHz, whatever the format."""
    run = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", file, "-ac", "1", "-ar", str(RATE), "-f", "f32le", "-"], check=True, capture_output=True)
    return np.frombuffer(run.stdout, "<f4")


def _bed(files):
    x = np.concatenate([unit(x - x.mean()) for x in map(_read, files)])
    return unit(x)


def speakers(folder):
    """As the bench's pool has them. Clips in the order of a checksum of their names."""
    import pools

    share = Path(folder) / "usr/share"
    files = {voice: [f for f in (share / "asterisk/sounds" / voice).rglob("*.g722") if f.parent.name != "silence"] for voice in ASTERISK}
    for fish in FISH:
        files[f"nl_{fish}"] = list((share / "games/fillets-ng/sound").glob(f"*/nl/*-{fish}-*.ogg"))
    pool = {}
    for voice, clips in files.items():
        clips.sort(key=lambda f: zlib.crc32(str(f.relative_to(folder)).encode()))
        for file in clips[:CLIPS]:
            phrases, active, floor = pools.phrases(_read(file))
            if active - floor < 38:
                continue
            for phrase in phrases:
                phrase |= dict(src=file.name, act=active)
            # The name of the corpus makes them the voices of the bench's babble, too.
            pool.setdefault(voice, dict(corpus="librispeech", ph=[]))["ph"] += phrases
    return pool


def beds(folder):
    games = Path(folder) / "usr/share/games"
    found = {name: _bed(sorted((games / "lincity-ng/sounds").glob(pattern + ".wav"))) for name, pattern in TOWN.items()}
    found["engine"] = _bed([f for pattern in ENGINES for f in sorted((games / "searchandrescue/sounds").glob(pattern))])
    return found


def music(folder):
    return [_bed([Path(folder) / "usr/share/games/colobot/music" / name])[15 * RATE : 75 * RATE] for name in MUSIC]


def clicks():
    return [_read(f) for f in sorted(CLICKS.glob("*-0.wav"))]
