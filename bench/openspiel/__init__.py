"""A yardstick from outside, OpenSpiel: its random games beside ours, and its tree search against ours.

Takes part where OpenSpiel is installed. Everything is timed by the thread's processor time, on one core.
"""

import importlib.util
import statistics
import time
from typing import Any

from ai.search import HEURISTIC
from bench.engine import ROUNDS, games_per_second
from bench.search import iterations_per_second

GAMES = ("hearts", "euchre", "gin_rummy")
SECONDS = 0.3  # of random games, a round
COUNTED = 200  # games in which moves are counted
BUDGET = 0.05  # processor seconds an action, of either player
# OpenSpiel's bot by how it values a new node: by its own rollouts, or by this project's compiled ones, also
# random, which spare it most of the cost of Python. Against each, so many deals are played from both seats.
DEALS = {"own_rollouts": 5, "compiled_rollouts": 15}


def measure() -> dict[str, float]:
    if importlib.util.find_spec("pyspiel") is None:
        print("  Left out, since OpenSpiel is not installed: `make bench EXTRAS=1` installs it.")
        return {}
    return _random_games() | _search()


def _random_games() -> dict[str, float]:
    """Random games and decisions a second: OpenSpiel's games are C++ and so is the loop that plays them."""
    import pyspiel

    import bench.openspiel.game  # noqa: F401  registers this game

    moves, adapter = _play_randomly(pyspiel, "python_stem_branch")
    ours = games_per_second("competitive", 2, {})
    figures = {
        "beside_openspiel_random_games_per_s_2p": ours,
        "beside_openspiel_random_moves_per_s_2p": ours * moves,
        "openspiel_adapter_random_games_per_s_2p": adapter,
    }
    for name in GAMES:
        moves, games = _play_randomly(pyspiel, name)
        figures[f"openspiel_{name}_random_games_per_s"] = games
        figures[f"openspiel_{name}_random_moves_per_s"] = games * moves
    return figures


def _play_randomly(pyspiel: Any, name: str) -> tuple[float, float]:
    """Decisions in a random game (chance not counted), and games a second, the median over some rounds."""
    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(player, player + 1) for player in range(game.num_players())]

    def play(seed: int) -> Any:
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, seed)
        return state

    moves = sum(move.player >= 0 for seed in range(COUNTED) for move in play(seed).full_history())
    rates = []
    for _ in range(ROUNDS):
        start = time.thread_time()
        games = 0
        while (spent := time.thread_time() - start) < SECONDS:
            play(games)
            games += 1
        rates.append(games / spent)
    return moves / COUNTED, statistics.median(rates)


def _search() -> dict[str, float]:
    from bench.openspiel import match

    figures = {"beside_openspiel_iterations_per_s_2p": iterations_per_second("competitive", 2, {}, HEURISTIC)}
    for rollouts, deals in DEALS.items():
        rate = match.iterations_per_second(rollouts)
        share, low, high = match.wins(rollouts, deals, BUDGET)
        figures |= {
            f"openspiel_ismcts_{rollouts}_iterations_per_s": rate,
            f"wins_against_openspiel_ismcts_{rollouts}_percent": 100 * share,
            f"wins_against_openspiel_ismcts_{rollouts}_percent_low": 100 * low,
            f"wins_against_openspiel_ismcts_{rollouts}_percent_high": 100 * high,
        }
        bot = rollouts.replace("_", " ")
        print(
            f"  {2 * deals} games against OpenSpiel's ISMCTS, {bot}, {BUDGET:g} s an action:",
            f"{100 * share:.0f} % won (95 % interval {100 * low:.0f} to {100 * high:.0f})",
            flush=True,
        )
    return figures
