"""How truly positions are judged, which is not how strong a search is, but shows why.

What the steps that may begin an action are worth to the seat is taken to be the mean of many rollouts. A way
to judge is asked as often as a search might ask it. *Error* is its error in the differences between the steps
of a position; *regret* is what is lost by the step that it takes for the best. Both are in rewards (0 to 1).
"""

import random

import numpy as np
from numpy.typing import NDArray

from ai import choose
from ai.compiled import kernel
from ai.determinization import deal_unseen, list_unseen
from ai.network import Network, network_for
from ai.search import LEARNED, ROLLOUTS, Tree, Tuning, judge, new_tree, policy_weights
from engine import Game, States
from engine.compiled import integer
from engine.kernel import apply_step, legal_steps
from engine.state import MAX_LEGAL, Numbers, Steps, Words

POSITIONS = 120
TRUE, ASKED = 800, 100  # how often a step is judged
Worths = list[NDArray[np.float64]]  # of each position's steps


@kernel
def _mean_rewards(
    observed: States,
    step: int,
    times: int,
    pool: Numbers,
    unseen: int,
    tree: Tree,
    tuning: Tuning,
    network: Network,
    rng: Words,
) -> float:
    seat = integer(observed[0]["turn"])
    s = tree.work[0]
    weights = policy_weights(observed[0], tuning)
    total = 0.0
    for _ in range(times):
        tree.work[0] = observed[0]
        deal_unseen(s, pool, unseen, rng)
        apply_step(s, step)
        judge(tree, s, tuning, weights, network, rng)
        total += tree.rewards[seat]
    return total / times


def worths(observations: list[States], tuning: Tuning, times: int, seed: int) -> Worths:
    """What each legal step of some positions is worth to the seat to act, judged so many times."""
    network, tree = network_for(cooperative=False), new_tree(1)
    pool, steps = np.zeros(60, np.int8), np.zeros(MAX_LEGAL, np.int16)
    rng = np.array([seed], np.uint64)
    found = []
    for observed in observations:
        unseen, n = list_unseen(observed[0], pool), legal_steps(observed[0], steps)
        found.append(
            np.array(
                [
                    _mean_rewards(observed, int(step), times, pool, unseen, tree, tuning, network, rng)
                    for step in steps[:n]
                ]
            )
        )
    return found


def positions(count: int, seed: int) -> list[States]:
    """What seats see where they have a choice, in games of quick players by two."""
    chance = random.Random(seed)
    found: list[States] = []
    steps: Steps = np.zeros(MAX_LEGAL, np.int16)
    while len(found) < count:
        game, length = Game.new("competitive", 2, seed=chance.getrandbits(32)), chance.randrange(5, 60)
        while (seat := game.seat_to_act) is not None and game.actions_played < length:
            game.apply(choose("apprentice", game.observe(seat), chance.getrandbits(32)))
        if seat is not None and legal_steps((seen := game.observe(seat))[0], steps) > 1:
            found.append(seen)
    return found


def measure() -> dict[str, float]:
    observations = positions(POSITIONS, seed=1)
    truth = worths(observations, ROLLOUTS, TRUE, seed=2)
    # Others than those that say which step is the best, or one that was lucky would be.
    again = worths(observations, ROLLOUTS, TRUE, seed=3)
    ways = {"rollouts": ROLLOUTS}
    ways |= {f"network_after_{turns}_turns": LEARNED._replace(horizon=turns) for turns in (1, 2, 4, 8)}
    figures = {}
    for name, tuning in ways.items():
        judged = worths(observations, tuning, ASKED, seed=4)
        lost = [true.max() - true[here.argmax()] for here, true in zip(judged, again, strict=True)]
        figures[f"judging_error_{name}"] = error(judged, truth)
        figures[f"judging_regret_{name}"] = float(np.mean(lost))
    return figures


def error(judged: Worths, truth: Worths) -> float:
    """The error in the differences between the steps of a position."""
    squares = [np.var(here - true) for here, true in zip(judged, truth, strict=True)]
    return float(np.sqrt(np.mean(squares)))
