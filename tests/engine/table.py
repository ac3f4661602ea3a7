"""One table, two engines: whatever is done is done by both, and they must agree on all that can be seen."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from engine import Game, IllegalAction, hide_outcome
from tests.engine.deals import choose
from tests.engine.positions import game_at
from tests.engine.reference import Reference, Refused, by_year

Json = dict[str, Any]


class Table:
    """A game of the engine beside the same game of the reference."""

    def __init__(self, reference: Reference, game: Game) -> None:
        self.reference = reference
        self.game = game
        self.viewers = (*range(len(reference.hands)), "spectator")
        self.agree(self.viewers)

    @classmethod
    def of_record(cls, record: Json) -> Table:
        return cls(Reference(record), Game.from_record(record))

    @classmethod
    def at(cls, reference: Reference) -> Table:
        return cls(reference, game_at(reference))

    # --- acting ---

    def apply(self, action: Json) -> Json:
        """Both play it; the outcome, on which they agree, is returned."""
        outcome = self.play(action)
        self.agree(self.viewers)
        return outcome

    def play(self, action: Json) -> Json:
        """Like `apply`, but the caller sees to it that they `agree` on the rest."""
        expected = self.reference.apply(action)
        seat = action["seat"]
        outcome = self.game.apply(action)
        open_hands = self.game.options.get("hands") == "open"
        assert hide_outcome(outcome, seat, seat, open_hands) == expected
        return expected

    def refuse(self, action: Json, code: str, rule: str | None = None) -> IllegalAction:
        """Both refuse it, the engine with this code and rule, and nothing changes."""
        with pytest.raises(Refused):
            self.reference.apply(action)
        before = self.game.state_bytes()
        with pytest.raises(IllegalAction) as caught:
            self.game.apply(action)
        assert caught.value.code == code
        assert rule is None or caught.value.rule == rule
        assert self.game.state_bytes() == before
        self.agree(self.viewers)
        return caught.value

    def play_out(self, chance: random.Random, taste: str) -> Json:
        """Random actions to the end; the result. The viewers take turns to look."""
        for viewer in itertools.cycle(self.viewers):
            if self.reference.over:
                break
            self.play(choose(self.reference.legal_actions(), chance, taste))
            self.agree((viewer,))
        self.agree(self.viewers)
        assert self.game.result is not None
        return self.game.result

    # --- shorthand for the seat to act ---

    def draw(self, source: str | int = "deck") -> Json:
        return self.apply(self.drawing(source))

    def drawing(self, source: str | int = "deck") -> Json:
        return {"seat": self.reference.seat, "type": "draw", "source": source}

    def summon(self, card: str, space: int, pay: str = "", tokens: int = 0, **rest: Any) -> Json:
        return self.apply(self.summoning(card, space, pay, tokens, **rest))

    def summoning(self, card: str, space: int, pay: str = "", tokens: int = 0, **rest: Any) -> Json:
        """A summon; `rest` may hold `move`, `gain` and `seat`."""
        return {
            "seat": rest.get("seat", self.reference.seat),
            "type": "summon",
            "card": card,
            "space": space,
            "move": rest.get("move"),
            "pay": {"cards": sorted(pay.split()), "tokens": tokens},
            "gain": rest.get("gain"),
        }

    def discard(self, cards: str) -> Json:
        return self.apply({"seat": self.reference.seat, "type": "discard", "cards": sorted(cards.split())})

    def summons_of(self, card: str) -> list[Json]:
        """The legal ways to summon this card."""
        return [action for action in self.game.legal_actions() if action.get("card") == card]

    # --- agreement ---

    def agree(self, viewers: Sequence[Any]) -> None:
        """The same legal actions, the same table in these viewers' eyes, the same end."""
        ours, theirs = self.reference.legal_actions(), self.game.legal_actions()
        assert_same_actions(theirs, ours)
        assert self.game.seat_to_act == self.reference.seat_to_act
        assert self.game.over == self.reference.over
        assert self.game.result == self.reference.result
        for viewer in viewers:
            assert tidy(self.game.view(viewer)) == self.reference.view(viewer)


def assert_same_actions(one: list[Json], other: list[Json]) -> None:
    """As sets, none of them twice."""
    written = sorted(map(repr, one))
    if written == sorted(map(repr, other)) and len(written) == len(set(written)):
        return
    counted, wanted = Counter(map(key, one)), Counter(map(key, other))
    assert counted == wanted, {"only here": counted - wanted, "missing": wanted - counted}
    assert set(wanted.values()) == {1}


def key(action: Json) -> str:
    return json.dumps(action, sort_keys=True)


def tidy(view: Json) -> Json:
    """The view with the cards of each hand by year: their order says nothing."""
    for player in view["players"]:
        for which in ("known", "hand"):
            cards = player[which]
            if cards is not None:
                assert len(cards) == len(set(cards))
                player[which] = by_year(set(cards))
    return view
