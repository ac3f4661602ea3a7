"""Whatever a bot's process prints is an action or the bot's own fault."""

import json
import tempfile
import time
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ai.ladder import Forfeit
from engine import CARD_NAMES, Game, GameError
from worker.bots import LONGEST_LINE, BotProcess


class Printing(BotProcess):
    """A bot that prints these bytes and ends, or ends without a word; only its process is left out."""

    def __init__(self, printed: bytes) -> None:
        self.spec, self.seconds, self.printed = "a.py:A", 5.0, printed
        self._process = None
        self._last_words = ""

    def _start(self) -> None:
        pass

    def _ask(self, line: bytes, patience: float) -> bytes:
        with tempfile.TemporaryFile() as output:
            output.write(self.printed)
            output.seek(0)
            return self._line(output.fileno(), time.monotonic() + patience)


GAME = Game.new("competitive", 2, seed=3)
LEGAL = GAME.legal_actions()
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
    | st.sampled_from([*CARD_NAMES[:4], "deck", "supply", "draw", "summon", "discard"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["seat", "type", "card", "cards", "pay", "x"]), inner, max_size=4),
    max_leaves=8,
)  # fmt: skip


@st.composite
def near_actions(draw: Any) -> Any:
    action = dict(draw(st.sampled_from(LEGAL)))
    action[draw(st.sampled_from([*action, "extra"]))] = draw(VALUES)
    return action


LINES = st.one_of(
    st.binary(max_size=60),
    VALUES.map(lambda value: json.dumps(value).encode()),
    st.one_of(VALUES, near_actions()).map(lambda value: json.dumps({"action": value}).encode()),
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(line=LINES, ended=st.sampled_from([b"\n", b"", b"\r\n", b"\n\n", b"\nmore\n"]))
@example(b"[" * 50_000, b"\n")
@example(b'{"action":' * 5_000 + b"1" + b"}" * 5_000, b"\n")
@example(b'{"action": {"seat": ' + b"9" * 5_000 + b"}}", b"\n")
@example(b'{"action": {"type": "\\ud800"}}', b"\n")
@example(b'{"action": {"seat": NaN, "type": "draw", "source": Infinity}}', b"\n")
@example(b"x" * (LONGEST_LINE + 70_000), b"\n")
def test_any_line_is_an_action_or_the_bots_fault(line: bytes, ended: bytes):
    game = Game.new("competitive", 2, seed=3)
    before = game.state_bytes()
    try:
        action = Printing(line + ended).choose(game, 0, 1)
    except Forfeit as fault:
        # A chooser's contract: nothing else is raised.
        assert fault.fault in ("crashed", "illegal")  # noqa: PT017
        return
    try:
        game.apply(action)
    except GameError:
        assert game.state_bytes() == before
    else:
        assert action in LEGAL


def test_every_legal_action_gets_through():
    for action in LEGAL[:20]:
        printed = json.dumps({"action": action}).encode() + b"\n"
        assert Printing(printed).choose(GAME, 0, 1) == action


def test_a_bot_that_prints_nothing_has_crashed():
    with pytest.raises(Forfeit) as forfeit:
        Printing(b"").choose(GAME, 0, 1)
    assert forfeit.value.fault == "crashed"
