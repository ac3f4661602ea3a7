"""Choosing an action, and telling what it took."""

from ai.players import PLAYERS, choose
from ai.search import Tuning
from ai.thinking import Budget, Mind, Search, complete_action
from engine import Action, States


def choose_counted(player: str, observation: States, budget: Budget | None = None) -> tuple[Action, int]:
    """What `choose` gives, and the iterations of the search behind it: none where nothing is searched.

    Raises UnknownPlayer.
    """
    info = PLAYERS.get(player)
    if info is None or info.kind != "search":
        return choose(player, observation, budget=budget), 0
    mind = Mind(observation, None)
    search = Search(mind, budget or info.budget, Tuning(), info.softness)
    return complete_action(mind, search.choose_step), search.iterations
