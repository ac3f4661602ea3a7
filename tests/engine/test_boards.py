"""R2, R3: boards are data files, and whatever they say is what the rules use."""

import copy
from typing import Any

import pytest

from engine import BadRecord, BadSetup, Game, board_names, load_board
from tests.engine.deals import SCROLL, deal


def joined(board: dict[str, Any]) -> set[frozenset[int]]:
    return {frozenset(vine) for vine in board["vines"]}


def test_the_default_board_is_the_scroll_of_the_rules() -> None:
    assert next(iter(board_names())) == "scroll"
    assert Game.new("competitive", 2).board.name == "scroll"
    scroll = load_board("scroll").as_json()
    assert joined(scroll) == joined(SCROLL)
    assert scroll["token_spaces"] == SCROLL["token_spaces"]


def test_a_second_board_is_shipped_and_differs() -> None:
    assert len(board_names()) >= 2
    others = [joined(load_board(name).as_json()) for name in board_names() if name != "scroll"]
    assert all(vines != joined(SCROLL) for vines in others)


@pytest.mark.parametrize("name", board_names())
def test_a_board_hangs_together_and_can_be_drawn(name: str) -> None:
    board = load_board(name)
    assert board.name == name
    assert len(board.coordinates) == 12
    assert len(set(board.coordinates)) == 12
    assert all(0 < x < 1 and 0 < y < 1 for x, y in board.coordinates)
    reached = {0}
    while grown := {b for vine in joined(board.as_json()) if vine & reached for b in vine} - reached:
        reached |= grown
    assert reached == set(range(12))
    assert len(joined(board.as_json())) == len(board.vines)
    assert len(set(board.token_spaces)) == 10


def test_an_unknown_board_is_refused() -> None:
    for name in ("", "Scroll", "../scroll", "round"):
        with pytest.raises(BadSetup):
            load_board(name)


FAULTS: dict[str, dict[str, Any]] = {
    "a vine to itself": {"vines": [[3, 3]]},
    "a vine to nowhere": {"vines": [[0, 12]]},
    "a negative space": {"vines": [[0, -1]]},
    "a vine of three": {"vines": [[0, 1, 2]]},
    "a vine of one": {"vines": [[0]]},
    "a vine twice": {"vines": [[0, 1], [1, 0]]},
    "a vine of bools": {"vines": [[False, True]]},
    "a vine of floats": {"vines": [[0.0, 1.0]]},
    "vines an object": {"vines": {}},
    "nine token spaces": {"token_spaces": list(range(9))},
    "eleven token spaces": {"token_spaces": list(range(11))},
    "a token space twice": {"token_spaces": [0, 0, *range(2, 10)]},
    "a token space beyond the board": {"token_spaces": [*range(9), 12]},
    "token spaces of texts": {"token_spaces": [str(space) for space in range(10)]},
    "a number for a name": {"name": 7},
    "no name": {"name": ""},
    "a key too many": {"colour": "red"},
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_record_with_a_bad_board_is_refused(fault: str) -> None:
    record = copy.deepcopy(deal(1))
    record["board"].update(FAULTS[fault])
    with pytest.raises(BadRecord):
        Game.from_record(record)


@pytest.mark.parametrize("key", ["name", "vines", "token_spaces"])
def test_a_record_with_less_than_a_board_is_refused(key: str) -> None:
    record = copy.deepcopy(deal(1))
    del record["board"][key]
    with pytest.raises(BadRecord):
        Game.from_record(record)
