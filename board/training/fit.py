"""Fits the network: whole turns of 12 s, Adam, one learning-rate cycle. Same seed, same weights on the same machine."""

import time

import jax
import jax.numpy as jnp
import numpy as np

import network
from features import BANDS, INPUTS, inputs

FIXED = ("mean", "scale")


def logistic(x):
    return 0.5 * jnp.tanh(0.5 * x) + 0.5  # twice as fast here as the exponential


def logits(w, x):
    hidden = w["hh"].shape[1]
    drive = jnp.tanh((x - w["mean"]) * w["scale"] @ w["dense"].T + w["denseBias"]) @ w["ix"].T + w["ixBias"]

    def step(state, drive):
        back = state @ w["hh"].T + w["hhBias"]
        gates = logistic(drive[:, : 2 * hidden] + back[:, : 2 * hidden])
        reset, update = gates[:, :hidden], gates[:, hidden:]
        candidate = jnp.tanh(drive[:, 2 * hidden :] + reset * back[:, 2 * hidden :])
        state = (1 - update) * candidate + update * state
        return state, state

    _, states = jax.lax.scan(step, jnp.zeros((x.shape[0], hidden)), drive.swapaxes(0, 1))
    return (states @ w["out"] + w["outBias"]).T


def loss(trained, fixed, x, target, weight):
    z = logits({**trained, **fixed}, x)
    entropy = jnp.maximum(z, 0) - z * target + jnp.log1p(jnp.exp(-jnp.abs(z)))
    return (entropy * weight).mean()


@jax.jit
def update(trained, fixed, moments, squares, step, rate, x, target, weight):
    """One step of Adam, the gradient's norm held to one."""
    value, gradient = jax.value_and_grad(loss)(trained, fixed, x, target, weight)
    norm = jnp.sqrt(sum((g**2).sum() for g in gradient.values()))
    gradient = {k: g * jnp.minimum(1, 1 / (norm + 1e-6)) for k, g in gradient.items()}
    moments = {k: 0.9 * moments[k] + 0.1 * g for k, g in gradient.items()}
    squares = {k: 0.999 * squares[k] + 0.001 * g**2 for k, g in gradient.items()}
    move = lambda k: rate * (moments[k] / (1 - 0.9**step)) / (jnp.sqrt(squares[k] / (1 - 0.999**step)) + 1e-8)
    return {k: v - move(k) for k, v in trained.items()}, moments, squares, value


def cycle(step, steps, top):
    """Up over a tenth of the way, then down along a cosine."""
    rise = steps // 10
    if step < rise:
        return top * (0.04 + 0.96 * (1 - np.cos(np.pi * step / rise)) / 2)
    return top * (0.005 + 0.995 * (1 + np.cos(np.pi * (step - rise) / (steps - rise))) / 2)


def fit(spectra, speech, weight, seed, dense, hidden, lag, steps, batch=64, top=5e-3, log=print):
    """-> weights. The output at frame t is taught the label of frame t - lag."""
    rng = np.random.default_rng([seed, 2])
    x = np.concatenate([inputs(spectra[i : i + 500]).astype(np.float16) for i in range(0, len(spectra), 500)])
    late = lambda a: np.concatenate([np.zeros((len(a), lag), a.dtype), a[:, : a.shape[1] - lag]], 1)
    speech, weight = late(speech), late(weight)
    w = network.initial(rng, INPUTS, dense, hidden)
    sample = x[::7].reshape(-1, INPUTS).astype(np.float32)
    w["mean"], w["scale"] = sample.mean(0), 1 / (sample.std(0) + 1e-3)
    fixed = {k: w[k] for k in FIXED}
    trained = {k: v for k, v in w.items() if k not in FIXED}
    moments = {k: np.zeros_like(v) for k, v in trained.items()}
    squares, order, total, began = dict(moments), np.array([], int), 0.0, time.monotonic()
    for step in range(steps):
        if len(order) < batch:
            order = rng.permutation(len(x))
        chosen, order = order[:batch], order[batch:]
        some = x[chosen].astype(np.float32)
        # Another microphone: its gain and its equaliser move the absolute levels only.
        some[:, :, :BANDS] += ((rng.uniform(-6, 6, (batch, 1, 1)) + rng.uniform(-3, 3, (batch, 1, BANDS))) / 20).astype(np.float32)
        target = speech[chosen].astype(np.float32) * 0.98 + 0.01
        trained, moments, squares, value = update(
            trained, fixed, moments, squares, step + 1.0, np.float32(cycle(step, steps, top)), some, target, weight[chosen].astype(np.float32))
        total += float(value)
        if step % 200 == 199:
            log(f"step {step + 1}: loss {total / 200:.4f}, {time.monotonic() - began:.0f} s")
            total = 0.0
    return {**{k: np.asarray(v, np.float32) for k, v in trained.items()}, **fixed}
