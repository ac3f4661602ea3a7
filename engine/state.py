"""The state of a game: one NumPy structured record. Copying it is one assignment; its bytes are its identity.

Cards are bits 0..59 of a 64-bit mask (bit = year), spaces are bits 0..11 of a 16-bit mask, seats are 0..3,
elements 0..4 and animals 0..11 in R1's order; -1 stands for none.
"""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Record: TypeAlias = Any  # one state: `states[0]` of an array of dtype STATE
States: TypeAlias = NDArray[np.void]
Mask: TypeAlias = np.uint64
Steps: TypeAlias = NDArray[np.int16]
Words: TypeAlias = NDArray[np.uint64]
Numbers: TypeAlias = NDArray[np.int8]

STATE = np.dtype(
    [
        ("hands", "u8", 4),  # cards in each hand; in an observation only those that the seat may see
        ("known", "u8", 4),  # the cards of each hand that all have seen (R22)
        ("discards", "u8"),
        ("placed", "u8"),  # every card on the board, covered ones too
        ("vines", "u2", 12),  # for each space, the spaces joined to it
        ("sharing", "u2", 5),  # for each element, the spaces whose top card has it
        ("tokens_on", "u2", 5),  # for each element, the spaces that still hold its Element Token
        ("occupied", "u2"),
        ("animals", "u2", 4),  # the Animal Tokens of each seat, a bit an animal (R12)
        ("years", "i2", 4),
        ("turns", "i2"),  # the number of the current turn, from 1
        ("played", "i2"),  # actions of the game record played so far
        ("deck", "i1", 60),  # the whole deal in order; `dealt` cards of it have left the deck
        ("dealt", "i1"),
        ("stream", "i1", 8),
        ("top", "i1", 12),  # the visible card of each space
        ("space_of", "i1", 12),  # the space of each animal's stack
        ("tokens", "i1", (4, 5)),  # Element Tokens of each seat
        (
            "best_share",
            "i1",
            5,
        ),  # the most spaces that share each element with one empty space: kept up to date
        ("supply", "i1", 5),  # Element Tokens beside the board
        ("hand_size", "i1", 4),
        ("seats", "i1"),
        ("cooperative", "i1"),
        ("family", "i1"),  # option scoring "family" (R20)
        ("open_hands", "i1"),  # option hands "open", co-operative only (R6)
        ("any_move", "i1"),  # option move "any" (R17)
        ("year_animal", "i1"),  # for ties (R15)
        ("turn", "i1"),  # the seat to act
        ("actions_left", "i1"),
        ("phase", "i1"),
        ("card", "i1"),  # the card being summoned
        ("space", "i1"),  # where it goes
        ("moved", "i1"),  # whether a stack has moved for it
        ("due", "i1"),  # what is still to be paid, or to be discarded
        ("next_card", "i1"),  # payment and discards are chosen in rising order: the lowest card still allowed
        ("covered", "i1"),  # element of the card just covered, while its token's source is being chosen
        ("trigger", "i1"),  # the seat that brought on the last round (R13)
        ("trigger_reason", "i1"),
        ("spare", "i1", 6),  # fills the record: NumPy's copies leave bytes that belong to no field to chance
    ],
    align=True,
)

ACTION, PLACE, PAY, GAIN, DISCARD, OVER = range(6)
TRIGGER_DECK, TRIGGER_YEARS = 1, 2

HAND_LIMIT = 7
YEARS_TO_END = 60

# Steps: what the kernel plays, one small integer each.
DRAW_STREAM = 0  # + place 0..7
DRAW_DECK = 8
PASS = 9
CARD = 10  # + card 0..59: summon it, pay with it or discard it, as the phase has it
SPACE = 70  # + space 0..11
PAY_TOKENS = 82  # pay all that is still due in Element Tokens
GAIN_SEAT = 83  # + seat 0..3
GAIN_SPACE = 87  # + space 0..11
GAIN_SUPPLY = 99
MOVE = 100  # + 12 * from + to
STEPS = 244
MAX_LEGAL = 96  # no position has more legal steps: 54 placements and moves at the most


def new_state() -> States:
    """A blank state, shape (1,)."""
    return np.zeros(1, STATE)
