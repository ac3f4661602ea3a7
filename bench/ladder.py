"""Ladders: the gain from one worker to two, and what a match costs the store."""

import os
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from ai.ladder import Ladder, read_entrants
from bench.moves import PROGRAM, until
from worker import (
    LADDERS,
    EmbeddedStore,
    LadderBoard,
    Process,
    Settings,
    Store,
    Supervisor,
    connect,
    set_up_logs,
)

LADDER = Ladder(read_entrants("a=strong,b=strong"), games=24)


def measure() -> dict[str, float]:
    set_up_logs("error")
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder))
        with EmbeddedStore(settings) as server:
            settings = replace(settings, redis_url=server.url)
            with connect(settings) as client:
                one = _play(Store(client, settings), 1, Path(folder) / "log", figures)
                two = _play(Store(client, settings), 2, Path(folder) / "log", {})
    figures["ladder_matches_per_s_one_worker"] = one
    figures["ladder_gain_of_two_workers"] = two / one
    return figures


def _play(store: Store, workers: int, log: Path, figures: dict[str, float]) -> float:
    """Matches a second, once the workers are up; what each cost the store goes into `figures`."""
    supervisor = Supervisor()
    command = [sys.executable, "-P", "-c", PROGRAM.format(call="run_worker(settings, 'ladders')")]
    environment = {**os.environ, **store.settings.to_env()}
    for number in range(workers):
        supervisor.add(Process(f"ladder {number}", command, environment, log))
    try:
        until(lambda: store.workers_alive(LADDERS) == workers)
        board = LadderBoard(store.client, f"bench{workers}", LADDER)
        results: dict[int, Any] = {}
        before = store.client.info("stats")
        started = time.perf_counter()
        while len(results) < len(board.matches):
            results |= board.results(set(results))
            board.give_out(set(results))
            time.sleep(0.05)
        seconds = time.perf_counter() - started
        after = store.client.info("stats")
        for figure, name in (
            ("ladder_store_commands_per_match", "total_commands_processed"),
            ("ladder_store_bytes_in_per_match", "total_net_input_bytes"),
            ("ladder_store_bytes_out_per_match", "total_net_output_bytes"),
        ):
            figures[figure] = (after[name] - before[name]) / len(results)
        return len(results) / seconds
    finally:
        supervisor.stop()
