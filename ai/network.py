"""Networks that judge a position in the place of a rollout: what they are, and how they are read.

Features (ai.features) go through two hidden layers to eight numbers: for each seat, counted from the one to
act, how likely it is to win and its margin. In co-op the first is the score.
"""

import math
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.compiled import kernel
from ai.evaluation import Rewards
from ai.features import FEATURES, VERSION, list_features
from engine.compiled import integer
from engine.state import Record, Steps

Reals = NDArray[np.float32]
HIDDEN, HIDDEN_TWO, OUTPUTS = 64, 32, 8
NETWORKS = Path(__file__).with_name("networks")


class Network(NamedTuple):
    """The weights, inputs first; biases after those of the layer that they belong to."""

    first: Reals  # (FEATURES, HIDDEN); its bias is the feature that is always there
    second: Reals  # (HIDDEN, HIDDEN_TWO)
    second_bias: Reals
    last: Reals  # (HIDDEN_TWO, OUTPUTS)
    last_bias: Reals


@kernel
def run_network(network: Network, features: Steps, n: int, out: Reals) -> None:
    """Writes the network's outputs for `n` features into the last OUTPUTS numbers of `out`, before which it
    keeps its hidden layers."""
    first = network.first
    for j in range(HIDDEN):
        out[j] = 0.0
    # Four rows at a time and unsigned indices: four times as quick, since `out` is a memory.
    i = 0
    while i + 4 <= n:
        a, b = np.uint64(features[i]), np.uint64(features[i + 1])
        c, d = np.uint64(features[i + 2]), np.uint64(features[i + 3])
        for j in range(HIDDEN):
            out[j] += (first[a, j] + first[b, j]) + (first[c, j] + first[d, j])
        i += 4
    while i < n:
        a = np.uint64(features[i])
        for j in range(HIDDEN):
            out[j] += first[a, j]
        i += 1
    for j in range(HIDDEN_TWO):
        out[HIDDEN + j] = network.second_bias[j]
    for i in range(HIDDEN):
        if out[i] > 0:
            for j in range(HIDDEN_TWO):
                out[HIDDEN + j] += out[i] * network.second[i, j]
    for j in range(OUTPUTS):
        out[HIDDEN + HIDDEN_TWO + j] = network.last_bias[j]
    for i in range(HIDDEN_TWO):
        if out[HIDDEN + i] > 0:
            for j in range(OUTPUTS):
                out[HIDDEN + HIDDEN_TWO + j] += out[HIDDEN + i] * network.last[i, j]


@kernel
def network_rewards(
    s: Record,
    network: Network,
    win_weight: float,
    features: Steps,
    numbers: Reals,
    rewards: Rewards,
    outcomes: Rewards,
) -> None:
    """What a position (phase ACTION, all hands dealt) is worth to each seat, in the manner of
    `ai.evaluation.final_rewards`. `features` and `numbers` are scratch."""
    run_network(network, features, list_features(s, features), numbers)
    base = HIDDEN + HIDDEN_TWO
    seats = integer(s["seats"])
    if s["cooperative"]:
        share = 1.0 / (1.0 + math.exp(-numbers[base]))
        for seat in range(seats):
            rewards[seat] = share
            outcomes[seat] = share * (12.0 if s["family"] else 60.0)
        return
    turn = integer(s["turn"])
    most = numbers[base]
    for k in range(1, seats):
        most = max(most, numbers[base + k])
    total = 0.0
    for k in range(seats):
        total += math.exp(numbers[base + k] - most)
    for k in range(seats):
        seat = (turn + k) % seats
        win = math.exp(numbers[base + k] - most) / total
        margin = 1.0 / (1.0 + math.exp(-numbers[base + 4 + k]))
        outcomes[seat] = win
        rewards[seat] = win_weight * win + (1.0 - win_weight) * margin


def blank() -> Network:
    """A network that knows nothing."""
    return Network(
        first=np.zeros((FEATURES, HIDDEN), np.float32),
        second=np.zeros((HIDDEN, HIDDEN_TWO), np.float32),
        second_bias=np.zeros(HIDDEN_TWO, np.float32),
        last=np.zeros((HIDDEN_TWO, OUTPUTS), np.float32),
        last_bias=np.zeros(OUTPUTS, np.float32),
    )


@cache
def network_for(cooperative: bool) -> Network:
    """The network that the players use in a family of modes. Raises WrongNetwork."""
    return load(NETWORKS / f"{'cooperative' if cooperative else 'competitive'}.npz")


class WrongNetwork(ValueError):
    """A file that holds no network for this version's features and shape."""


def save(network: Network, file: Path) -> None:
    """Writes a network in half precision."""
    arrays = {name: array.astype(np.float16) for name, array in network._asdict().items()}
    with file.open("wb") as out:
        np.savez_compressed(out, features=np.int64(VERSION), **arrays)


def load(file: Path) -> Network:
    """Reads a network. Raises WrongNetwork for one of another shape or feature version."""
    shape = blank()
    try:
        with np.load(file, allow_pickle=False) as found:
            arrays = {name: found[name].astype(np.float32) for name in (*Network._fields,)}
            version = int(found["features"])
    except (OSError, KeyError, ValueError) as problem:
        raise WrongNetwork(f"{file} holds no network: {problem}") from None
    if version != VERSION:
        raise WrongNetwork(
            f"{file} was made for version {version} of the features; this is version {VERSION}."
        )
    for name, array in arrays.items():
        if array.shape != getattr(shape, name).shape:
            wanted = getattr(shape, name).shape
            raise WrongNetwork(f"{file}: {name} has the shape {array.shape} in the place of {wanted}.")
    return Network(**{name: np.ascontiguousarray(array) for name, array in arrays.items()})
