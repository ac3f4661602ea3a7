"""Positions for the players' tests: games some way on, and their hidden cards dealt otherwise."""

import random
from typing import Any

from engine import CARD_NAMES, Game
from tests.engine.deals import COOPERATIVE_OPTIONS

Json = dict[str, Any]

TABLES: list[tuple[str, int, Json | None]] = [
    *(("competitive", seats, None) for seats in (2, 3, 4)),
    *(("cooperative", 1 + index % 4, options) for index, options in enumerate(COOPERATIVE_OPTIONS)),
]


def game_after(
    actions: int, mode: str, seats: int, options: Json | None = None, seed: int = 0, board: str = "scroll"
) -> Game:
    """A game after some random actions, or at its end if that comes first."""
    chance = random.Random(seed)
    game = Game.new(mode, seats, seed=seed, options=options, board=board)
    while not game.over and game.actions_played < actions:
        legal = game.legal_actions()
        summons = [action for action in legal if action["type"] == "summon"]
        game.apply(chance.choice(summons if summons and chance.random() < 0.6 else legal))
    return game


def hidden_dealt_otherwise(game: Game, seat: int, seed: int) -> Game:
    """The same game with the cards that `seat` has not seen shuffled among the places it has not seen.

    Only cards that are still hidden move: what was played or thrown away since must stay where it came from.
    """
    record = game.record()
    deck = record["setup"]["deck"]
    seen = game.record(viewer=seat)["setup"]["deck"]
    view = game.view(seat)
    public = {card for player in view["players"] for card in player["known"]}
    public |= {card for space in view["table"]["spaces"] for card in space["cards"]}
    public |= {*view["table"]["discards"], *view["table"]["stream"]}
    places = [place for place, card in enumerate(deck) if seen[place] is None and card not in public]
    cards = [deck[place] for place in places]
    random.Random(seed).shuffle(cards)
    for place, card in zip(places, cards, strict=True):
        deck[place] = card
    assert sorted(deck) == sorted(CARD_NAMES)
    return Game.from_record(record)
