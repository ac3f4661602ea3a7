"""Finds the rollout policy's weights by hill climbing: `python -m bench.tune cooperative 300` (seconds).

In co-op a candidate is judged by the mean score over a batch of deals, in competition by its mean margin in
years against the present weights over seat-swapped deals. Every comparison uses fresh deals, so that noise is
not kept.
Prints the weights to put into ai/weights.py.
"""

import sys
import time
from pathlib import Path

import numpy as np

from ai.compiled import AI_KERNELS
from ai.policy import policy_step
from ai.weights import COMPETITIVE, COOPERATIVE, NAMES, Weights
from engine import STATE, Game, States
from engine.compiled import ENGINE_KERNELS, integer, kernel_decorator
from engine.kernel import apply_step, begin, legal_steps, score, shuffle
from engine.state import MAX_LEGAL, OVER, Numbers, Steps, Words

kernel = kernel_decorator(*ENGINE_KERNELS, *AI_KERNELS, Path(__file__))


@kernel
def mean_value(
    dealt: States,
    work: States,
    spaces: Numbers,
    tokens: Numbers,
    steps: Steps,
    games: int,
    candidate: Weights,
    present: Weights,
    rng: Words,
) -> float:
    """Mean score (co-op), or mean margin of the candidate's seat over the best other one."""
    total = 0.0
    s = work[0]
    for game in range(games):
        seat = game % dealt[0]["seats"]
        if seat == 0:
            shuffle(dealt[0]["deck"], 0, 60, rng)
            shuffle(tokens, 0, len(tokens), rng)
        work[0] = dealt[0]
        begin(s, 0, spaces, tokens)
        while s["phase"] != OVER:
            n = legal_steps(s, steps)
            mine = s["cooperative"] or s["turn"] == seat
            apply_step(s, policy_step(s, steps, n, candidate if mine else present, rng))
        if s["cooperative"]:
            total += score(s)
        else:
            best = -1000
            for other in range(integer(s["seats"])):
                if other != seat:
                    best = max(best, s["years"][other])
            total += s["years"][seat] - best
    return total / games


def climb(mode: str, seconds: float, games: int = 1200, seed: int = 1) -> Weights:
    """The weights found in so many seconds; prints progress."""
    chance = np.random.default_rng(seed)
    tables = []
    for seats in (1, 1, 2, 3) if mode == "cooperative" else (2, 2, 3):
        game = Game.new(mode, seats, seed=0)
        dealt = game.observe(0)
        dealt[0]["deck"] = np.arange(60)
        tables.append((dealt, np.array(game.board.token_spaces, np.int8)))
    work, steps = np.zeros(1, STATE), np.zeros(MAX_LEGAL, np.int16)
    tokens = np.repeat(np.arange(5), 2).astype(np.int8)

    def value(candidate: Weights, present: Weights, word: int) -> float:
        total = 0.0
        for dealt, spaces in tables:
            rng = np.array([word], np.uint64)
            total += mean_value(
                dealt, work, spaces, tokens, steps, games // len(tables), candidate, present, rng
            )
        return total / len(tables)

    weights = (COOPERATIVE if mode == "cooperative" else COMPETITIVE).copy()
    scale = np.maximum(np.abs(weights) * 0.3, 1.0)
    end = time.monotonic() + seconds
    accepted = tried = 0
    while time.monotonic() < end:
        tried += 1
        candidate = weights.copy()
        for index in chance.choice(len(weights), chance.integers(1, 4), replace=False):
            candidate[index] += chance.normal() * scale[index]
        gain = 0.0
        for confirmation in range(3):
            word = int(chance.integers(1, 2**60))
            gain = value(candidate, weights, word) - value(weights, weights, word)
            if gain <= (0.1 if confirmation else 0.25):
                break
        else:
            weights = candidate
            accepted += 1
            print(f"{accepted} of {tried}: gain {gain:.2f}", flush=True)
    return weights


if __name__ == "__main__":
    found = climb(sys.argv[1], float(sys.argv[2]))
    for name, weight in zip(NAMES, found, strict=True):
        print(f"{name:<18} {weight:6.1f}")
    print([round(float(weight), 1) for weight in found])
