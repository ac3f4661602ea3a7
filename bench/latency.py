"""What a person waits for a worker's first answer, cold and warm, and how much memory a worker takes.

Real parts: a store, one worker process at a time, and the greedy player, whose own thinking takes next to
nothing, so that all that is measured is the rest.
"""

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from bench.moves import PROGRAM, new_game, until
from worker import EmbeddedStore, Process, Settings, Store, connect, set_up_logs

QUICK, THINKING = "greedy", "master"
WARM_GAMES = 40
STARTS = 3
LIMIT_MB = 400
COMMAND = [sys.executable, "-P", "-c", PROGRAM.format(call="run_worker(settings, 'moves')")]


def measure() -> dict[str, float]:
    set_up_logs("error")
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder))
        with EmbeddedStore(settings) as server:
            settings = replace(settings, redis_url=server.url)
            environment = {**os.environ, **settings.to_env(), "KERNEL_CACHE_DIR": f"{folder}/kernels"}
            worker = Process("worker", COMMAND, environment, Path(folder) / "worker.log")
            with connect(settings) as client:
                store = Store(client, settings)
                figures = {"first_answer_empty_kernel_cache_s": _first_answer(store, worker)}
                # The first start has filled the cache.
                cold = [_first_answer(store, worker) for _ in range(STARTS)]
                figures["first_answer_cold_worker_s"] = statistics.median(cold)
                worker.start()
                try:
                    _answer(store, worker)
                    warm = [_answer(store, worker) for _ in range(WARM_GAMES)]
                    figures["first_answer_warm_worker_ms"] = 1000 * statistics.median(warm)
                    figures["first_answer_warm_worker_ms_worst"] = 1000 * max(warm)
                    figures |= _memory(store, worker)
                finally:
                    worker.stop(10)
    return figures


def _first_answer(store: Store, worker: Process) -> float:
    """Seconds from the start of a worker to the first move of an AI that waits for it."""
    started = time.perf_counter()
    worker.start()
    try:
        _answer(store, worker)
        return time.perf_counter() - started
    finally:
        worker.stop(10)


def _answer(store: Store, worker: Process) -> float:
    """Seconds from the creation of a game to the first move of the AI that begins it."""

    def check() -> None:
        if not worker.alive():
            assert worker.output is not None
            raise RuntimeError(f"the worker has died:\n{worker.output.read_text()[-2000:]}")

    game = new_game(QUICK, "human")
    started = time.perf_counter()
    id = store.create(game).id
    until(lambda: store.version(id) > 1, check, patience=120)
    return time.perf_counter() - started


def _memory(store: Store, worker: Process) -> dict[str, float]:
    """Megabytes of a worker that waits, and of one with the child that thinks for it; {} but on Linux.

    Rss counts twice what the two share, so it is the upper bound.
    """
    if not Path("/proc/self/smaps_rollup").exists():
        print("  Memory is measured on Linux alone, so this part is left out.")
        return {}
    assert worker.pid is not None
    waiting = _megabytes([worker.pid], "Rss")
    id = store.create(new_game(THINKING, "human")).id
    rss = pss = 0.0
    while store.version(id) == 1:
        children = subprocess.run(["pgrep", "-P", str(worker.pid)], capture_output=True, text=True)
        family = [worker.pid, *map(int, children.stdout.split())]
        rss = max(rss, _megabytes(family, "Rss"))
        pss = max(pss, _megabytes(family, "Pss"))
        time.sleep(0.02)
    if rss > LIMIT_MB:
        print(f"  A worker takes more than the {LIMIT_MB} MB that it should.")
    return {"worker_waiting_rss_mb": waiting, "worker_thinking_rss_mb": rss, "worker_thinking_pss_mb": pss}


def _megabytes(pids: list[int], kind: str) -> float:
    """Memory of processes together: `Rss`, or `Pss`, in which what some share counts once."""
    kilobytes = 0
    for pid in pids:
        try:
            text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has just ended
        kilobytes += sum(map(int, re.findall(rf"^{kind}: +(\d+) kB", text, re.MULTILINE)))
    return kilobytes * 1024 / 1_000_000
