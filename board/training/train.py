"""Makes the weights of the speech network from the recordings: mixes, fits, rounds to 8 bits, writes.

    python train.py --sources DIR --seed 1 OUT.bin [--swift FILE] [--part fit|train|all]

DIR is the folder of the endpoint data: `sources/`, `noise-train/`, `bench/`. OUT.bin is a function of DIR, the seed and the
options on one machine. See README.md for what to install and how long it takes.
"""

import argparse
import hashlib
import os
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
# One thread: sums in one order, and for matrices this small a second thread only waits.
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

import numpy as np  # noqa: E402

import fit  # noqa: E402
import mixing  # noqa: E402
import network  # noqa: E402
from sources import Sources  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", required=True, help="the folder of the endpoint data")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", choices=("all", "train", "fit"), default="all", help="see sources.py")
    parser.add_argument("--examples", type=int, default=EXAMPLES)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--dense", type=int, default=DENSE)
    parser.add_argument("--hidden", type=int, default=HIDDEN)
    parser.add_argument("--lag", type=int, default=LAG, help="frames the output may look back from")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--mixtures", help="an .npz file: read if it exists, else made and kept")
    parser.add_argument("--swift", help="also write the weights as Swift source")
    parser.add_argument("out")
    a = parser.parse_args()

    began = time.monotonic()
    log = lambda text: print(f"{time.monotonic() - began:5.0f} s  {text}", flush=True)
    if a.mixtures and Path(a.mixtures).exists():
        kept = np.load(a.mixtures)
        examples = [kept[k] for k in ("spectra", "speech", "weight")]
    else:
        sources = Sources(a.sources, a.part)
        log(f"{len(sources.speakers)} speakers, {len(sources.noises)} noises of the part '{a.part}'")
        examples = mixing.mixtures(sources, a.seed, a.examples, a.workers)
        if a.mixtures:
            np.savez(a.mixtures, spectra=examples[0], speech=examples[1], weight=examples[2])
    log(f"{len(examples[0])} mixtures of {mixing.SECONDS} s, {100 * examples[1].mean():.0f} % speech")
    weights = fit.fit(*examples, a.seed, a.dense, a.hidden, a.lag, a.steps, log=log)
    data = network.pack(weights, a.lag)
    Path(a.out).write_bytes(data)
    made = (f"43 inputs, dense {a.dense}, GRU {a.hidden}, lag {a.lag}; part '{a.part}', seed {a.seed}, {len(examples[0])} mixtures, "
            f"{a.steps} steps; {len(data)} bytes, SHA-256 {hashlib.sha256(data).hexdigest()[:16]}")
    log(made)
    if a.swift:
        Path(a.swift).write_text(network.swift(data, made + "."))


EXAMPLES, STEPS, DENSE, HIDDEN, LAG = 9000, 2600, 32, 64, 3

if __name__ == "__main__":
    main()
