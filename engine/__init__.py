"""The rules of Stem & Branch. Pure: no input or output, no clock, no hidden randomness.

What other packages, tests and programs may use is listed here; planners also use the fast path, which
trusts its caller: the modules `kernel`, `state` and `compiled`.

>>> from engine import Game
>>> game = Game.new("competitive", seats=2, seed=7)
>>> outcome = game.apply({"seat": game.seat_to_act, "type": "draw", "source": 3})
>>> game.view("spectator")["table"]["deck"]
43
"""

from engine.actions import action_of, steps_of
from engine.boards import DEFAULT_BOARD, Board, board_names, load_board
from engine.cards import ANIMALS, CARD_NAMES, CARDS, ELEMENTS, RANK_FLOORS, RANK_NAMES, Card, card_year
from engine.errors import BadRecord, BadSetup, GameError, IllegalAction, MalformedAction
from engine.game import Action, Game
from engine.record import DEFAULT_OPTIONS, OPTION_CHOICES, SEAT_COUNTS
from engine.state import STATE, States, new_state
from engine.views import Viewer, hide_outcome, may_be_undone, observe

__all__ = [
    "ANIMALS",
    "CARDS",
    "CARD_NAMES",
    "DEFAULT_BOARD",
    "DEFAULT_OPTIONS",
    "ELEMENTS",
    "OPTION_CHOICES",
    "RANK_FLOORS",
    "RANK_NAMES",
    "SEAT_COUNTS",
    "STATE",
    "Action",
    "BadRecord",
    "BadSetup",
    "Board",
    "Card",
    "Game",
    "GameError",
    "IllegalAction",
    "MalformedAction",
    "States",
    "Viewer",
    "action_of",
    "board_names",
    "card_year",
    "hide_outcome",
    "load_board",
    "may_be_undone",
    "new_state",
    "observe",
    "steps_of",
]
