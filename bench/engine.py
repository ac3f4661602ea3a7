"""Random games a second on one core, and the gain over the same code uncompiled."""

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from engine import Game
from engine.compiled import ENGINE_KERNELS, kernel_decorator
from engine.kernel import begin, play_randomly, shuffle
from engine.state import MAX_LEGAL, Numbers, Record, States, Steps, Words

ROUNDS = 5
SECONDS = 0.5
TABLES: list[tuple[str, int, dict[str, object]]] = [("competitive", seats, {}) for seats in (2, 3, 4)]
TABLES += [("cooperative", seats, {}) for seats in (1, 2, 3, 4)]
TABLES += [("cooperative", 1, {"move": "any"})]

kernel = kernel_decorator(*ENGINE_KERNELS, Path(__file__))


@kernel
def play_random_games(
    s: Record, games: int, token_spaces: Numbers, tokens: Numbers, steps: Steps, rng: Words
) -> None:
    """Deals and plays games to their end by uniformly random legal steps."""
    for game in range(games):
        shuffle(s["deck"], 0, 60, rng)
        shuffle(tokens, 0, len(tokens), rng)
        begin(s, game % s["seats"], token_spaces, tokens)
        play_randomly(s, rng, steps)


def games_per_second(mode: str, seats: int, options: dict[str, object], rounds: int = ROUNDS) -> float:
    """The median over some rounds."""
    game = Game.new(mode, seats, seed=1, options=options or None)
    states: States = game.observe(0)
    states[0]["deck"] = np.arange(60)
    token_spaces = np.array(game.board.token_spaces, np.int8)
    tokens = np.repeat(np.arange(5), 2).astype(np.int8)
    steps = np.zeros(MAX_LEGAL, np.int16)
    rng = np.array([20_240_210], np.uint64)

    def timed(games: int) -> float:
        start = time.thread_time()
        play_random_games(states[0], games, token_spaces, tokens, steps, rng)
        return games / (time.thread_time() - start)

    timed(1)
    games = max(1, int(timed(20) * SECONDS))
    return statistics.median(timed(games) for _ in range(rounds))


def _name(mode: str, seats: int, options: dict[str, object]) -> str:
    family = "" if mode == "competitive" else "_coop"
    return f"random_games_per_s_{seats}p{family}" + ("_any_move" if options else "")


def measure() -> dict[str, float]:
    figures = {_name(*table): games_per_second(*table) for table in TABLES}
    plain = subprocess.run(
        [sys.executable, "-m", "bench.engine"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        check=True,
        capture_output=True,
        text=True,
    )
    uncompiled = json.loads(plain.stdout)
    figures["random_games_per_s_2p_uncompiled"] = uncompiled
    figures["random_games_compiled_over_uncompiled"] = figures["random_games_per_s_2p"] / uncompiled
    return figures


if __name__ == "__main__":
    print(games_per_second("competitive", 2, {}, rounds=1))
