"""What a viewer cannot see changes no byte of what the API answers (R22)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import api.reading
from api import openapi_document
from bench.hidden import CASES, Leak, check_hidden
from engine import Game, IllegalAction
from tests.api.tables import HUMANS, Client


def test_everything_that_the_api_has_is_asked() -> None:
    paths = openapi_document()["paths"]
    operations = {
        f"{method} {path.removeprefix('/api/v1')}"
        for path, item in paths.items()
        for method in item
        if method != "parameters"
    }
    assert operations == CASES.keys()


def test_permuting_hidden_cards_changes_no_byte_of_any_answer() -> None:
    assert check_hidden(5, seed=1, operations=1) > 2000


def last_card(game: Game) -> str:
    """Nobody has seen it before the deck is empty."""
    return str(game.record()["setup"]["deck"][59])


def views_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    view = api.reading.view
    monkeypatch.setattr(api.reading, "view", lambda game, eyes: view(game, eyes) | {"last": last_card(game)})


def refusals_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    apply = Game.apply

    def telling(game: Game, action: Any) -> Any:
        try:
            return apply(game, action)
        except IllegalAction as refused:
            refused.params["last"] = last_card(game)
            raise

    monkeypatch.setattr(Game, "apply", telling)


def hints_know(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Game, "observe", lambda game, seat: game._states.copy())


@pytest.mark.parametrize("leak", [views_tell, refusals_tell, hints_know])
def test_a_leak_would_be_noticed(leak: Callable[[pytest.MonkeyPatch], None], monkeypatch) -> None:
    leak(monkeypatch)
    with pytest.raises(Leak):
        check_hidden(1, seed=1)


def test_nothing_of_another_hand_is_told_before_it_is_shown(client: Client):
    """The names of hidden cards occur in no answer at all."""
    game = Game.new("competitive", list(HUMANS), seed=9)
    table = client.table(seed=9)
    hands = [set(game.view(seat)["players"][seat]["hand"]) for seat in (0, 1)]
    deck = set(game.record()["setup"]["deck"][16:])
    for viewer in (0, 1, None):
        hidden = deck.union(*(hand for seat, hand in enumerate(hands) if seat != viewer))
        for path in ("", "/actions", "/record", "/positions/0"):
            text = table.get(path, seat=viewer).get_data(as_text=True)
            assert not [card for card in hidden if f'"{card}"' in text], (viewer, path)
