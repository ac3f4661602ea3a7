"""Taking back the last action: the game is as it was, and what showed a hidden card or ended a turn stays."""

import random
from typing import Any

import pytest

from engine import Game, GameError, may_be_undone
from tests.engine.deals import COOPERATIVE_OPTIONS, choose, deal

Json = dict[str, Any]

SETTINGS: list[tuple[str, int, Json | None]] = [
    *(("competitive", seats, None) for seats in (2, 3, 4)),
    ("cooperative", 1, COOPERATIVE_OPTIONS[-1]),
    ("cooperative", 3, COOPERATIVE_OPTIONS[0]),
]


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: f"{setting[0]} {setting[1]}")
def test_undo_gives_the_same_bytes_as_before_the_action(setting: tuple[str, int, Json | None]) -> None:
    mode, seats, options = setting
    game = Game.new(mode, seats, seed=5, options=options)
    chance = random.Random(5)
    while not game.over:
        before = (game.state_bytes(), game.record(), game.legal_actions(), game.view("spectator"))
        action = choose(game.legal_actions(), chance, "summoner")
        outcome = game.apply(action)
        last = game.actions[-1]
        assert game.undo() == last
        assert (game.state_bytes(), game.record(), game.legal_actions(), game.view("spectator")) == before
        assert game.apply(action) == outcome


def test_a_whole_game_can_be_taken_back_to_its_deal() -> None:
    dealt = deal(7)
    game = Game.from_record(dealt)
    chance = random.Random(7)
    while not game.over:
        game.apply(choose(game.legal_actions(), chance, "even"))
    while game.actions_played:
        game.undo()
    assert game.record() == dealt
    assert game.state_bytes() == Game.from_record(dealt).state_bytes()


def test_there_is_nothing_to_undo_before_the_first_action_and_after_giving_up() -> None:
    game = Game.new("competitive", 2, seed=1)
    with pytest.raises(GameError, match="nothing-to-undo"):
        game.undo()
    game.apply(game.legal_actions()[0])
    game.abandon()
    record = game.record()
    with pytest.raises(GameError, match="nothing-to-undo"):
        game.undo()
    assert game.record() == record


def test_a_game_restored_without_its_actions_cannot_undo() -> None:
    game = Game.new("competitive", 2, seed=1)
    game.apply(game.legal_actions()[0])
    with pytest.raises(GameError, match="no-log"):
        Game.restore(game.header(), None, game.state_bytes()).undo()


@pytest.mark.parametrize("taste", ["even", "summoner", "hoarder"])
@pytest.mark.parametrize(("mode", "seats"), [("competitive", 3), ("cooperative", 2)])
def test_what_may_be_undone_showed_no_card_and_left_the_turn_to_its_seat(
    mode: str, seats: int, taste: str
) -> None:
    """Told from what the whole table sees of the cards, not from the outcome."""
    seen: dict[tuple[str, bool], int] = {}
    for seed in range(8):
        game = Game.new(mode, seats, seed=seed)
        chance = random.Random(seed)
        while not game.over:
            before = game.view("spectator")
            action = choose(game.legal_actions(), chance, taste)
            outcome = game.apply(action)
            after = game.view("spectator")
            same_turn = (before["turn"], before["seat_to_act"]) == (after["turn"], after["seat_to_act"])
            untouched = before["table"]["deck"] == after["table"]["deck"]
            assert may_be_undone(outcome) == (same_turn and untouched and not after["over"])
            kind = "deck" if action.get("source") == "deck" else action["type"]
            seen[kind, may_be_undone(outcome)] = 1 + seen.get((kind, may_be_undone(outcome)), 0)
    assert ("deck", True) not in seen
    assert ("discard", True) not in seen
    assert seen["deck", False] > 5
    assert seen["summon", True] > 5


def test_a_stream_draw_may_be_undone_once_the_deck_is_empty() -> None:
    undoable = 0
    for seed in range(5):
        game = Game.new("cooperative", 2, seed=seed)
        chance = random.Random(seed)
        while not game.over:
            before = game.view("spectator")["table"]["deck"]
            action = choose(game.legal_actions(), chance, "digger")
            outcome = game.apply(action)
            if action["type"] == "draw" and may_be_undone(outcome):
                assert before == 0
                undoable += 1
    assert undoable > 0
