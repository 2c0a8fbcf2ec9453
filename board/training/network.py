"""The network: 43 inputs -> dense E, tanh -> GRU H -> one probability per 20 ms frame. Weights are a dict of float32 arrays.

`mean`, `scale` standardise the inputs: (x - mean) * scale. Rows of `ix`, `hh` are the gates reset, update, candidate in turn.
"""

import base64
import struct

import numpy as np

MAGIC = b"LPN1"
MATRICES = ("dense", "ix", "hh")
VECTORS = ("mean", "scale", "denseBias", "ixBias", "hhBias", "out", "outBias")


def initial(rng, inputs, dense, hidden):
    uniform = lambda rows, columns, size: rng.uniform(-size, size, (rows, columns)).astype(np.float32)
    zeros = lambda count: np.zeros(count, np.float32)
    k = 1 / np.sqrt(hidden)
    return dict(
        mean=zeros(inputs), scale=np.ones(inputs, np.float32), dense=uniform(dense, inputs, 1 / np.sqrt(inputs)),
        denseBias=zeros(dense), ix=uniform(3 * hidden, dense, k), hh=uniform(3 * hidden, hidden, k),
        ixBias=zeros(3 * hidden), hhBias=zeros(3 * hidden), out=uniform(1, hidden, k)[0], outBias=zeros(1))


def logistic(x):
    return 1 / (1 + np.exp(-x))


def probabilities(weights, x):
    """[turns, frames, 43] -> [turns, frames]. The plain definition that Swift follows."""
    w = weights
    hidden = w["hh"].shape[1]
    drive = np.tanh((x - w["mean"]) * w["scale"] @ w["dense"].T + w["denseBias"]) @ w["ix"].T + w["ixBias"]
    state = np.zeros((len(x), hidden), np.float32)
    out = np.empty(x.shape[:2], np.float32)
    for t in range(x.shape[1]):
        back = state @ w["hh"].T + w["hhBias"]
        gates = logistic(drive[:, t, : 2 * hidden] + back[:, : 2 * hidden])
        reset, update = gates[:, :hidden], gates[:, hidden:]
        candidate = np.tanh(drive[:, t, 2 * hidden :] + reset * back[:, 2 * hidden :])
        state = (1 - update) * candidate + update * state
        out[:, t] = logistic(state @ w["out"] + w["outBias"])
    return out


def pack(weights, lag):
    """The file of weights. Matrices are int8 with one scale per row; the rest is float32. All little-endian; see DESIGN."""
    inputs, dense, hidden = len(weights["mean"]), *weights["ix"].shape[1:], weights["hh"].shape[1]
    data = MAGIC + struct.pack("<4i", inputs, dense, hidden, lag)
    for name in VECTORS:
        data += weights[name].astype("<f4").tobytes()
    for name in MATRICES:
        rows = weights[name]
        scale = (np.abs(rows).max(1) / 127 + 1e-12).astype("<f4")
        data += scale.tobytes() + np.clip(np.rint(rows / scale[:, None]), -127, 127).astype(np.int8).tobytes()
    return data


def unpack(data):
    """-> (weights as the device has them, lag)."""
    if data[:4] != MAGIC:
        raise ValueError("not a file of weights")
    inputs, dense, hidden, lag = struct.unpack_from("<4i", data, 4)
    at = 20

    def take(kind, *shape):
        nonlocal at
        array = np.frombuffer(data, kind, int(np.prod(shape)), at).reshape(shape)
        at += array.nbytes
        return array

    lengths = dict(mean=inputs, scale=inputs, denseBias=dense, ixBias=3 * hidden, hhBias=3 * hidden, out=hidden, outBias=1)
    weights = {name: take("<f4", lengths[name]) for name in VECTORS}
    for name, shape in zip(MATRICES, ((dense, inputs), (3 * hidden, dense), (3 * hidden, hidden))):
        scale = take("<f4", shape[0])
        weights[name] = take("i1", *shape).astype(np.float32) * scale[:, None]
    return weights, lag


def swift(data, provenance):
    """The file of weights as Swift source: one string literal, which compiles at once."""
    text = base64.b64encode(data).decode()
    lines = "\n".join("        " + text[i : i + 112] + "\\" for i in range(0, len(text), 112))[:-1]
    return (
        "/// The weights of the speech network: made by `board/training/train.py`, not by hand.\n"
        "///\n"
        f"/// {provenance}\n"
        "enum SpeechNetWeights {\n"
        "    /// Base64 of the file of weights; its layout is described in `board/training/README.md`.\n"
        f"    static let base64 = \"\"\"\n{lines}\n        \"\"\"\n"
        "}\n")
