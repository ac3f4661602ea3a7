"""Games of long ago: both engines give the counts and the results that were written down then."""

import json
from typing import Any

import pytest

from engine import Game
from tests.engine.golden import FILE
from tests.engine.reference import Reference

Json = dict[str, Any]

GOLDEN: list[Json] = json.loads(FILE.read_text("utf-8"))


def perft(game: Game, depth: int) -> int:
    """The engine's own count of sequences of legal actions."""
    actions = game.legal_actions()
    if depth == 1:
        return len(actions)
    header, state = game.header(), game.state_bytes()
    total = 0
    for action in actions:
        following = Game.restore(header, None, state)
        following.apply(action)
        total += perft(following, depth - 1)
    return total


def test_the_file_counts_all_kinds_of_games_at_several_depths() -> None:
    counts = [count for golden in GOLDEN for count in golden["counts"].values()]
    assert {golden["record"]["mode"] for golden in GOLDEN} == {"competitive", "cooperative"}
    assert len({golden["record"]["board"]["name"] for golden in GOLDEN}) == 2
    assert len(counts) >= 30
    assert {len(count) for count in counts} >= {2, 3}


@pytest.mark.parametrize("golden", GOLDEN, ids=range(len(GOLDEN)))
def test_the_engine_counts_the_same(golden: Json) -> None:
    game = Game.from_record({**golden["record"], "actions": [], "result": None})
    for index, action in enumerate(golden["record"]["actions"]):
        for depth, count in enumerate(golden["counts"].get(str(index), []), start=1):
            assert perft(game, depth) == count
        game.apply(action)


@pytest.mark.parametrize("golden", GOLDEN, ids=range(len(GOLDEN)))
def test_the_reference_counts_the_same(golden: Json) -> None:
    table = Reference(golden["record"])
    for index, action in enumerate(golden["record"]["actions"]):
        for depth, count in enumerate(golden["counts"].get(str(index), []), start=1):
            assert table.perft(depth) == count
        table.apply(action)
    assert table.result == golden["record"]["result"]


@pytest.mark.parametrize("golden", GOLDEN, ids=range(len(GOLDEN)))
def test_old_records_load_and_end_as_they_did(golden: Json) -> None:
    game = Game.from_record(golden["record"])
    assert game.over
    assert game.record() == golden["record"]
