"""The kernel's count of sharing neighbours, against counting them one by one."""

import itertools

import numpy as np
import pytest

from engine import board_names, load_board
from engine.kernel import count_shares
from engine.state import new_state


@pytest.mark.parametrize("board", board_names())
def test_it_is_the_most_that_one_empty_space_has(board: str) -> None:
    masks = load_board(board).neighbour_masks()
    chance = np.random.default_rng(1)
    reached = set()
    for sharing, occupied in itertools.product(range(0, 4096, 3), chance.integers(0, 4096, 6)):
        s = new_state()[0]
        s["vines"] = masks
        s["sharing"][2] = sharing
        s["occupied"] = occupied | sharing
        empty = [space for space in range(12) if not (int(occupied) | sharing) >> space & 1]
        expected = max(((masks[space] & sharing).bit_count() for space in empty), default=0)
        count_shares(s)
        assert s["best_share"].tolist() == [0, 0, min(expected, 5), 0, 0]
        reached.add(min(expected, 5))
    assert reached >= {0, 1, 2, 3, 4}
