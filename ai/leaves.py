"""Positions like those that a search judges in competitive games, in great numbers, as lessons to learn from.

The positions of self-play are those that careful play leads to. A search judges what follows all kinds of
steps, in deals of its own. What such positions are worth is told by rollouts, or where there is a network
that has learned from these, by short searches with it.
"""

import numpy as np
from numpy.typing import NDArray

from ai.compiled import kernel
from ai.determinization import deal_unseen, list_unseen
from ai.evaluation import Rewards, final_rewards
from ai.network import Network, blank
from ai.policy import policy_step
from ai.search import HEURISTIC, LEARNED, Tree, forget, iterate, new_tree, play_out
from ai.selfplay import Lessons, look
from ai.weights import COMPETITIVE
from engine import States
from engine.compiled import integer
from engine.kernel import apply_step, legal_steps, random_below, shuffle
from engine.state import ACTION, MAX_LEGAL, OVER, STATE, Numbers, Record, Steps, Words, new_state

LEAVES = 5  # of each position of a game, where rollouts judge them
SEARCHED_LEAVES = 3  # where searches do, which take longer
STRAY = 2  # actions at most before the step that leads to a leaf, half of their steps by chance
TURNS = 3  # at most that the policy plays after it
ROLLOUTS = 10  # that say what a leaf is worth
ITERATIONS = 64  # of a search that says it


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
def _search(
    leaf: States, work: States, tree: Tree, network: Network, rng: Words, wins: Rewards, margins: Rewards
) -> None:
    """Writes what a leaf is worth to each seat: the mean of a search that sees all hands, not the deck."""
    work[0] = leaf[0]
    for place in range(60):
        work[0]["deck"][place] = 0
    pool = np.zeros(60, np.int8)
    unseen = list_unseen(work[0], pool)
    forget(tree)
    iterate(tree, 0, work, pool, unseen, LEARNED, ITERATIONS, tree.steps[:0], network, rng)
    for seat in range(integer(leaf[0]["seats"])):
        wins[seat] = tree.outcome[0, seat] / ITERATIONS
        reward = tree.value[0, seat] / ITERATIONS
        margins[seat] = (reward - LEARNED.win_weight * wins[seat]) / (1.0 - LEARNED.win_weight)


@kernel
def _grow(
    states: States,
    each: int,
    searched: bool,
    tree: Tree,
    network: Network,
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
    """Writes `each` leaves of some positions, their worths and the positions that they are from; returns how
    many."""
    n = 0
    for i in range(len(states)):
        look(states[i : i + 1], seen, integer(states[i]["turn"]))
        unseen = list_unseen(seen[0], pool)
        for _ in range(each):
            work[0] = seen[0]
            deal_unseen(work[0], pool, unseen, rng)
            _stray(work[0], steps, rng)
            if work[0]["phase"] == OVER:
                continue
            leaves[n] = work[0]
            if searched:
                _search(leaves[n : n + 1], work, tree, network, rng, wins[n], margins[n])
            else:
                _roll_out(leaves[n : n + 1], work, steps, rng, wins[n], margins[n])
            origins[n] = i
            n += 1
    return n


def leaf_lessons(lessons: Lessons, seed: int, network: Network | None = None) -> Lessons:
    """Leaves of the positions of some competitive games, judged by searches with a network or, without one,
    by rollouts; the same for the same seed."""
    each = LEAVES if network is None else SEARCHED_LEAVES
    room = each * len(lessons.states)
    leaves, wins, margins = np.zeros(room, STATE), np.zeros((room, 4)), np.zeros((room, 4))
    origins = np.zeros(room, np.int64)
    n = _grow(
        lessons.states,
        each,
        network is not None,
        new_tree(4 * ITERATIONS),
        network or blank(),
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
