"""Actions whose keys or types are not the notation's are refused before any rule is asked."""

from typing import Any

import pytest

from engine import Game, IllegalAction, MalformedAction
from tests.engine.positions import game_at, position

Json = dict[str, Any]

DRAW: Json = {"seat": 0, "type": "draw", "source": 3}
DISCARD: Json = {"seat": 0, "type": "discard", "cards": ["wood-dog"]}
PASS: Json = {"seat": 0, "type": "pass"}
SUMMON: Json = {
    "seat": 0,
    "type": "summon",
    "card": "fire-mouse",
    "space": 1,
    "move": {"from": 0, "to": 1},
    "pay": {"cards": ["fire-tiger"], "tokens": 0},
    "gain": {"from": "supply"},
}
NUMBERS: list[Any] = [
    True,
    False,
    1.0,
    0.5,
    -1,
    99,
    2**63,
    -(2**63),
    10**30,
    "0",
    "",
    [],
    {},
    [0],
    float("nan"),
]
NOT_CARDS: list[Any] = [
    "Wood-Dog",
    "WOOD-DOG",
    "wood dog",
    "dog-wood",
    "wood-ox",
    "",
    " wood-dog",
    10,
    True,
    {},
]


def game() -> Game:
    return game_at(
        position(
            "cooperative",
            2,
            options={"move": "any"},
            hands=["fire-mouse fire-tiger wood-dog"],
            stacks={0: "wood-mouse"},
        )
    )


def refused(action: Any) -> None:
    """As malformed, changing nothing."""
    table = game()
    before = table.state_bytes()
    with pytest.raises(MalformedAction) as caught:
        table.apply(action)
    assert caught.value.code
    assert table.state_bytes() == before
    assert table.actions == []


def changed(action: Json, path: str, value: Any) -> Json:
    """The action with another value at the path `pay.tokens`."""
    first, _, rest = path.partition(".")
    return {**action, first: changed(action[first], rest, value) if rest else value}


def without(action: Json, path: str) -> Json:
    first, _, rest = path.partition(".")
    if rest:
        return {**action, first: without(action[first], rest)}
    return {name: value for name, value in action.items() if name != first}


def test_the_summon_that_the_others_spoil_is_a_good_one() -> None:
    table = game()
    table.apply(SUMMON)
    assert table.actions == [SUMMON]


@pytest.mark.parametrize("action", [None, True, 7, 1.5, "pass", [], [PASS], {}], ids=repr)
def test_not_an_action_at_all(action: Any) -> None:
    refused(action)


KEYS = [
    *((DRAW, key) for key in ("seat", "type", "source")),
    *((DISCARD, key) for key in ("seat", "type", "cards")),
    *((PASS, key) for key in ("seat", "type")),
    *((SUMMON, key) for key in ("seat", "type", "card", "space", "move", "pay", "gain")),
    *((SUMMON, key) for key in ("move.from", "move.to", "pay.cards", "pay.tokens", "gain.from")),
    *((changed(SUMMON, "gain", {"from": name, name: 0}), f"gain.{name}") for name in ("space", "seat")),
]


@pytest.mark.parametrize(("action", "path"), KEYS)
def test_a_key_missing(action: Json, path: str) -> None:
    refused(without(action, path))


@pytest.mark.parametrize("action", [DRAW, DISCARD, PASS, SUMMON])
@pytest.mark.parametrize("key", ["note", "Seat", "", "cost"])
def test_a_key_unknown(action: Json, key: str) -> None:
    refused({**action, key: 0})


@pytest.mark.parametrize("part", ["move", "pay", "gain"])
def test_a_key_unknown_further_in(part: str) -> None:
    refused(changed(SUMMON, f"{part}.note", 0))


def test_keys_of_another_kind_of_action() -> None:
    refused({**PASS, "source": "deck"})
    refused({**DRAW, "cards": []})
    refused(changed(SUMMON, "gain", {"from": "supply", "space": 0}))
    refused(changed(SUMMON, "gain", {"from": "space", "seat": 0}))


@pytest.mark.parametrize(
    "kind", [None, True, 0, "", "Draw", "DRAW", "draws", "resign", ["draw"], {"draw": 1}], ids=repr
)
def test_a_type_unknown(kind: Any) -> None:
    refused({**DRAW, "type": kind})


@pytest.mark.parametrize("path", ["space", "move.from", "move.to", "pay.tokens", "seat"])
@pytest.mark.parametrize("number", NUMBERS, ids=repr)
def test_a_number_that_is_none(path: str, number: Any) -> None:
    refused(changed(SUMMON, path, number))


@pytest.mark.parametrize("path", ["space", "move.from", "pay.tokens", "seat"])
def test_a_null_where_a_number_is_due(path: str) -> None:
    refused(changed(SUMMON, path, None))


@pytest.mark.parametrize("source", [*NUMBERS, None, "Deck", "stream", 8], ids=repr)
def test_a_source_that_is_none(source: Any) -> None:
    refused({**DRAW, "source": source})


@pytest.mark.parametrize("card", [*NOT_CARDS, None, ["wood-dog"]], ids=repr)
def test_a_card_that_is_none(card: Any) -> None:
    refused({**SUMMON, "card": card})
    refused(changed(SUMMON, "pay.cards", [card]))
    refused({**DISCARD, "cards": [card]})


@pytest.mark.parametrize("cards", [None, "fire-tiger", {"fire-tiger": 1}, 1, True], ids=repr)
def test_cards_that_are_no_list(cards: Any) -> None:
    refused(changed(SUMMON, "pay.cards", cards))
    refused({**DISCARD, "cards": cards})


def test_a_card_twice() -> None:
    refused(changed(SUMMON, "pay.cards", ["fire-tiger", "fire-tiger"]))
    refused({**DISCARD, "cards": ["wood-dog", "wood-dog"]})


@pytest.mark.parametrize("part", [True, 0, "supply", [], [0, 1]], ids=repr)
@pytest.mark.parametrize("name", ["move", "pay", "gain"])
def test_a_part_of_another_type(name: str, part: Any) -> None:
    refused({**SUMMON, name: part})


def test_a_payment_is_always_written() -> None:
    refused({**SUMMON, "pay": None})


@pytest.mark.parametrize("source", [None, True, 0, "deck", "Supply", ["supply"]], ids=repr)
def test_a_gain_from_nowhere(source: Any) -> None:
    refused(changed(SUMMON, "gain", {"from": source}))


@pytest.mark.parametrize("number", [number for number in NUMBERS if number != {}], ids=repr)
@pytest.mark.parametrize("name", ["space", "seat"])
def test_a_gain_from_a_number_that_is_none(name: str, number: Any) -> None:
    refused(changed(SUMMON, "gain", {"from": name, name: number}))


def test_a_list_as_long_as_an_attack() -> None:
    refused({**DISCARD, "cards": ["wood-dog"] * 100_000})
    refused(changed(SUMMON, "pay.cards", ["fire-tiger"] * 100_000))


def test_well_formed_seats_and_spaces_beyond_this_game_are_illegal_and_not_malformed() -> None:
    for action in ({**DRAW, "seat": 3}, changed(SUMMON, "gain", {"from": "seat", "seat": 3})):
        with pytest.raises(IllegalAction):
            game().apply(action)


def test_the_callers_action_is_neither_kept_nor_changed() -> None:
    table = game()
    action = changed(SUMMON, "gain", {"from": "supply"})
    action["pay"] = {"cards": ["fire-tiger"], "tokens": 0}
    table.apply(action)
    action["pay"]["cards"].append("wood-dog")
    table.actions[0]["pay"]["cards"].append("wood-pig")
    table.header()["seats"].clear()
    assert table.record()["actions"] == [SUMMON]
    assert len(table.seats) == 2
