"""The players by name, behind one small interface: an observation in, a complete action out.

A player gets `Game.observe(seat)` of the seat to act and nothing else: it cannot know what the seat may not.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from ai.greedy import greedy_step
from ai.search import LEARNED, ROLLOUTS, Tuning
from ai.thinking import Budget, Mind, Search, complete_action
from ai.weights import COMPETITIVE, COOPERATIVE
from engine import Action, Game, States
from engine.kernel import random_below
from engine.state import MAX_LEGAL


@dataclass(frozen=True, slots=True)
class PlayerInfo:
    """A player: how long it thinks about one action, and how softly a search chooses among good steps."""

    name: str
    kind: Literal["simple", "search"]
    budget: Budget
    softness: float = 0.0

    @property
    def seconds(self) -> float:
        """The most that this player thinks about one action, in seconds."""
        return self.budget.seconds


LEARNED_SECONDS = 0.1  # of thinking about an action in all threads, up to which a network is asked
# A level's iterations end its thinking long before this on any machine that is not overloaded.
_CAP_SECONDS = 2.0
_ALL = (
    PlayerInfo("random", "simple", Budget(0.1)),
    PlayerInfo("greedy", "simple", Budget(0.1)),
    PlayerInfo("beginner", "search", Budget(_CAP_SECONDS, 10), softness=0.3),
    PlayerInfo("apprentice", "search", Budget(_CAP_SECONDS, 16)),
    PlayerInfo("average", "search", Budget(_CAP_SECONDS, 90)),
    PlayerInfo("good", "search", Budget(_CAP_SECONDS, 300)),
    PlayerInfo("strong", "search", Budget(_CAP_SECONDS, 1_000)),
    PlayerInfo("expert", "search", Budget(_CAP_SECONDS, 3_000)),
    PlayerInfo("master", "search", Budget(0.5, threads=2)),
)
PLAYERS = {player.name: player for player in _ALL}


class UnknownPlayer(ValueError):
    """No player has that name."""


def _greedy_step(mind: Mind) -> int:
    work, scratch = mind.states.copy(), np.zeros(MAX_LEGAL, np.int16)
    weights = COOPERATIVE if work[0]["cooperative"] else COMPETITIVE
    return int(greedy_step(mind.states, work, mind.pool, mind.unseen, mind.steps, scratch, weights, mind.rng))


def _random_step(mind: Mind) -> int:
    steps = mind.legal_steps()
    return steps[random_below(mind.rng, len(steps))]


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
    return choose_counted(player, observation, seed, budget, tuning)[0]


def choose_counted(
    player: str,
    observation: States,
    seed: int | None = None,
    budget: Budget | None = None,
    tuning: Tuning | None = None,
) -> tuple[Action, int]:
    """What `choose` gives, and the iterations of the search behind it: none where nothing is searched."""
    if player not in PLAYERS:
        raise UnknownPlayer(player)
    mind = Mind(observation, seed)
    if player == "random":
        return complete_action(mind, partial(_random_step, mind)), 0
    if player == "greedy":
        return complete_action(mind, partial(_greedy_step, mind)), 0
    info = PLAYERS[player]
    budget = budget or info.budget
    search = Search(mind, budget, tuning or _tuning(budget), info.softness)
    return complete_action(mind, search.choose_step), search.iterations


def _tuning(budget: Budget) -> Tuning:
    """With more time rollouts are as strong as a network (docs/strength.md), and a level's iterations are
    rollouts."""
    hasty = budget.iterations is None and budget.seconds * budget.threads <= LEARNED_SECONDS
    return LEARNED if hasty else ROLLOUTS


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
