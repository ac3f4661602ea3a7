"""Single-observer information set Monte Carlo tree search (Cowling, Powley, Whitehouse 2012).

Every iteration deals the hidden cards afresh, walks down the tree by the steps that are legal in that deal
(with availability counts in the place of the parent's visits), adds one node, plays the game out by a policy
and adds each seat's reward to the path (max^n; in co-op all rewards are the same). A node is keyed by its
step, but a Stream draw by its card, since refills differ between deals.

The tree is a set of flat arrays. Nodes 0..size-1; children are linked lists (`first`, `following`).
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.compiled import kernel
from ai.determinization import deal_unseen
from ai.evaluation import estimated_rewards, final_rewards
from ai.features import MOST_ACTIVE
from ai.network import HIDDEN, HIDDEN_TWO, OUTPUTS, Network, network_rewards
from ai.policy import animal_tokens, policy_step, step_value
from ai.weights import COMPETITIVE, COOPERATIVE, IMITATING, Weights
from engine.compiled import integer
from engine.kernel import apply_step, legal_steps, random_below
from engine.state import (
    ACTION,
    DRAW_DECK,
    MAX_LEGAL,
    OVER,
    PAY,
    STATE,
    STEPS,
    Numbers,
    Record,
    States,
    Steps,
    Words,
)

KEYS = STEPS + 60  # a Stream draw's key is STEPS + card
DEPTH = 512  # no game has more steps
ROOM = 128  # nodes kept free for the steps of actions that are looked at by name

PRIOR_FLOOR = 0.02
UNTRIED_DISCOUNT = 0.1
UNIFORM, HEURISTIC, NETWORK = 0, 1, 2


class Tuning(NamedTuple):
    """What the search can be tuned by. docs/strength.md says what each part is worth."""

    prior: float = 1.0  # weight of the policy's prior; 0 for UCB1 without one
    temperature: float = 6.0  # of the prior, in the policy's own units
    exploration: float = 0.4  # of UCB1
    win_weight: float = 0.75
    rollout: int = HEURISTIC  # a NETWORK's is the policy's, which ends with the action under way
    horizon: int = 0  # turns after which a rollout is cut and judged, in co-op by a network only; 0: never
    all_payments: bool = True  # False: in the tree only the policy's favourite payment
    reuse: bool = True  # the subtree of a chosen step is kept for the next one
    settle: bool = True  # a search by time ends once more of it could not change the choice


PLAIN = Tuning(prior=0.0, rollout=UNIFORM, settle=False)  # no knowledge of the game but its rules
ROLLOUTS = Tuning()
# A network errs alike for positions that are alike. Some turns later they are no longer, and a choice between
# them is judged more truly (bench/judging.py); playing to the end would take twice as long.
LEARNED = Tuning(rollout=NETWORK, horizon=4)


class Tree(NamedTuple):
    """The arrays of a tree, all as long as its capacity but for `size` (1,) and the scratch ones."""

    size: NDArray[np.int64]
    key: NDArray[np.int16]
    first: NDArray[np.int32]
    following: NDArray[np.int32]
    visits: NDArray[np.int32]
    available: NDArray[np.int32]
    value: NDArray[np.float64]  # (capacity, 4): sums of rewards
    outcome: NDArray[np.float64]  # (capacity, 4): sums of wins, in co-op of scores
    liked: NDArray[np.float64]  # by the policy
    work: States
    steps: Steps
    path: NDArray[np.int32]
    child: NDArray[np.int32]  # scratch: the node of each key
    stamp: NDArray[np.int64]  # scratch: the visit at which `child` was set
    rewards: NDArray[np.float64]
    outcomes: NDArray[np.float64]
    prior: NDArray[np.float64]  # scratch: of each legal step
    features: Steps  # scratch: of a position, for the network
    numbers: NDArray[np.float32]  # scratch: the network's
    bounds: NDArray[np.float64]  # lowest and highest reward seen: UCB scales to them


def new_tree(capacity: int) -> Tree:
    """An empty tree with room for `capacity` nodes: its root alone."""
    return Tree(
        size=np.ones(1, np.int64),
        key=np.zeros(capacity, np.int16),
        first=np.full(capacity, -1, np.int32),
        following=np.full(capacity, -1, np.int32),
        visits=np.zeros(capacity, np.int32),
        available=np.zeros(capacity, np.int32),
        value=np.zeros((capacity, 4), np.float64),
        outcome=np.zeros((capacity, 4), np.float64),
        liked=np.zeros(capacity, np.float64),
        work=np.zeros(1, STATE),
        steps=np.zeros(MAX_LEGAL, np.int16),
        path=np.zeros(DEPTH, np.int32),
        child=np.zeros(KEYS, np.int32),
        stamp=np.zeros(KEYS + 1, np.int64),
        rewards=np.zeros(4, np.float64),
        outcomes=np.zeros(4, np.float64),
        prior=np.zeros(MAX_LEGAL, np.float64),
        features=np.zeros(MOST_ACTIVE, np.int16),
        numbers=np.zeros(HIDDEN + HIDDEN_TWO + OUTPUTS, np.float32),
        bounds=np.array([1.0, 0.0]),
    )


@kernel
def forget(tree: Tree) -> None:
    """Empties a tree but for its root."""
    tree.size[0] = 1
    tree.first[0] = -1
    tree.visits[0] = 0
    for seat in range(4):
        tree.value[0, seat] = 0.0
        tree.outcome[0, seat] = 0.0
    tree.bounds[0] = 1.0
    tree.bounds[1] = 0.0


@kernel
def step_key(s: Record, step: int) -> int:
    """A step's key in the tree."""
    return STEPS + integer(s["stream"][step]) if step < DRAW_DECK else step


@kernel
def _index_children(tree: Tree, node: int) -> int:
    """Fills `child` for the children of a node under a fresh stamp, and returns the stamp."""
    tree.stamp[KEYS] += 1
    stamp = int(tree.stamp[KEYS])
    each = tree.first[node]
    while each >= 0:
        key = tree.key[each]
        tree.child[key] = each
        tree.stamp[key] = stamp
        each = tree.following[each]
    return stamp


@kernel
def _add_child(tree: Tree, node: int, key: int) -> int:
    new = int(tree.size[0])
    tree.size[0] = new + 1
    tree.key[new] = key
    tree.first[new] = -1
    tree.following[new] = tree.first[node]
    tree.visits[new] = 0
    tree.available[new] = 1
    for seat in range(4):
        tree.value[new, seat] = 0.0
        tree.outcome[new, seat] = 0.0
    tree.first[node] = new
    return new


@kernel
def _set_priors(tree: Tree, s: Record, n: int, stamp: int, temperature: float, weights: Weights) -> None:
    """Fills `prior` with a probability for each of the `n` legal steps: a softmax of the policy's liking,
    with a floor that keeps every step possible. What a tried step was liked is kept in its node."""
    mine, rivals = animal_tokens(s)
    best = -1e30
    for i in range(n):
        step = integer(tree.steps[i])
        key = step_key(s, step)
        if tree.stamp[key] == stamp:
            liked = tree.liked[tree.child[key]]
        else:
            liked = step_value(s, step, mine, rivals, weights)
        tree.prior[i] = liked
        best = max(best, liked)
    total = 0.0
    for i in range(n):
        tree.prior[i] = math.exp((tree.prior[i] - best) / temperature) + PRIOR_FLOOR
        total += tree.prior[i]
    for i in range(n):
        tree.prior[i] /= total


@kernel
def _keep_favourite(steps: Steps, n: int, s: Record, weights: Weights) -> int:
    """Leaves of the `n` steps only the one that the policy likes best; returns 1."""
    mine, rivals = animal_tokens(s)
    best = -1e30
    for i in range(n):
        liked = step_value(s, integer(steps[i]), mine, rivals, weights)
        if liked > best:
            best = liked
            steps[0] = steps[i]
    return 1


@kernel
def _descend(
    tree: Tree, s: Record, node: int, length: int, tuning: Tuning, weights: Weights, rng: Words
) -> int:
    """Walks from a node to a new one below it, playing the steps on `s`; returns the length of the path,
    which had `length` nodes before.

    With a prior the bound is PUCT's (Silver et al. 2017) and an untried step counts as a little worse than
    its parent; without one it is UCB1's and untried steps come first, in random order.
    """
    span = max(tree.bounds[1] - tree.bounds[0], 1e-3)
    while s["phase"] != OVER:
        n = legal_steps(s, tree.steps)
        if not tuning.all_payments and s["phase"] == PAY:
            n = _keep_favourite(tree.steps, n, s, weights)
        stamp = _index_children(tree, node)
        seat = s["turn"]
        untried_value = 0.5
        if tree.visits[node]:
            untried_value = (tree.value[node, seat] / tree.visits[node] - tree.bounds[0]) / span
        untried_value -= UNTRIED_DISCOUNT
        if tuning.prior > 0:
            _set_priors(tree, s, n, stamp, tuning.temperature, weights)
        chosen = 0
        best = -1
        best_bound = -1e30
        for i in range(n):
            key = step_key(s, integer(tree.steps[i]))
            if tree.stamp[key] != stamp:
                each = -1
                if tuning.prior > 0:
                    bound = untried_value + tuning.prior * tree.prior[i] * math.sqrt(tree.visits[node] + 1)
                else:
                    bound = 1e6 + random_below(rng, 1024)
            else:
                each = integer(tree.child[key])
                tree.available[each] += 1
                visits = tree.visits[each]
                available = tree.available[each]
                bound = (tree.value[each, seat] / visits - tree.bounds[0]) / span
                if tuning.prior > 0:
                    bound += tuning.prior * tree.prior[i] * math.sqrt(available) / (1 + visits)
                else:
                    bound += tuning.exploration * math.sqrt(math.log(available) / visits)
            if bound > best_bound:
                best_bound = bound
                best = each
                chosen = i
        step = integer(tree.steps[chosen])
        new = best < 0
        if new:
            if tree.size[0] >= len(tree.key) - ROOM:
                return length
            best = _add_child(tree, node, step_key(s, step))
            mine, rivals = animal_tokens(s)
            tree.liked[best] = step_value(s, step, mine, rivals, weights)
        node = best
        tree.path[length] = node
        length += 1
        apply_step(s, step)
        if new:
            return length
    return length


@kernel
def policy_weights(s: Record, tuning: Tuning) -> Weights:
    """The weights of the policy that is the tree's prior and plays the rollouts."""
    if s["cooperative"]:
        return COOPERATIVE
    return IMITATING if tuning.rollout == NETWORK else COMPETITIVE


@kernel
def play_out(s: Record, rollout: int, horizon: int, steps: Steps, weights: Weights, rng: Words) -> None:
    """Plays a game by the rollout policy to its end, or with a `horizon` for so many turns at most."""
    cut = horizon > 0 and (rollout == NETWORK or s["cooperative"] == 0)
    last = s["turns"] + horizon - 1 if cut else DEPTH
    while s["phase"] != OVER and s["turns"] <= last:
        n = legal_steps(s, steps)
        step = (
            policy_step(s, steps, n, weights, rng)
            if rollout != UNIFORM
            else integer(steps[random_below(rng, n)])
        )
        apply_step(s, step)


@kernel
def finish_action(s: Record, steps: Steps, weights: Weights, rng: Words) -> None:
    """Plays by the rollout policy until a seat is about to choose an action, or the game is over."""
    while s["phase"] != OVER and s["phase"] != ACTION:
        apply_step(s, policy_step(s, steps, legal_steps(s, steps), weights, rng))


@kernel
def judge(tree: Tree, s: Record, tuning: Tuning, weights: Weights, network: Network, rng: Words) -> None:
    """Plays on from a position whose hidden cards have been dealt, as the tuning has it, and writes what has
    come of it for each seat into the tree's `rewards` and `outcomes`."""
    if tuning.rollout == NETWORK and tuning.horizon == 0:
        finish_action(s, tree.steps, weights, rng)
    else:
        play_out(s, tuning.rollout, tuning.horizon, tree.steps, weights, rng)
    if s["phase"] == OVER:
        final_rewards(s, tuning.win_weight, tree.rewards, tree.outcomes)
    elif tuning.rollout == NETWORK:
        network_rewards(
            s, network, tuning.win_weight, tree.features, tree.numbers, tree.rewards, tree.outcomes
        )
    else:
        estimated_rewards(s, tuning.win_weight, tree.rewards, tree.outcomes)


@kernel
def iterate(
    tree: Tree,
    root: int,
    observed: States,
    pool: Numbers,
    unseen: int,
    tuning: Tuning,
    iterations: int,
    line: Steps,
    network: Network,
    rng: Words,
) -> None:
    """Runs iterations from the node `root`, whose position is `observed`; `pool` holds its `unseen` cards.

    Each begins with the steps of `line`, so that the search is all about what follows them.
    """
    s = tree.work[0]
    seats = integer(observed[0]["seats"])
    weights = policy_weights(observed[0], tuning)
    for _ in range(iterations):
        tree.work[0] = observed[0]
        deal_unseen(s, pool, unseen, rng)
        node = root
        for i in range(len(line)):
            step = integer(line[i])
            node = child_of(tree, node, step_key(s, step))
            tree.path[i] = node
            apply_step(s, step)
        length = _descend(tree, s, node, len(line), tuning, weights, rng)
        judge(tree, s, tuning, weights, network, rng)
        for seat in range(seats):
            tree.bounds[0] = min(tree.bounds[0], tree.rewards[seat])
            tree.bounds[1] = max(tree.bounds[1], tree.rewards[seat])
        _learn(tree, root, seats)
        for i in range(length):
            _learn(tree, tree.path[i], seats)


@kernel
def _learn(tree: Tree, node: int, seats: int) -> None:
    tree.visits[node] += 1
    for seat in range(seats):
        tree.value[node, seat] += tree.rewards[seat]
        tree.outcome[node, seat] += tree.outcomes[seat]


@kernel
def step_visits(tree: Tree, root: int, key: int) -> int:
    """How often the step of that key was tried below `root`."""
    stamp = _index_children(tree, root)
    return integer(tree.visits[tree.child[key]]) if tree.stamp[key] == stamp else 0


@kernel
def lead(tree: Tree, root: int) -> int:
    """By how many visits the most visited step below `root` is ahead of the next one."""
    most, second = 0, 0
    each = tree.first[root]
    while each >= 0:
        visits = integer(tree.visits[each])
        if visits > most:
            most, second = visits, most
        else:
            second = max(second, visits)
        each = tree.following[each]
    return most - second


@kernel
def child_of(tree: Tree, root: int, key: int) -> int:
    """The node below `root` of that key, added if there is none: a tree keeps room for an action's steps.

    An added node's step was forced, so how it is liked does not matter."""
    stamp = _index_children(tree, root)
    return integer(tree.child[key]) if tree.stamp[key] == stamp else _add_child(tree, root, key)
