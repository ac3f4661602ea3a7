"""Whatever is given as a record, the engine has a game that replays or says what is wrong with it."""

import json
import random
from functools import cache
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine import CARD_NAMES, Game, GameError

WORDS = [*CARD_NAMES[:5], "deck", "supply", "seat", "competitive", "cooperative", "scroll", "human"]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 70) | st.integers() | st.floats() | st.text(max_size=6)
    | st.sampled_from(WORDS),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.sampled_from(["seat", "type", "cards", "x"]), inner, max_size=4),
    max_leaves=8,
)  # fmt: skip


@cache
def played(mode: str, steps: int) -> str:
    game, chance = Game.new(mode, 2, seed=5), random.Random(steps)
    for _ in range(steps):
        game.apply(chance.choice(game.legal_actions()))
    return json.dumps(game.record())


def somewhere(part: Any, data: st.DataObject) -> tuple[Any, Any]:
    """A container within the record and one of its keys."""
    while True:
        key = data.draw(st.sampled_from(list(part) if isinstance(part, dict) else list(range(len(part)))))
        below = part[key]
        if not (isinstance(below, dict | list) and below and data.draw(st.booleans())):
            return part, key
        part = below


@settings(max_examples=150, deadline=None, derandomize=True)
@given(data=st.data())
def test_a_mangled_record_is_refused_or_replays(data: st.DataObject):
    mode = data.draw(st.sampled_from(["competitive", "cooperative"]))
    record = json.loads(played(mode, data.draw(st.sampled_from([0, 3, 9]))))
    for _ in range(data.draw(st.integers(1, 3))):
        part, key = somewhere(record, data)
        if isinstance(part, dict) and data.draw(st.booleans()):
            del part[key]
        else:
            part[key] = data.draw(VALUES)
    replays(record)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(value=VALUES)
def test_anything_else_is_refused_too(value: Any):
    replays(value)


def replays(record: Any) -> None:
    try:
        game = Game.from_record(record)
    except GameError:
        return
    assert Game.from_record(game.record()).state_bytes() == game.state_bytes()
