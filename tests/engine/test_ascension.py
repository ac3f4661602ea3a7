"""R11: the token of the covered card's element, and whence it comes."""

from typing import Any

from tests.engine.positions import position
from tests.engine.table import Table

Json = dict[str, Any]


def fire_mouse_over_wood_mouse(**rest: Any) -> Table:
    """Seat 0 may cover the wood mouse, paying with a fire card; `rest` places the wood tokens."""
    mode = rest.pop("mode", "competitive")
    seats = rest.pop("seats", 3)
    return Table.at(position(mode, seats, hands=["fire-mouse fire-tiger"], stacks={0: "wood-mouse"}, **rest))


def gains_of(table: Table) -> list[Json | None]:
    return sorted((action["gain"] for action in table.summons_of("fire-mouse")), key=str)


def summon(table: Table, gain: Json | None) -> Json:
    return table.summoning("fire-mouse", 0, "fire-tiger", gain=gain)


SUPPLY = {"from": "supply"}


def space(number: int) -> Json:
    return {"from": "space", "space": number}


def seat(number: int) -> Json:
    return {"from": "seat", "seat": number}


def test_from_the_supply_or_any_board_space_that_holds_one() -> None:
    table = fire_mouse_over_wood_mouse(space_tokens={4: "wood", 5: "fire"})
    assert gains_of(table) == [space(4), SUPPLY]
    assert gains_of(fire_mouse_over_wood_mouse(space_tokens={4: "wood", 9: "wood"})) == [space(4), space(9)]


def test_taking_it_from_a_board_space_empties_that_space() -> None:
    table = fire_mouse_over_wood_mouse(space_tokens={4: "wood"})
    table.apply(summon(table, space(4)))
    view = table.game.view(0)
    assert view["table"]["spaces"][4]["token"] is None
    assert view["table"]["supply"]["wood"] == 1
    assert view["players"][0]["tokens"]["wood"] == 1


def test_no_robbing_while_the_table_still_has_one() -> None:
    table = fire_mouse_over_wood_mouse(tokens=["", "wood"])
    assert gains_of(table) == [SUPPLY]
    table.refuse(summon(table, seat(1)), "gain-not-from-seat", "R11")
    table = fire_mouse_over_wood_mouse(tokens=["", "wood"], space_tokens={8: "wood"})
    assert gains_of(table) == [space(8)]
    table.refuse(summon(table, seat(1)), "gain-not-from-seat", "R11")


def test_the_player_chooses_whom_to_rob() -> None:
    assert gains_of(fire_mouse_over_wood_mouse(tokens=["", "wood", "wood"])) == [seat(1), seat(2)]
    assert gains_of(fire_mouse_over_wood_mouse(tokens=["", "", "wood wood"])) == [seat(2)]
    assert gains_of(fire_mouse_over_wood_mouse(tokens=["wood", "", "wood"])) == [seat(2)]


def test_whoever_holds_both_gets_none() -> None:
    table = fire_mouse_over_wood_mouse(tokens=["wood wood"])
    assert gains_of(table) == [None]
    table.refuse(summon(table, SUPPLY), "gain-not-due", "R11")
    assert table.apply(summon(table, None))["gained"] == []


def test_a_gain_that_is_due_must_be_written() -> None:
    table = fire_mouse_over_wood_mouse()
    table.refuse(summon(table, None), "gain-required", "R11")


def test_a_source_that_has_none_is_refused() -> None:
    table = fire_mouse_over_wood_mouse(space_tokens={4: "wood", 5: "wood", 6: "fire"})
    for source in (SUPPLY, space(6), space(7)):
        table.refuse(summon(table, source), "gain-unavailable", "R11")
    table = fire_mouse_over_wood_mouse(tokens=["", "wood wood"])
    for source in (SUPPLY, seat(2), seat(0)):
        table.refuse(summon(table, source), "gain-unavailable", "R11")


def test_a_first_card_gains_nothing_by_ascension() -> None:
    table = Table.at(position(hands=["wood-mouse wood-dog"]))
    table.refuse(table.summoning("wood-mouse", 0, "wood-dog", gain=SUPPLY), "gain-not-due", "R11")


def test_a_paid_token_of_the_summoned_element_is_back_in_the_supply_but_not_gained() -> None:
    table = Table.at(position(hands=["fire-mouse"], stacks={0: "wood-mouse"}, tokens=["fire", "wood wood"]))
    outcome = table.summon("fire-mouse", 0, tokens=1, gain=seat(1))
    assert outcome["gained"] == [{"element": "wood", "by": "ascension", "from": seat(1)}]
    assert table.game.view(0)["table"]["supply"]["fire"] == 2


def test_a_team_mate_may_have_to_give_one() -> None:
    table = fire_mouse_over_wood_mouse(mode="cooperative", seats=2, tokens=["", "wood wood"])
    assert gains_of(table) == [seat(1)]
    table.apply(summon(table, seat(1)))
    assert [player["tokens"]["wood"] for player in table.game.view(0)["players"]] == [1, 1]


def test_without_element_tokens_ascending_gains_none() -> None:
    table = fire_mouse_over_wood_mouse(mode="cooperative", seats=2, options={"element_tokens": False})
    assert gains_of(table) == [None]
    table.refuse(summon(table, SUPPLY), "gain-not-due", "R11")
    table.apply(summon(table, None))


def test_a_token_gained_by_the_move_counts_towards_both() -> None:
    table = fire_mouse_over_wood_mouse(
        mode="cooperative",
        seats=2,
        options={"move": "any"},
        tokens=["wood", "fire"],
        space_tokens={1: "wood"},
    )
    with_move = [action["gain"] for action in table.summons_of("fire-mouse") if action["move"] == MOVE]
    without = [action["gain"] for action in table.summons_of("fire-mouse") if action["move"] is None]
    assert with_move == [None]
    assert without == [space(1)]


MOVE = {"from": 0, "to": 1}
