"""Many games walked through by every viewer, on every core: see `bench.hidden`."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor

from bench.hidden import SETTINGS, Leak, check_hidden

BATCH = len(SETTINGS)  # one game of each kind


def walk(games: int, seed: int) -> tuple[int, list[str]]:
    """How many answers were compared in so many games, and those that told what their viewer may not know."""
    sizes = [min(BATCH, games - begun) for begun in range(0, games, BATCH)]
    seeds = [1_000 * (seed + number) for number in range(len(sizes))]
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
        found = list(pool.map(_walk_batch, sizes, seeds))
    return sum(compared for compared, _ in found), [leak for _, leak in found if leak]


def _walk_batch(games: int, seed: int) -> tuple[int, str]:
    try:
        return check_hidden(games, seed, operations=1), ""
    except Leak as leak:
        return 0, f"seed {seed}: {leak}"
