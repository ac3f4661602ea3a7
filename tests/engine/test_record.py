"""A whole record replays the game exactly; a spoilt one is refused; a stored game comes back as it was."""

import copy
import json
import random
from typing import Any

import pytest

from engine import BadRecord, Game, IllegalAction, board_names
from tests.engine.deals import COOPERATIVE_OPTIONS, choose, deal

Json = dict[str, Any]

SETTINGS: list[tuple[str, int, Json | None]] = [
    *(("competitive", seats, None) for seats in (2, 3, 4)),
    ("cooperative", 1, COOPERATIVE_OPTIONS[0]),
    ("cooperative", 3, COOPERATIVE_OPTIONS[-1]),
    ("cooperative", 4, COOPERATIVE_OPTIONS[5]),
]


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: f"{setting[0]} {setting[1]}")
@pytest.mark.parametrize("board", board_names())
def test_record_and_restore_give_the_same_bytes_at_every_point(
    setting: tuple[str, int, Json | None], board: str
) -> None:
    mode, seats, options = setting
    game = Game.new(mode, seats, seed=3, board=board, options=options)
    chance = random.Random(3)
    while True:
        record = game.record()
        again = Game.from_record(json.loads(json.dumps(record)))
        back = Game.restore(game.header(), game.actions, game.state_bytes())
        for other in (again, back):
            assert other.state_bytes() == game.state_bytes()
            assert other.record() == record
            assert other.legal_actions() == game.legal_actions()
            assert other.view("spectator") == game.view("spectator")
        if game.over:
            break
        game.apply(choose(game.legal_actions(), chance, "summoner"))
    assert record["result"] is not None


def test_a_game_restored_goes_on_like_the_one_that_never_stopped() -> None:
    game = Game.new("competitive", 3, seed=4)
    chance = random.Random(4)
    other = game
    while not game.over:
        action = choose(game.legal_actions(), chance, "even")
        other = Game.restore(other.header(), other.actions, other.state_bytes())
        assert other.apply(action) == game.apply(action)
    assert other.record() == game.record()


def test_bytes_of_another_layout_are_replaced_by_a_replay() -> None:
    game = played_game()
    for strange in (b"", b"another version", game.state_bytes()[:-1], bytes(len(game.state_bytes()))):
        again = Game.restore(game.header(), game.actions, strange)
        assert again.state_bytes() == game.state_bytes()
        assert again.record() == game.record()


def test_changing_the_restored_game_leaves_the_other_alone() -> None:
    game = played_game()
    before, header = game.state_bytes(), game.header()
    other = Game.restore(header, game.actions, before)
    other.apply(other.legal_actions()[0])
    other.set_seat(0, "Somebody", "human")
    assert game.state_bytes() == before
    assert game.header() == header


def played_game(actions: int = 30) -> Game:
    game = Game.new("competitive", 2, seed=6)
    chance = random.Random(6)
    for _ in range(actions):
        game.apply(choose(game.legal_actions(), chance, "even"))
    return game


def test_the_header_is_the_record_without_what_is_played() -> None:
    game = played_game()
    assert game.record() == {**game.header(), "actions": game.actions, "result": None}


def test_a_viewers_record_does_not_replay() -> None:
    game = played_game()
    for viewer in (0, 1, "spectator"):
        with pytest.raises(BadRecord):
            Game.from_record(game.record(viewer))


def test_a_game_given_up_keeps_that_in_its_record() -> None:
    game = played_game()
    game.abandon()
    assert game.over
    assert game.result is None
    assert game.seat_to_act is None
    assert game.legal_actions() == []
    record = game.record()
    assert record["ended"] == "abandoned"
    assert record["result"] is None
    again = Game.from_record(record)
    assert again.over
    assert again.record() == record
    with pytest.raises(IllegalAction) as caught:
        again.apply({"seat": 0, "type": "pass"})
    assert caught.value.code == "game-over"


def spoil(path: str, value: Any) -> Any:
    """Changes one part of a good record; the path's numbers are places in lists."""

    def change(record: Json) -> None:
        part: Any = record
        *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
        for step in way:
            part = part[step]
        part[last] = value

    return change


def drop(key: str) -> Any:
    return lambda record: record.pop(key)


SPOILT: dict[str, Any] = {
    **{f"without {key}": drop(key) for key in deal(0)},
    "an unknown key": spoil("note", "hello"),
    "another format": spoil("format", "stem-branch/2"),
    "no format": spoil("format", None),
    "another mode": spoil("mode", "solo"),
    "options in a competitive game": spoil("options", {"hands": "open"}),
    "no seats": spoil("seats", []),
    "five seats": spoil("seats", [{"name": "A", "player": "human"}] * 5),
    "a seat without a player": spoil("seats.0", {"name": "A"}),
    "a first seat that is none": spoil("setup.first_seat", 2),
    "a first seat that is a bool": spoil("setup.first_seat", True),
    "a card twice": spoil("setup.deck.0", "wood-mouse"),
    "an unknown card": spoil("setup.deck.0", "wood-ox"),
    "a card withheld": spoil("setup.deck.0", None),
    "a card as a number": spoil("setup.deck.0", 7),
    "an empty deck": spoil("setup.deck", []),
    "a deck that is no list": spoil("setup.deck", "water-cat"),
    "a token of no element": spoil("setup.tokens.0", "air"),
    "no tokens": spoil("setup.tokens", []),
    "tokens that are no list": spoil("setup.tokens", {}),
    "three tokens of one element": spoil("setup.tokens", ["fire"] * 3 + ["wood"] * 3 + ["water"] * 4),
    "an unknown key in the set-up": spoil("setup.seed", 3),
    "an unknown animal": spoil("year_animal", "rabbit"),
    "actions that are no list": spoil("actions", {}),
    "an action that is no object": spoil("actions.5", "pass"),
    "a malformed action": spoil("actions.5.seat", "0"),
    "an illegal action": spoil("actions.5", {"seat": 0, "type": "pass"}),
    "a result before the end": spoil("result", {"years": [1, 0], "winners": [0]}),
    "an unknown end": spoil("ended", "lost"),
    "more actions than any game has": spoil("actions", [{"seat": 0, "type": "pass"}] * 100_000),
}


@pytest.mark.parametrize("fault", SPOILT)
def test_a_spoilt_record_is_refused(fault: str) -> None:
    record = played_game(12).record()
    if fault == "a card twice" and record["setup"]["deck"][0] == "wood-mouse":
        record["setup"]["deck"].reverse()
    SPOILT[fault](record)
    with pytest.raises(BadRecord) as caught:
        Game.from_record(record)
    assert caught.value.code


@pytest.mark.parametrize("record", [None, 3, "record", [], True, {}], ids=repr)
def test_what_is_no_record_is_refused(record: Any) -> None:
    with pytest.raises(BadRecord):
        Game.from_record(record)


def test_the_refusal_says_which_action_does_not_replay() -> None:
    record = played_game(12).record()
    record["actions"][7] = {"seat": record["actions"][7]["seat"], "type": "pass"}
    with pytest.raises(BadRecord) as caught:
        Game.from_record(record)
    assert caught.value.params["index"] == 7


@pytest.mark.parametrize("options", [{}, {"hands": "open"}, {"hands": 1}])
def test_a_cooperative_record_says_all_its_options(options: Json) -> None:
    record = deal(1, "cooperative", 2)
    record["options"] = options
    with pytest.raises(BadRecord):
        Game.from_record(record)


def test_tokens_without_element_tokens_are_refused() -> None:
    record = deal(1, "cooperative", 2)
    record["options"]["element_tokens"] = False
    with pytest.raises(BadRecord):
        Game.from_record(record)


def test_a_wrong_result_is_refused() -> None:
    game = Game.new("competitive", 2, seed=9)
    chance = random.Random(9)
    while not game.over:
        game.apply(choose(game.legal_actions(), chance, "digger"))
    record = game.record()
    assert Game.from_record(copy.deepcopy(record)).result == record["result"]
    for result in (None, {}, {**record["result"], "winners": []}):
        with pytest.raises(BadRecord):
            Game.from_record({**record, "result": result})


def test_an_action_after_the_end_is_refused() -> None:
    game = Game.new("competitive", 2, seed=9)
    chance = random.Random(9)
    while not game.over:
        game.apply(choose(game.legal_actions(), chance, "digger"))
    record = game.record()
    record["actions"].append({"seat": 0, "type": "draw", "source": 0})
    with pytest.raises(BadRecord):
        Game.from_record(record)
