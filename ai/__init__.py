"""Players for Stem & Branch: tree search at seven levels, and the simple ones it is measured against.

What other packages may use is listed here, and the modules `bot`, `ladder` and `ratings`, which serving games
does not need. A player is handed what its seat observes and nothing else.
"""

from ai.advice import Candidate, Judgement, analyse, consider, judge
from ai.match import play_game, seat_swapped_wins
from ai.players import PLAYERS, PlayerInfo, UnknownPlayer, choose, choose_counted, fallback, warm_up
from ai.thinking import Budget

__all__ = [
    "PLAYERS",
    "Budget",
    "Candidate",
    "Judgement",
    "PlayerInfo",
    "UnknownPlayer",
    "analyse",
    "choose",
    "choose_counted",
    "consider",
    "fallback",
    "judge",
    "play_game",
    "seat_swapped_wins",
    "warm_up",
]
