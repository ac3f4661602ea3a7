"""What the package says of itself: its list of names, its examples, and that it runs without compiling."""

import doctest
import hashlib
import json
import os
import subprocess
import sys

import engine
from engine import Game
from tests.engine.golden import FILE

REPLAY = """
import hashlib, json, sys
from engine import Game
for number in map(int, sys.argv[2:]):
    record = json.load(open(sys.argv[1], encoding="utf-8"))[number]["record"]
    game = Game.from_record(record)
    print(hashlib.sha256(game.state_bytes()).hexdigest(), json.dumps(game.result))
"""


def test_every_listed_name_is_there() -> None:
    assert len(engine.__all__) == len(set(engine.__all__))
    assert all(hasattr(engine, name) for name in engine.__all__)


def test_the_packages_examples_are_true() -> None:
    results = doctest.testmod(engine)
    assert results.attempted > 0
    assert results.failed == 0


def test_without_compiling_the_games_come_out_the_same() -> None:
    """NUMBA_DISABLE_JIT=1 is for debuggers; the bit operations then have other implementations."""
    numbers = (0, 6)
    run = subprocess.run(
        [sys.executable, "-c", REPLAY, str(FILE), *map(str, numbers)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=FILE.parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    golden = json.loads(FILE.read_text("utf-8"))
    for number, line in zip(numbers, run.stdout.splitlines(), strict=True):
        game = Game.from_record(golden[number]["record"])
        digest = hashlib.sha256(game.state_bytes()).hexdigest()
        assert line == f"{digest} {json.dumps(game.result)}"
