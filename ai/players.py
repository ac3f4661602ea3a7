"""The players by name, behind one small interface: an observation in, a complete action out.

A player gets `Game.observe(seat)` of the seat to act and nothing else: it cannot know what the seat may not.
"""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ai.determinization import list_unseen
from ai.greedy import greedy_step
from ai.search import ACTION_STEPS, Tree, Tuning, child_of, iterate, most_visited, new_tree, step_key
from ai.weights import COMPETITIVE, COOPERATIVE
from engine import Action, Game, States, action_of
from engine.kernel import apply_step, legal_steps, random_below
from engine.state import MAX_LEGAL, OVER, PASS

# Between two looks at the clock a search runs about this long, in seconds.
CHUNK_SECONDS = 0.004
FIRST_CHUNK = 32
# Of what is left of an action's budget, the share spent on each of its steps in turn.
STEP_SHARE = 0.75
# A tree for more iterations than this stops growing, but its nodes go on learning.
TREE_CAPACITY = 300_000


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a search may think about one action, shared by its steps: at most `iterations` if given, and
    never longer than `seconds` of wall time, or with `cpu` of this thread's processor time."""

    seconds: float
    iterations: int | None = None
    cpu: bool = False


@dataclass(frozen=True, slots=True)
class PlayerInfo:
    """A player: `seconds` is the most it thinks about one action."""

    name: str
    kind: Literal["simple", "search"]
    budget: Budget

    @property
    def seconds(self) -> float:
        """The most that this player thinks about one action, in seconds."""
        return self.budget.seconds


_SECONDS = 2.0
_ALL = (
    PlayerInfo("random", "simple", Budget(0.1)),
    PlayerInfo("greedy", "simple", Budget(0.1)),
    PlayerInfo("beginner", "search", Budget(_SECONDS, 40)),
    PlayerInfo("apprentice", "search", Budget(_SECONDS, 120)),
    PlayerInfo("average", "search", Budget(_SECONDS, 400)),
    PlayerInfo("good", "search", Budget(_SECONDS, 1_500)),
    PlayerInfo("strong", "search", Budget(_SECONDS, 6_000)),
    PlayerInfo("expert", "search", Budget(_SECONDS, 24_000)),
    PlayerInfo("master", "search", Budget(1.0)),
)
PLAYERS = {player.name: player for player in _ALL}


class UnknownPlayer(ValueError):
    """No player has that name."""


class Mind:
    """What one decision works with: the observation as it is while steps are chosen, and scratch memory."""

    def __init__(self, observation: States, seed: int | None) -> None:
        word = secrets.randbits(64) if seed is None else seed * 0x9E3779B97F4A7C15 + 0x2545F4914F6CDD1D
        self.rng = np.array([word % 2**64 or 1], np.uint64)
        random_below(self.rng, 2)
        self.states = observation.copy()
        self.steps = np.zeros(MAX_LEGAL, np.int16)
        self.pool = np.zeros(60, np.int8)
        self.unseen = list_unseen(self.states[0], self.pool)


Chooser = Callable[[Mind, int], int]


def _complete(mind: Mind, choose_step: Chooser) -> Action:
    """An action, step by step."""
    observation = mind.states.copy()
    s = mind.states[0]
    played = int(s["played"])
    chosen: list[int] = []
    while True:
        step = choose_step(mind, legal_steps(s, mind.steps))
        chosen.append(step)
        # A draw or a pass is whole, and what the deck then shows is not to be looked at.
        if step <= PASS:
            break
        apply_step(s, step)
        if s["phase"] == OVER or s["played"] != played:
            break
    return action_of(observation, chosen)


def _random_step(mind: Mind, n: int) -> int:
    return int(mind.steps[random_below(mind.rng, n)])


def _greedy_chooser() -> Chooser:
    scratch = np.zeros(MAX_LEGAL, np.int16)

    def choose_step(mind: Mind, n: int) -> int:
        work = mind.states.copy()
        weights = COOPERATIVE if work[0]["cooperative"] else COMPETITIVE
        return int(
            greedy_step(mind.states, work, mind.pool, mind.unseen, mind.steps, scratch, weights, mind.rng)
        )

    return choose_step


class Search:
    """A tree search over one action: the subtree of each chosen step is kept for the next one."""

    def __init__(self, budget: Budget, tuning: Tuning) -> None:
        self.budget = budget
        self.tuning = tuning
        self.clock = time.thread_time if budget.cpu else time.perf_counter
        self.started = self.clock()
        self.iterations = 0
        capacity = TREE_CAPACITY if budget.iterations is None else budget.iterations + 2 * ACTION_STEPS
        self.tree: Tree = new_tree(min(capacity, TREE_CAPACITY))
        self.root = 0

    def __call__(self, mind: Mind, n: int) -> int:
        """The step most visited after this step's share of the budget."""
        if n > 1:
            self.think(mind)
        chosen = most_visited(self.tree, self.root, mind.states[0], mind.steps, n)
        self.root = child_of(self.tree, self.root, step_key(mind.states[0], chosen))
        return int(chosen)

    def think(self, mind: Mind) -> None:
        """Searches for the present step's share of the budget."""
        now = self.clock()
        deadline = now + STEP_SHARE * (self.started + self.budget.seconds - now)
        target = None
        if self.budget.iterations is not None:
            target = self.iterations + max(1, int(STEP_SHARE * (self.budget.iterations - self.iterations)))
        chunk = FIRST_CHUNK
        while True:
            if target is not None:
                chunk = min(chunk, target - self.iterations)
            iterate(self.tree, self.root, mind.states, mind.pool, mind.unseen, self.tuning, chunk, mind.rng)
            self.iterations += chunk
            then, now = now, self.clock()
            if now >= deadline or self.iterations == target:
                return
            rate = chunk / max(now - then, 1e-6)
            chunk = max(1, min(int(rate * CHUNK_SECONDS), int(rate * (deadline - now)), 4 * chunk))


def choose(
    player: str,
    observation: States,
    seed: int | None = None,
    budget: Budget | None = None,
    tuning: Tuning | None = None,
) -> Action:
    """The action that a player chooses for the seat to act in `observation`, as `Game.observe` gives it.

    Blocks for at most the player's budget, or `budget`. The same `seed` and a budget that iterations end give
    the same action. Raises UnknownPlayer.
    """
    if player not in PLAYERS:
        raise UnknownPlayer(player)
    mind = Mind(observation, seed)
    if player == "random":
        return _complete(mind, _random_step)
    if player == "greedy":
        return _complete(mind, _greedy_chooser())
    return _complete(mind, Search(budget or PLAYERS[player].budget, tuning or Tuning()))


def fallback(observation: States) -> Action:
    """A quick legal action for when thinking failed: the greedy player's."""
    return choose("greedy", observation)


def warm_up() -> None:
    """Loads or compiles every kernel, so that no first move pays for it."""
    for mode, seats in (("competitive", 2), ("cooperative", 1)):
        game = Game.new(mode, seats, seed=1)
        for player in ("random", "greedy", "beginner"):
            while game.actions_played % 4 != 3:
                game.apply(choose(player, game.observe(_to_act(game)), seed=1))
            game.legal_actions()
            game.choices()
            game.apply(choose(player, game.observe(_to_act(game)), seed=1))


def _to_act(game: Game) -> Any:
    return game.seat_to_act
