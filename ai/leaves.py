"""Positions like those that a search judges in competitive games, in great numbers, as lessons to learn from.

The positions of self-play are those that careful play leads to. A search judges what follows all kinds of
steps, in deals of its own; what such positions are worth is told by rollouts, which are cheap.
"""

import numpy as np
from numpy.typing import NDArray

from ai.compiled import kernel
from ai.determinization import deal_unseen, list_unseen
from ai.evaluation import Rewards, final_rewards
from ai.policy import policy_step
from ai.search import HEURISTIC, play_out
from ai.selfplay import Lessons, look
from ai.weights import COMPETITIVE
from engine import States
from engine.compiled import integer
from engine.kernel import apply_step, legal_steps, random_below, shuffle
from engine.state import ACTION, MAX_LEGAL, OVER, STATE, Numbers, Record, Steps, Words, new_state

LEAVES = 5  # of each position of a game
STRAY = 2  # actions at most before the step that leads to a leaf, half of their steps by chance
TURNS = 3  # at most that the policy plays after it
ROLLOUTS = 10  # that say what a leaf is worth


@kernel
def _stray(s: Record, steps: Steps, rng: Words) -> None:
    """Plays from a position to one that a search might judge."""
    actions = random_below(rng, STRAY + 1)
    while actions > 0 and s["phase"] != OVER:
        n = legal_steps(s, steps)
        step = integer(steps[random_below(rng, n)])
        if random_below(rng, 2) == 0:
            step = policy_step(s, steps, n, COMPETITIVE, rng)
        apply_step(s, step)
        actions -= s["phase"] == ACTION
    if s["phase"] != OVER:
        apply_step(s, integer(steps[random_below(rng, legal_steps(s, steps))]))
        play_out(s, HEURISTIC, 1 + random_below(rng, TURNS), steps, COMPETITIVE, rng)


@kernel
def _roll_out(leaf: States, work: States, steps: Steps, rng: Words, wins: Rewards, margins: Rewards) -> None:
    """Writes what a leaf is worth to each seat: the mean of rollouts, each with the deck shuffled."""
    rewards, outcomes = np.zeros(4), np.zeros(4)
    wins[:] = 0.0
    margins[:] = 0.0
    for _ in range(ROLLOUTS):
        work[0] = leaf[0]
        shuffle(work[0]["deck"], integer(work[0]["dealt"]), 60, rng)
        play_out(work[0], HEURISTIC, 0, steps, COMPETITIVE, rng)
        final_rewards(work[0], 0.0, rewards, outcomes)
        for seat in range(4):
            wins[seat] += outcomes[seat] / ROLLOUTS
            margins[seat] += rewards[seat] / ROLLOUTS


@kernel
def _grow(
    states: States,
    leaves: States,
    wins: Rewards,
    margins: Rewards,
    origins: NDArray[np.int64],
    seen: States,
    work: States,
    pool: Numbers,
    steps: Steps,
    rng: Words,
) -> int:
    """Writes leaves of some positions, their worths and which position each is from; returns how many."""
    n = 0
    for i in range(len(states)):
        look(states[i : i + 1], seen, integer(states[i]["turn"]))
        unseen = list_unseen(seen[0], pool)
        for _ in range(LEAVES):
            work[0] = seen[0]
            deal_unseen(work[0], pool, unseen, rng)
            _stray(work[0], steps, rng)
            if work[0]["phase"] == OVER:
                continue
            leaves[n] = work[0]
            _roll_out(leaves[n : n + 1], work, steps, rng, wins[n], margins[n])
            origins[n] = i
            n += 1
    return n


def leaf_lessons(lessons: Lessons, seed: int) -> Lessons:
    """Leaves of the positions of some competitive games; the same for the same seed."""
    room = LEAVES * len(lessons.states)
    leaves, wins, margins = np.zeros(room, STATE), np.zeros((room, 4)), np.zeros((room, 4))
    origins = np.zeros(room, np.int64)
    n = _grow(
        lessons.states,
        leaves,
        wins,
        margins,
        origins,
        new_state(),
        new_state(),
        np.zeros(60, np.int8),
        np.zeros(MAX_LEGAL, np.int16),
        np.array([2 * seed + 1], np.uint64),
    )
    return Lessons(leaves[:n], wins[:n], wins[:n], margins[:n], lessons.game[origins[:n]])
