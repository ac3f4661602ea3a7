"""One decision by tree search: its budget, its threads, and the steps of an action chosen from its trees."""

import math
import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from ai.determinization import list_unseen
from ai.network import blank, network_for
from ai.search import NETWORK, ROOM, Tree, Tuning, child_of, iterate, lead, new_tree, step_key, step_visits
from engine import Action, States, action_of
from engine.kernel import apply_step, legal_steps, random_below
from engine.state import MAX_LEGAL, OVER, PASS, Steps

# Between two looks at the clock a search runs about this long, in seconds.
CHUNK_SECONDS = 0.004
FIRST_CHUNK = 32
# Of what is left of an action's budget, the share spent on each of its steps in turn.
STEP_SHARE = 0.75
# A tree for more iterations than this stops growing, but its nodes go on learning.
TREE_CAPACITY = 300_000
# A soft choice is among the steps that were visited at least this share as often as the most visited.
SOFT_VISITS = 0.1
Clock = Callable[[], float]

NO_LINE: Steps = np.zeros(0, np.int16)


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a search may think about one action, shared by its steps.

    At most `iterations` if given, and never longer than `seconds` of wall time, or with `cpu` of the thread's
    processor time. With more `threads` each searches a tree of its own and their visits are added up.
    """

    seconds: float
    iterations: int | None = None
    cpu: bool = False
    threads: int = 1


class Mind:
    """What one decision works with: the observation as it is while steps are chosen, and its unseen cards."""

    def __init__(self, observation: States, seed: int | None) -> None:
        word = secrets.randbits(64) if seed is None else seed * 0x9E3779B97F4A7C15 + 0x2545F4914F6CDD1D
        self.rng = np.array([word % 2**64 or 1], np.uint64)
        random_below(self.rng, 2)
        self.states = observation.copy()
        self.steps = np.zeros(MAX_LEGAL, np.int16)
        self.pool = np.zeros(60, np.int8)
        self.unseen = list_unseen(self.states[0], self.pool)

    def legal_steps(self) -> list[int]:
        """The legal steps at the point that the action has come to."""
        return [int(step) for step in self.steps[: legal_steps(self.states[0], self.steps)]]


Chooser = Callable[[], int]


def complete_action(mind: Mind, choose_step: Chooser) -> Action:
    """An action, step by step, each chosen at the point that `mind` has come to."""
    observation = mind.states.copy()
    return action_of(observation, complete_line(mind, choose_step))


def complete_line(mind: Mind, choose_step: Chooser) -> list[int]:
    """The steps of one action, each chosen at the point that `mind` has come to."""
    s = mind.states[0]
    played = int(s["played"])
    chosen: list[int] = []
    while True:
        step = choose_step()
        chosen.append(step)
        # A draw or a pass is whole, and what the deck then shows is not to be looked at.
        if step <= PASS:
            break
        apply_step(s, step)
        if s["phase"] == OVER or s["played"] != played:
            break
    return chosen


class Search:
    """A tree search over one action: the subtrees of each chosen step are kept for the next one.

    With a `softness`, in units of the reward's range, a step is drawn among the good ones instead of taking
    the most visited.
    """

    def __init__(self, mind: Mind, budget: Budget, tuning: Tuning, softness: float = 0.0) -> None:
        self.mind = mind
        self.budget = budget
        self.tuning = tuning
        self.softness = softness
        self.clock = time.thread_time if budget.cpu else time.perf_counter
        self.started = self.clock()
        self.thought = 0.0  # seconds, of the slowest thread each time
        self.iterations = 0
        capacity = TREE_CAPACITY if budget.iterations is None else budget.iterations + 2 * ROOM
        self.branches = [
            Branch(mind, new_tree(min(capacity, TREE_CAPACITY)), tuning) for _ in range(budget.threads)
        ]

    def choose_step(self) -> int:
        """A step of the action, after its share of the budget; the search moves on to what follows it."""
        steps = self.mind.legal_steps()
        if len(steps) > 1:
            self.think(settle=self.tuning.settle)
        chosen = self._chosen(steps)
        for branch in self.branches:
            branch.follow(chosen)
        return chosen

    def visits(self, steps: list[int]) -> list[int]:
        """How often each of the legal steps was tried, in all trees."""
        return [sum(branch.visits(step) for branch in self.branches) for step in steps]

    def values(self, steps: list[int], seat: int) -> list[float]:
        """The mean reward of a seat after each of the legal steps, scaled to the range of rewards seen."""
        return [
            sum(branch.value(step, seat) * branch.visits(step) for branch in self.branches) / max(visits, 1)
            for step, visits in zip(steps, self.visits(steps), strict=True)
        ]

    def best_lines(self, count: int) -> list[list[int]]:
        """The steps of the most visited actions, the most visited first: one for each first step tried."""
        steps = self.mind.legal_steps()
        tried = [(visits, step) for step, visits in zip(steps, self.visits(steps), strict=True) if visits]
        tried.sort(key=lambda each: -each[0])
        return [self._line(step) for _, step in tried[:count]]

    def _line(self, first: int) -> list[int]:
        """The most visited way to complete an action that begins with the step `first`."""
        states, roots = self.mind.states, [branch.root for branch in self.branches]
        self.mind.states = states.copy()
        following = iter([first])

        def next_step() -> int:
            steps = self.mind.legal_steps()
            visits = self.visits(steps)
            step = next(following, steps[visits.index(max(visits))])
            for branch in self.branches:
                branch.follow(step)
            return step

        try:
            return complete_line(self.mind, next_step)
        finally:
            self.mind.states = states
            for branch, root in zip(self.branches, roots, strict=True):
                branch.root = root

    def outlook(self, line: list[int]) -> list[float]:
        """Each seat's mean outcome after the steps of an action: its share of the win, or the score."""
        seats = int(self.mind.states[0]["seats"])
        nodes = [(branch.tree, branch.node_after(line)) for branch in self.branches]
        visits = sum(int(tree.visits[node]) for tree, node in nodes)
        sums = [sum(float(tree.outcome[node, seat]) for tree, node in nodes) for seat in range(seats)]
        return [each / max(visits, 1) for each in sums]

    def _chosen(self, steps: list[int]) -> int:
        visits = self.visits(steps)
        most = max(visits)
        if self.softness == 0 or len(steps) == 1:
            return steps[visits.index(most)]
        seat = int(self.mind.states[0]["turn"])
        good = [
            step for step, count in zip(steps, visits, strict=True) if count >= max(1, SOFT_VISITS * most)
        ]
        if not good:
            return steps[0]
        values = self.values(good, seat)
        weights = [math.exp((value - max(values)) / self.softness) for value in values]
        lot = int(random_below(self.mind.rng, 2**30)) / 2**30 * sum(weights)
        for step, weight in zip(good, weights, strict=True):
            lot -= weight
            if lot <= 0:
                return step
        return good[-1]

    def think(self, share: float = STEP_SHARE, line: Steps = NO_LINE, settle: bool = False) -> None:
        """Spends a share of what is left of the budget; with a `line` of steps, only on what follows it.

        To `settle` is to end before the time is up where the most visited step could not change any more.
        """
        # Other threads' processor time does not show on this thread's clock.
        spent = max(self.clock() - self.started, self.thought)
        seconds = share * (self.budget.seconds - spent)
        target = None
        if self.budget.iterations is not None:
            target = max(1, int(share * (self.budget.iterations - self.iterations)))
        if len(self.branches) == 1:
            self._add(*self.branches[0].run(self.clock, seconds, target, line, settle))
            return
        with ThreadPoolExecutor(len(self.branches)) as pool:
            runs = [
                pool.submit(each.run, self.clock, seconds, target, line, settle) for each in self.branches
            ]
            iterations, thought = zip(*(run.result() for run in runs), strict=True)
            self._add(max(iterations), max(thought))

    def _add(self, iterations: int, thought: float) -> None:
        self.iterations += iterations
        self.thought += thought


class Branch:
    """One thread's tree, with its own random numbers and scratch memory."""

    def __init__(self, mind: Mind, tree: Tree, tuning: Tuning) -> None:
        self.mind = mind
        self.tree = tree
        self.tuning = tuning
        self.root = 0
        learned = tuning.rollout == NETWORK
        self.network = network_for(bool(mind.states[0]["cooperative"])) if learned else blank()
        self.pool = mind.pool.copy()
        high, low = random_below(mind.rng, 2**31 - 1), random_below(mind.rng, 2**31 - 1)
        self.rng = np.array([high << 32 | low | 1], np.uint64)

    def run(
        self, clock: Clock, seconds: float, target: int | None, line: Steps, settle: bool
    ) -> tuple[int, float]:
        """Iterates for so many seconds of this thread's `clock`, or `target` times; how often, how long."""
        mind = self.mind
        done = 0
        chunk = FIRST_CHUNK
        started = now = clock()
        deadline = started + seconds
        while True:
            if target is not None:
                chunk = min(chunk, target - done)
            iterate(
                self.tree,
                self.root,
                mind.states,
                self.pool,
                mind.unseen,
                self.tuning,
                chunk,
                line,
                self.network,
                self.rng,
            )
            done += chunk
            then, now = now, clock()
            if now >= deadline or done == target:
                return done, now - started
            rate = chunk / max(now - then, 1e-6)
            if settle and target is None and lead(self.tree, self.root) > rate * (deadline - now):
                return done, now - started
            chunk = max(1, min(int(rate * CHUNK_SECONDS), int(rate * (deadline - now)), 4 * chunk))

    def visits(self, step: int) -> int:
        """How often a step was tried from the present root."""
        return int(step_visits(self.tree, self.root, step_key(self.mind.states[0], step)))

    def value(self, step: int, seat: int) -> float:
        """A seat's mean reward after a step, scaled to the range of rewards seen; 0 if it was not tried."""
        if not self.visits(step):
            return 0.0
        tree = self.tree
        node = child_of(tree, self.root, step_key(self.mind.states[0], step))
        low, high = tree.bounds
        return float((tree.value[node, seat] / tree.visits[node] - low) / max(high - low, 1e-3))

    def node_after(self, line: list[int]) -> int:
        """The node below the root that the steps of an action lead to."""
        node = self.root
        for step in line:
            node = int(child_of(self.tree, node, step_key(self.mind.states[0], step)))
        return node

    def follow(self, step: int) -> None:
        """Makes a step's node the root."""
        if not self.tuning.reuse:
            self.tree, self.root = new_tree(len(self.tree.key)), 0
            return
        self.root = int(child_of(self.tree, self.root, step_key(self.mind.states[0], step)))
