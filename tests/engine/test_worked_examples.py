"""The rulebook's own examples, in the order in which RULES.md numbers them (the eighth is the almanac's)."""

import pytest

from tests.engine.positions import position
from tests.engine.table import Table


def test_example_1_fire_mouse_goes_on_wood_mouse_and_nowhere_else() -> None:
    table = Table.at(position(hands=["fire-mouse fire-tiger"], stacks={3: "wood-mouse", 6: "fire-cat"}))
    assert {action["space"] for action in table.summons_of("fire-mouse")} == {3}
    gain = {"from": "supply"}
    table.refuse(table.summoning("fire-mouse", 0, "fire-tiger", gain=gain), "wrong-space", "R10a")
    table.summon("fire-mouse", 3, "fire-tiger", gain=gain)
    assert table.game.view(0)["table"]["spaces"][3]["cards"] == ["wood-mouse", "fire-mouse"]


def test_example_2_a_third_animal_token_is_worth_three_years() -> None:
    table = Table.at(position(hands=["wood-mouse wood-dog"], owner={"pig": 0, "monkey": 0}, years=[7, 0]))
    outcome = table.summon("wood-mouse", 0, "wood-dog")
    assert outcome["years"] == 3
    assert outcome["animal_token"] == {"animal": "mouse", "from": None}
    player = table.game.view(0)["players"][0]
    assert player["years"] == 10
    assert set(player["animals"]) == {"pig", "monkey", "mouse"}


def test_example_3_ascending_an_own_animal_counts_element_tokens_with_the_new_one() -> None:
    table = Table.at(
        position(
            hands=["water-mouse water-monkey water-rooster water-horse"],
            stacks={0: "wood-mouse fire-mouse"},
            tokens=["earth metal"],
            owner={"mouse": 0},
        )
    )
    pay = "water-monkey water-rooster water-horse"
    outcome = table.summon("water-mouse", 0, pay, gain={"from": "supply"})
    assert outcome["gained"] == [{"element": "fire", "by": "ascension", "from": {"from": "supply"}}]
    assert outcome["animal_token"] is None
    assert outcome["years"] == 3


def test_example_4_water_cat_between_two_water_cards_costs_two() -> None:
    table = Table.at(
        position(
            hands=["water-cat fire-cat water-monkey wood-mouse"],
            stacks={0: "water-goat", 2: "water-mouse"},
        )
    )
    # The holder of a cat and a water card has just this way to pay beside both of them.
    here = [action for action in table.summons_of("water-cat") if action["space"] == 1]
    assert [action["pay"] for action in here] == [{"cards": ["fire-cat", "water-monkey"], "tokens": 0}]
    assert table.summon("water-cat", 1, "fire-cat water-monkey")["cost"] == 2


@pytest.mark.parametrize("robbed", [1, 2])
def test_example_5_earth_horse_robs_either_opponent_and_takes_the_horse(robbed: int) -> None:
    table = Table.at(
        position(
            seats=3,
            hands=["earth-horse earth-snake"],
            stacks={4: "water-horse"},
            tokens=["earth earth", "water", "water"],
            owner={"horse": 1, "pig": 0, "dog": 0},
        )
    )
    gains = [action["gain"] for action in table.summons_of("earth-horse")]
    assert gains == [{"from": "seat", "seat": 1}, {"from": "seat", "seat": 2}]
    outcome = table.summon("earth-horse", 4, "earth-snake", 2, gain={"from": "seat", "seat": robbed})
    assert outcome["cost"] == 3
    assert outcome["animal_token"] == {"animal": "horse", "from": 1}
    assert outcome["years"] == 3
    view = table.game.view("spectator")
    assert view["table"]["supply"]["earth"] == 2
    assert [player["tokens"]["water"] for player in view["players"]] == [1, robbed - 1, 2 - robbed]
    assert "horse" not in view["players"][1]["animals"]


def test_example_6_water_cat_makes_room_and_water_horse_costs_nothing() -> None:
    table = Table.at(
        position("cooperative", 1, hands=["water-horse"], stacks={1: "water-cat", 2: "water-goat"})
    )
    outcome = table.summon("water-horse", 1, move={"from": 1, "to": 10})
    assert outcome["cost"] == 0
    spaces = table.game.view(0)["table"]["spaces"]
    assert spaces[1]["cards"] == ["water-horse"]
    assert spaces[10]["cards"] == ["water-cat"]


def test_example_7_a_tie_in_a_snake_year_goes_to_the_dragon_when_nobody_tied_holds_the_snake() -> None:
    table = Table.at(
        position(
            seats=3,
            seat=2,
            actions_left=1,
            years=[60, 60, 40],
            owner={"snake": 2, "dragon": 1, "horse": 0, "cat": 0},
            year_animal="snake",
            last_round={"seat": 0, "reason": "years"},
        )
    )
    table.draw()
    assert table.game.result is not None
    assert table.game.result["winners"] == [1]
