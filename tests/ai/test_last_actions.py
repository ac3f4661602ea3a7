"""In positions where one last action decides the game, a search finds it."""

import pytest

from ai import Budget, choose
from tests.engine.positions import game_at, position

BUDGET = Budget(60.0, iterations=4_000)
LAST = {"seat": 1, "reason": "years"}


@pytest.mark.parametrize("seed", range(3))
def test_it_takes_the_animal_token_that_wins_by_a_year(seed: int) -> None:
    # Five years behind with one action left: the Horse Token, its seventh, is worth seven years and costs the
    # card that would have counted one; any draw is worth one at most.
    stacks = ["wood-mouse", "wood-buffalo", "fire-tiger", "fire-cat", "earth-dragon", "earth-snake"]
    game = game_at(
        position(
            hands=["metal-horse metal-cat", "water-pig"],
            stacks=dict(enumerate(stacks)),
            actions_left=1,
            years=[40, 46],
            owner={name.split("-")[1]: 0 for name in stacks},
            last_round=LAST,
        )
    )
    action = choose("good", game.observe(0), seed, BUDGET)
    assert (action["type"], action["card"]) == ("summon", "metal-horse")
    game.apply(action)
    assert game.result == {"years": [47, 46], "winners": [0]}


def test_it_keeps_the_element_token_that_final_scoring_counts() -> None:
    # The summon costs 1. Paid with a card it wins by two years; paid with the token it ties, and the rival
    # holds the year's animal.
    game = game_at(
        position(
            hands=["fire-buffalo fire-tiger fire-dog", "water-pig"],
            stacks={0: "wood-buffalo"},
            actions_left=1,
            years=[40, 42],
            owner={"buffalo": 0, "mouse": 1},
            tokens=["fire", ""],
            last_round=LAST,
        )
    )
    action = choose("good", game.observe(0), 3, BUDGET)
    game.apply(action)
    assert game.result == {"years": [44, 42], "winners": [0]}


def test_alone_it_ascends_the_last_animal_before_the_stream_runs_out() -> None:
    # One Stream card is left: summoning the rank 5 card scores its stack, drawing ends the game.
    game = game_at(
        position(
            "cooperative",
            1,
            hands=["earth-horse earth-snake fire-horse wood-horse"],
            stacks={0: "water-horse", 2: "earth-pig"},
            stream=["water-pig", *[None] * 7],
            deck=0,
            actions_left=2,
        )
    )
    action = choose("good", game.observe(0), 3, BUDGET)
    assert action["type"] == "summon"
    assert action["card"] == "earth-horse"
