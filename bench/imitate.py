"""Finds policy weights that foretell a search: `python -m bench.imitate 160` (games of two).

Needs the extra `train`. The search with the network plays against itself; of every choice it is noted how
often each legal step was visited. The weights are those whose prior, as `ai.search` makes it of them, comes
nearest to that (cross entropy).
Prints the weights to put into ai/weights.py, but for the noises, and how near they come on games not fitted.
"""

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from ai.policy import animal_tokens, step_value
from ai.search import LEARNED, PRIOR_FLOOR
from ai.thinking import Budget, Mind, Search, complete_action
from ai.weights import IMITATING, NAMES
from engine import Game
from engine.state import MAX_LEGAL, Record

ITERATIONS = 6_000  # an action
FITTINGS = 1_500
BATCH = 1_024
LEARNING_RATE = 0.02
HELD_BACK = 5  # of so many games one is not fitted


class Steps(NamedTuple):
    """What was tried: of each choice (rows) its legal steps, and zeros after them."""

    features: NDArray[np.float32]  # (choices, MAX_LEGAL, weights): what each weight is multiplied with
    visits: NDArray[np.float32]  # (choices, MAX_LEGAL): shares
    legal: NDArray[np.bool_]


def features_of(s: Record, steps: list[int]) -> NDArray[np.float32]:
    """What the policy multiplies each weight with, for some legal steps: it is linear in its weights."""
    found = np.zeros((MAX_LEGAL, len(NAMES)), np.float32)
    mine, rivals = animal_tokens(s)
    for place, step in enumerate(steps):
        for number, one in enumerate(np.eye(len(NAMES))):
            found[place, number] = step_value(s, step, mine, rivals, one)
    return found


def play(seed: int) -> Steps:
    """What a search against itself visits in a game of two."""
    features, visits, legal = [], [], []
    game = Game.new("competitive", 2, seed=seed)
    while (seat := game.seat_to_act) is not None:
        mind = Mind(game.observe(seat), seed * 1_000 + game.actions_played)
        search = Search(mind, Budget(60.0, iterations=ITERATIONS), LEARNED)

        def choose_step(mind: Mind = mind, search: Search = search) -> int:
            steps = mind.legal_steps()
            if len(steps) == 1:
                return search.choose_step()
            search.think()
            tried = search.visits(steps)
            features.append(features_of(mind.states[0], steps))
            visits.append(np.pad(np.array(tried) / sum(tried), (0, MAX_LEGAL - len(steps))))
            legal.append(np.arange(MAX_LEGAL) < len(steps))
            chosen = steps[tried.index(max(tried))]
            for branch in search.branches:
                branch.follow(chosen)
            return chosen

        game.apply(complete_action(mind, choose_step))
    return Steps(np.array(features), np.array(visits, np.float32), np.array(legal))


def visits_loss(weights: torch.Tensor, steps: Steps, rows: NDArray[np.int64] | slice) -> torch.Tensor:
    """The cross entropy of the visits and of the prior that the weights make."""
    legal = torch.from_numpy(steps.legal[rows])
    liked = torch.from_numpy(steps.features[rows]) @ weights / LEARNED.temperature
    liked = liked.masked_fill(~legal, -1e9)
    prior = (torch.exp(liked - liked.max(1, keepdim=True).values) + PRIOR_FLOOR) * legal
    prior = prior / prior.sum(1, keepdim=True)
    return -(torch.from_numpy(steps.visits[rows]) * torch.log(prior.clamp(min=1e-9))).sum(1).mean()


def fit(steps: Steps, start: NDArray[np.float64], seed: int = 1) -> NDArray[np.float64]:
    """The weights that foretell the visits best."""
    torch.set_num_threads(1)
    # A weight counts by how much its feature differs among steps, so that all are found equally quickly.
    spread = torch.from_numpy(steps.features[steps.legal].std(0) + 1e-6)
    scaled = (torch.tensor(start, dtype=torch.float32) * spread).requires_grad_()
    optimizer = torch.optim.AdamW([scaled], lr=LEARNING_RATE, weight_decay=1e-4)
    random = np.random.default_rng(seed)
    for _ in range(FITTINGS):
        loss = visits_loss(scaled / spread, steps, random.integers(0, len(steps.visits), BATCH))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    found: NDArray[np.float64] = (scaled / spread).detach().numpy().astype(np.float64)
    return found


def main(games: int) -> None:
    """Plays and fits; prints what came of it."""
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        played = list(pool.map(play, range(games)))
    fitted = [each for number, each in enumerate(played) if number % HELD_BACK]
    kept = [each for number, each in enumerate(played) if number % HELD_BACK == 0]
    learned, held = (Steps(*map(np.concatenate, zip(*part, strict=True))) for part in (fitted, kept))
    found = fit(learned, IMITATING)
    for name, weight in zip(NAMES, found, strict=True):
        print(f"{name:<18} {weight:6.1f}")
    for title, weights in (("weights as they are", IMITATING), ("weights found", found)):
        loss = float(visits_loss(torch.tensor(weights, dtype=torch.float32), held, slice(None)))
        print(f"{title}: cross entropy {loss:.3f} on games not fitted")


if __name__ == "__main__":
    main(int(sys.argv[1]))
