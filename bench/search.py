"""Search iterations a second on one core, from the opening."""

import statistics
import time

import numpy as np

from ai import Budget, choose
from ai.determinization import list_unseen
from ai.network import network_for
from ai.search import HEURISTIC, LEARNED, NETWORK, UNIFORM, Tuning, iterate, new_tree
from ai.thinking import NO_LINE, Mind, Search
from bench.engine import ROUNDS, TABLES
from engine import Game

ITERATIONS = 20_000


def iterations_per_second(mode: str, seats: int, options: dict[str, object], rollout: int) -> float:
    """The median over some rounds, each from a fresh tree."""
    game = Game.new(mode, seats, seed=1, options=options or None)
    seat = game.seat_to_act
    assert seat is not None
    observation = game.observe(seat)
    pool = np.zeros(60, np.int8)
    unseen = list_unseen(observation[0], pool)
    rng = np.array([20_240_210], np.uint64)
    tuning = LEARNED if rollout == NETWORK else Tuning(rollout=rollout)
    network = network_for(cooperative=False)

    def timed(iterations: int) -> float:
        tree = new_tree(ITERATIONS + 100)
        start = time.thread_time()
        iterate(tree, 0, observation, pool, unseen, tuning, iterations, NO_LINE, network, rng)
        return iterations / (time.thread_time() - start)

    timed(10)
    return statistics.median(timed(ITERATIONS) for _ in range(ROUNDS))


def worst_overrun_ms(seconds: float = 0.1, searches: int = 20) -> float:
    """By how much the latest of some searches missed its deadline, either way."""
    game = Game.new("competitive", 2, seed=1)
    seat = game.seat_to_act
    assert seat is not None
    observation = game.observe(seat)
    choose("master", observation, 1, Budget(seconds))
    worst = 0.0
    for seed in range(searches):
        mind = Mind(observation, seed)
        search = Search(mind, Budget(seconds), Tuning())
        search.think(share=1.0)
        worst = max(worst, abs(time.perf_counter() - search.started - seconds))
    return 1000 * worst


def iterations_by_threads(threads: int, seconds: float = 0.5) -> float:
    """The median number of iterations of all threads together in a time."""
    game = Game.new("competitive", 2, seed=1)
    seat = game.seat_to_act
    assert seat is not None

    def counted(seed: int) -> int:
        search = Search(Mind(game.observe(seat), seed), Budget(seconds, threads=threads), Tuning())
        search.think(share=1.0)
        return sum(int(branch.tree.visits[0]) for branch in search.branches)

    return statistics.median(counted(seed) for seed in range(ROUNDS))


def measure() -> dict[str, float]:
    figures = {}
    for mode, seats, options in TABLES:
        family = "" if mode == "competitive" else "_coop"
        name = f"search_iterations_per_s_{seats}p{family}" + ("_any_move" if options else "")
        figures[name] = iterations_per_second(mode, seats, options, HEURISTIC)
        if mode == "competitive":
            figures[f"{name}_network"] = iterations_per_second(mode, seats, options, NETWORK)
    figures["search_iterations_per_s_2p_uniform"] = iterations_per_second("competitive", 2, {}, UNIFORM)
    figures["search_gain_of_two_threads"] = iterations_by_threads(2) / iterations_by_threads(1)
    figures["search_worst_overrun_ms"] = worst_overrun_ms()
    return figures
