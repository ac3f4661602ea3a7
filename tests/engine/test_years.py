"""R12: Animal Tokens and years."""

import pytest

from tests.engine.positions import position
from tests.engine.table import Table


@pytest.mark.parametrize("held", range(5))
def test_taking_a_token_counts_all_animal_tokens_now_held(held: int) -> None:
    owner = dict.fromkeys(("pig", "dog", "rooster", "monkey")[:held], 0)
    table = Table.at(position(hands=["wood-mouse wood-buffalo"], owner=owner, tokens=["fire earth"]))
    assert table.summon("wood-mouse", 0, "wood-buffalo")["years"] == held + 1


def test_a_rival_loses_the_token_and_none_of_the_years() -> None:
    table = Table.at(
        position(
            hands=["fire-mouse fire-tiger"],
            stacks={0: "wood-mouse"},
            owner={"mouse": 1, "pig": 1},
            years=[0, 9],
        )
    )
    outcome = table.summon("fire-mouse", 0, "fire-tiger", gain={"from": "supply"})
    assert outcome["animal_token"] == {"animal": "mouse", "from": 1}
    assert outcome["years"] == 1
    rival = table.game.view(0)["players"][1]
    assert rival["animals"] == ["pig"]
    assert rival["years"] == 9
    assert table.game.view(0)["table"]["animal_tokens"]["mouse"] == 0


def test_an_own_animal_counts_element_tokens_after_paying_and_gaining() -> None:
    table = Table.at(
        position(
            hands=["fire-mouse"],
            stacks={0: "wood-mouse"},
            owner={"mouse": 0, "pig": 0},
            tokens=["fire metal water"],
        )
    )
    # One fire token pays, one wood token is gained: metal, water and wood count.
    assert table.summon("fire-mouse", 0, tokens=1, gain={"from": "supply"})["years"] == 3


def test_an_own_animal_without_any_element_token_is_worth_nothing() -> None:
    table = Table.at(
        position(hands=["wood-mouse wood-buffalo"], owner={"mouse": 0}, tokens=["", "wood fire"])
    )
    assert table.summon("wood-mouse", 0, "wood-buffalo")["years"] == 0


def test_the_spaces_token_counts_at_once() -> None:
    table = Table.at(
        position(hands=["wood-mouse wood-buffalo"], owner={"mouse": 0}, space_tokens={0: "earth"})
    )
    assert table.summon("wood-mouse", 0, "wood-buffalo")["years"] == 1


def test_no_years_and_no_animal_tokens_in_cooperation() -> None:
    table = Table.at(position("cooperative", 2, hands=["wood-mouse wood-buffalo"]))
    outcome = table.summon("wood-mouse", 0, "wood-buffalo")
    assert outcome["animal_token"] is None
    view = table.game.view(0)
    assert [player["years"] for player in view["players"]] == [0, 0]
    assert [player["animals"] for player in view["players"]] == [[], []]
