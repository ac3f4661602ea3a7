"""Engine and reference play the same random games and agree after every action on all that can be seen."""

import itertools
import random
from typing import Any

import pytest

from engine import board_names, load_board
from tests.engine.deals import COOPERATIVE_OPTIONS, TASTES, deal
from tests.engine.table import Table

Json = dict[str, Any]

BOARDS = board_names()
COMPETITIVE = list(itertools.product(BOARDS, (2, 3, 4), TASTES))
COOPERATIVE = list(itertools.product((1, 2, 3, 4), COOPERATIVE_OPTIONS))


def play(record: Json, seed: int, taste: str) -> Table:
    table = Table.of_record(record)
    table.play_out(random.Random(seed), taste)
    return table


@pytest.mark.parametrize(("board", "seats", "taste"), COMPETITIVE)
def test_competitive_games(board: str, seats: int, taste: str) -> None:
    for seed in range(2):
        play(deal(seed, "competitive", seats, load_board(board).as_json()), seed, taste)


@pytest.mark.parametrize(
    ("seats", "options"),
    COOPERATIVE,
    ids=[f"{seats} {' '.join(map(str, options.values()))}" for seats, options in COOPERATIVE],
)
def test_cooperative_games(seats: int, options: Json) -> None:
    number = COOPERATIVE.index((seats, options))
    # Each choice of options meets both boards and every taste, at one number of seats or another.
    board = load_board(BOARDS[(number + seats) % 2]).as_json()
    taste = list(TASTES)[(number // 4 + seats) % 4]
    play(deal(number, "cooperative", seats, board, options), number, taste)


@pytest.mark.parametrize("number", range(8))
def test_boards_that_nobody_shipped(number: int) -> None:
    """A board is data: vines and token spaces by chance, few and many (R2)."""
    chance = random.Random(number)
    pairs = [list(pair) for pair in itertools.combinations(range(12), 2)]
    board = {
        "name": f"chance {number}",
        "vines": chance.sample(pairs, chance.choice((0, 12, 30, len(pairs)))),
        "token_spaces": chance.sample(range(12), 10),
    }
    play(deal(number, "competitive", 2 + number % 3, board), number, "summoner")
    options = {"move": ("vacated", "any")[number % 2]}
    play(deal(number, "cooperative", 1 + number % 4, board, options), number, "summoner")
