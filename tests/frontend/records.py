"""Game records to look at, made in a moment by the rules themselves."""

import random
from typing import Any

from engine import Game

NAMES = ("An", "Lan", "Minh", "Hoa")


def played(
    mode: str = "competitive", seats: int = 2, actions: int | None = None, seed: int = 3
) -> dict[str, Any]:
    """The record of a game between people who choose at random, whole or so many actions long."""
    chance = random.Random(seed)
    people = [{"name": name, "player": "human"} for name in NAMES[:seats]]
    game = Game.new(mode, people, seed=seed)
    while not game.over and (actions is None or game.actions_played < actions):
        legal = game.legal_actions()
        summons = [action for action in legal if action["type"] == "summon"]
        game.apply(chance.choice(summons or legal))
    return game.record()
