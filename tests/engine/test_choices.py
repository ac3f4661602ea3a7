"""`choices()` says the same as `legal_actions()`, compactly, and foretells what comes of each summon."""

import random
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

from engine import Game, board_names, load_board
from tests.engine.deals import COOPERATIVE_OPTIONS, choose, deal
from tests.engine.positions import game_at, position
from tests.engine.reference import RANK, Reference
from tests.engine.table import assert_same_actions

Json = dict[str, Any]

SETTINGS: list[tuple[str, int, Json | None]] = [
    *(("competitive", seats, None) for seats in (2, 3, 4)),
    *(("cooperative", 1 + number % 4, options) for number, options in enumerate(COOPERATIVE_OPTIONS[::3])),
]


def written_out(choices: Json) -> Iterator[Json]:
    """Every complete action that the choices stand for."""
    seat = choices["seat"]
    if choices["type"] == "discard":
        for cards in combinations(choices["discard"]["cards"], choices["discard"]["count"]):
            yield {"seat": seat, "type": "discard", "cards": sorted(cards)}
        return
    if choices["draw"]["deck"]:
        yield {"seat": seat, "type": "draw", "source": "deck"}
    for place in choices["draw"]["stream"]:
        yield {"seat": seat, "type": "draw", "source": place}
    if choices["pass"]:
        yield {"seat": seat, "type": "pass"}
    for summon in choices["summon"]:
        for placement in summon["placements"]:
            ascension = placement["gains"]["ascension"]
            for tokens in range(placement["tokens"] + 1):
                for cards in combinations(summon["usable"]["cards"], max(0, placement["cost"] - tokens)):
                    if tokens > placement["cost"]:
                        continue
                    for gain in ascension["sources"] if ascension else [None]:
                        yield {
                            "seat": seat,
                            "type": "summon",
                            "card": summon["card"],
                            "space": placement["space"],
                            "move": placement["move"],
                            "pay": {"cards": sorted(cards), "tokens": tokens},
                            "gain": gain,
                        }


def check_breakdown(choices: Json, reference: Reference) -> None:
    hand = reference.hands[reference.seat]
    assert {summon["card"] for summon in choices["summon"]} == hand
    for summon in choices["summon"]:
        card = summon["card"]
        assert summon["rank"] == RANK[card]
        assert summon["usable"]["element"] == card.split("-")[0]
        payable = [placement for placement in summon["placements"] if placement["payable"]]
        if summon["blocked"] is None:
            assert payable
        else:
            assert not payable
            rank_bars = not reference._spaces_for(card)
            reason = ("rank-not-higher", "R10a") if rank_bars else ("cannot-pay", "R10c")
            assert (summon["blocked"]["code"], summon["blocked"]["rule"]) == reason
        for placement in summon["placements"]:
            breakdown, move = placement["breakdown"], placement["move"]
            table = reference if move is None else reference._after(move)
            stack = table.stacks[placement["space"]]
            assert breakdown["rank"] == RANK[card]
            assert breakdown["underneath"] == (RANK[stack[-1]] if stack else 0)
            assert breakdown["shared"] == table.sharing(card, placement["space"])
            assert placement["cost"] == table.cost(card, placement["space"])
            assert placement["payable"] or move is None


def check_foretold(choices: Json, action: Json, outcome: Json) -> None:
    """What the chosen placement promised is what came."""
    (summon,) = (summon for summon in choices["summon"] if summon["card"] == action["card"])
    (placement,) = (
        placement
        for placement in summon["placements"]
        if placement["space"] == action["space"] and placement["move"] == action["move"]
    )
    gains = placement["gains"]
    foretold = {"move": gains["move"], "space": gains["space"]}
    foretold["ascension"] = gains["ascension"]["element"] if gains["ascension"] else None
    came = {gained["by"]: gained["element"] for gained in outcome["gained"]}
    assert {by: name for by, name in foretold.items() if name is not None} == came
    assert outcome["cost"] == placement["cost"]
    if placement["years"] is None:
        assert outcome["years"] == 0
    else:
        paid = action["pay"]["tokens"] if placement["years"]["for"] == "element_tokens" else 0
        assert outcome["years"] == placement["years"]["base"] - paid
        assert (placement["years"]["for"] == "animal_tokens") == (outcome["animal_token"] is not None)


@pytest.mark.parametrize(("number", "setting"), list(enumerate(SETTINGS)))
def test_choices_written_out_are_the_legal_actions(
    number: int, setting: tuple[str, int, Json | None]
) -> None:
    mode, seats, options = setting
    board = load_board(board_names()[number % 2]).as_json()
    record = deal(number, mode, seats, board, options)
    game, reference, chance = Game.from_record(record), Reference(record), random.Random(number)
    while not game.over:
        choices = game.choices()
        assert choices is not None
        legal = game.legal_actions()
        assert_same_actions(list(written_out(choices)), legal)
        if choices["type"] == "action":
            check_breakdown(choices, reference)
        action = choose(legal, chance, ("summoner", "even")[number % 2])
        reference.apply(action)
        outcome = game.apply(action)
        if action["type"] == "summon":
            check_foretold(choices, action, outcome)
    assert game.choices() is None


def test_a_summon_out_of_reach_is_listed_with_its_cost_and_why() -> None:
    game = game_at(position(hands=["water-cat fire-pig"], stacks={3: "earth-pig", 11: "water-goat"}))
    choices = game.choices()
    assert choices is not None
    cat, pig = sorted(choices["summon"], key=lambda summon: str(summon["card"]), reverse=True)
    assert cat["blocked"] == {"code": "cannot-pay", "rule": "R10c"}
    assert {placement["space"] for placement in cat["placements"]} == set(range(12)) - {3, 11}
    assert {placement["space"] for placement in cat["placements"] if placement["cost"] == 3} == {
        5,
        6,
        7,
        8,
        9,
        10,
    }
    assert pig["blocked"] == {"code": "rank-not-higher", "rule": "R10a"}
    assert pig["placements"] == []


def test_discarding_leaves_nothing_else_to_choose() -> None:
    hand = "fire-mouse fire-tiger wood-dog wood-pig wood-horse wood-goat metal-dog earth-pig"
    game = game_at(position(hands=[hand], actions_left=1))
    game.apply({"seat": 0, "type": "draw", "source": 0})
    choices = game.choices()
    assert choices is not None
    assert (choices["type"], choices["draw"], choices["pass"], choices["summon"]) == (
        "discard",
        None,
        False,
        [],
    )
    assert choices["discard"]["count"] == 2
    assert len(choices["discard"]["cards"]) == 9
