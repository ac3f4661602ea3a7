"""What holds after every action of every game, by the engine's own word: its views and its record."""

import copy
import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import ELEMENTS, Game, IllegalAction, MalformedAction, board_names
from tests.engine.deals import COOPERATIVE_OPTIONS, TASTES, choose
from tests.engine.reference import CARDS
from tests.engine.table import key

Json = dict[str, Any]


@st.composite
def setups(draw: st.DrawFn) -> Json:
    """Arguments of `Game.new`: any mode, number of seats, options and board."""
    mode = draw(st.sampled_from(["competitive", "cooperative"]))
    seats = draw(st.integers(2 if mode == "competitive" else 1, 4))
    options = None if mode == "competitive" else draw(st.sampled_from(COOPERATIVE_OPTIONS))
    board = draw(st.sampled_from(board_names()))
    seed = draw(st.integers(0, 2**53 - 1))
    return {"mode": mode, "seats": seats, "seed": seed, "board": board, "options": options}


def open_view(game: Game) -> Json:
    """Everything that the seats see together."""
    view = game.view("spectator")
    for seat, player in enumerate(view["players"]):
        player["hand"] = game.view(seat)["players"][seat]["hand"]
    return view


def check_cards(deck: list[str], view: Json) -> None:
    table = view["table"]
    left = deck[len(deck) - table["deck"] :]
    cards = [*left, *table["discards"], *(card for card in table["stream"] if card)]
    for space in table["spaces"]:
        cards += space["cards"]
        assert len({card.split("-")[1] for card in space["cards"]}) <= 1
        assert space["cards"] == sorted(space["cards"], key=CARDS.index)
        assert not (space["cards"] and space["token"])
    for player in view["players"]:
        cards += player["hand"]
        assert player["cards"] == len(player["hand"])
        assert set(player["known"]) <= set(player["hand"])
    assert sorted(cards) == sorted(CARDS)
    assert 0 <= table["deck"] <= 60
    assert len(table["stream"]) == 8
    assert table["deck"] == 0 or all(table["stream"])


def check_tokens(game: Game, view: Json) -> None:
    table = view["table"]
    held = [table["supply"], *(player["tokens"] for player in view["players"])]
    on_spaces = Counter(space["token"] for space in table["spaces"] if space["token"])
    expected = 2 if game.options.get("element_tokens", True) else 0
    for name in ELEMENTS:
        assert all(tokens[name] >= 0 for tokens in held)
        assert sum(tokens[name] for tokens in held) + on_spaces[name] == expected
    owners = {name: owner for name, owner in table["animal_tokens"].items() if owner is not None}
    for seat, player in enumerate(view["players"]):
        assert player["animals"] == [name for name, owner in owners.items() if owner == seat]
        assert player["years"] >= 0
    if game.mode == "cooperative":
        assert not owners


def check_turn(game: Game, view: Json, actions: list[Json]) -> None:
    assert (game.seat_to_act is None) == game.over == view["over"] == (game.result is not None)
    assert bool(actions) != game.over
    assert all(action["seat"] == game.seat_to_act for action in actions)
    limit = max(len(player["hand"]) for player in view["players"])
    assert limit <= 9
    if view["phase"] == "action":
        assert view["actions_left"] in (1, 2)
        assert all(
            player["cards"] <= 7 for player in view["players"] if player["seat"] != view["seat_to_act"]
        )
    assert view["discards_due"] == (limit - 7 if view["phase"] == "discard" else 0)


def spoilt(action: Json, chance: random.Random) -> Any:
    """Something near the action, and mostly not an action: one part of it is another."""
    strange = [
        None,
        True,
        -1,
        12,
        99,
        2**70,
        1.0,
        0.5,
        "",
        "deck",
        "Fire-Mouse",
        [],
        {},
        [0],
        {"from": "sky"},
    ]
    spoilt = copy.deepcopy(action)
    part: Any = spoilt
    while True:
        name = chance.choice(sorted(part))
        if isinstance(part[name], dict) and chance.random() < 0.7:
            part = part[name]
            continue
        how = chance.randrange(4)
        if how == 0:
            del part[name]
        elif how == 1:
            part[str(chance.randrange(100))] = 0
        elif how == 2:
            part[name] = chance.choice([*strange, chance.choice(CARDS), chance.randrange(12)])
        elif isinstance(part[name], list):
            part[name] = [*part[name], *chance.sample(CARDS, 1), *part[name][:1]]
        else:
            part[name] = chance.randrange(12)
        return spoilt


@settings(max_examples=30, deadline=None)
@given(
    setup=setups(), number=st.integers(0, 2**32), taste=st.sampled_from(sorted(TASTES)), spoil=st.booleans()
)
def test_every_action_of_every_game(setup: Json, number: int, taste: str, spoil: bool) -> None:
    chance = random.Random(number)
    game = Game.new(**setup)
    header = game.header()
    played = []
    while True:
        actions = game.legal_actions()
        view = open_view(game)
        check_cards(header["setup"]["deck"], view)
        check_tokens(game, view)
        check_turn(game, view, actions)
        if game.over:
            break
        action = choose(actions, chance, taste)
        if spoil:
            check_refusals(game, actions, spoilt(action, chance), chance)
        game.apply(action)
        played.append(action)
    assert game.record() == {**header, "actions": played, "result": game.result}


def check_refusals(game: Game, actions: list[Json], near: Any, chance: random.Random) -> None:
    """What is not among the legal actions is refused and changes no byte."""
    if same_but_for_order(near, actions):
        return
    state, record = game.state_bytes(), game.record()
    with pytest.raises((IllegalAction, MalformedAction)):
        game.apply(near)
    assert game.state_bytes() == state
    assert game.record() == record


def same_but_for_order(near: Json, actions: list[Json]) -> bool:
    """Whether it is a legal action, or nothing but the order of its cards tells it from one."""
    ordered = copy.deepcopy(near)
    for owner in (ordered, ordered.get("pay")):
        if isinstance(owner, dict) and isinstance(owner.get("cards"), list):
            owner["cards"].sort(key=str)
    return key(ordered) in set(map(key, actions))
