"""The rollout policy's weights, by name.

COOPERATIVE and COMPETITIVE were found by `python -m bench.tune`, which plays variations of them. IMITATING,
which a search with a network uses in competitive games, were found by `python -m bench.imitate`: they
foretell best which steps a search visits.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Weights: TypeAlias = NDArray[np.float64]

NAMES = (
    "action_noise",
    "crowded",  # for each card that drawing on would bring over the hand limit
    "draw_deck",
    "draw_dead",
    "draw_live",
    "draw_skipped",
    "draw_cost",
    "draw_started",  # its animal is on the board
    "draw_mine",  # its Animal Token is mine
    "draw_rivals",
    "summon",
    "summon_years",
    "summon_cost",
    "summon_skipped",
    "summon_rank_five",
    "summon_started",
    "summon_rivals",
    "lose_noise",
    "lose_tokens",
    "lose_dead",
    "lose_skipped",
    "lose_cost",
    "lose_rank_five",
    "lose_mine",
    "place_noise",
    "place_cost",
    "place_move",
    "place_token",
    "place_neighbours",
)
(
    ACTION_NOISE,
    CROWDED,
    DRAW_DECK_BASE,
    DRAW_DEAD,
    DRAW_LIVE,
    DRAW_SKIPPED,
    DRAW_COST,
    DRAW_STARTED,
    DRAW_MINE,
    DRAW_RIVALS,
    SUMMON,
    SUMMON_YEARS,
    SUMMON_COST,
    SUMMON_SKIPPED,
    SUMMON_RANK_FIVE,
    SUMMON_STARTED,
    SUMMON_RIVALS,
    LOSE_NOISE,
    LOSE_TOKENS,
    LOSE_DEAD,
    LOSE_SKIPPED,
    LOSE_COST,
    LOSE_RANK_FIVE,
    LOSE_MINE,
    PLACE_NOISE,
    PLACE_COST,
    PLACE_MOVE,
    PLACE_TOKEN,
    PLACE_NEIGHBOURS,
) = range(len(NAMES))

COOPERATIVE: Weights = np.array(
    [
        *(5.5, -21.6, -5.2, -5.9, 14.5, -7.8, -4.1, 0.2, 0.0, 0.0),
        *(18.3, 0.0, -13.2, -8.5, 5.0, -0.2, 0.0),
        *(5.0, 1.7, -3.6, -2.5, -5.5, -6.3, 0.0),
        *(1.6, -5.8, 1.7, 3.0, -1.3),
    ]
)
COMPETITIVE: Weights = np.array(
    [
        *(0.0, -6.0, 2.0, -2.6, 5.0, -1.9, -2.9, 2.7, 2.7, 2.5),
        *(0.7, 1.6, -5.9, -0.3, 2.4, -1.2, 5.1),
        *(5.4, 3.7, 8.7, 1.1, 0.2, -1.8, -1.2),
        *(3.6, -3.1, 1.3, 4.9, 0.8),
    ]
)
IMITATING: Weights = np.array(
    [
        *(0.0, -8.5, -3.0, -16.2, 3.1, -3.1, -4.9, 5.0, 2.9, 4.0),
        *(-4.7, 1.7, -7.1, -0.4, 4.6, -3.7, 12.9),
        *(5.4, 7.9, 16.3, 0.5, 1.6, -3.0, 0.6),
        *(3.6, -15.3, 0.0, 15.6, 0.2),
    ]
)
