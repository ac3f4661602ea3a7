"""Ladders: the gain from one worker to two, what a match costs the store, a thousand workers at one store."""

import os
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from datetime import UTC, datetime
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
from worker.queues import enqueue_match, queue

LADDER = Ladder(read_entrants("a=strong,b=strong"), games=24)
CROWD = 100  # workers that only pretend to think
MATCH_SECONDS = 20.0  # of one of them
CROWD_SECONDS = 40.0
MANY = 1000  # workers, for whoever gives out their matches
CROWD_LADDER = Ladder(read_entrants("random,greedy"), games=20_000)


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
                figures |= _crowd(Store(client, settings), Path(folder) / "log")
                figures |= _looks(Store(client, settings))
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


def _crowd(store: Store, log: Path) -> dict[str, float]:
    """What a worker asks of the store, and what that costs it, by many of them at once."""
    command = [sys.executable, "-P", "-m", "gevent.monkey", "--module", "bench.crowd"]
    command += [str(CROWD), str(MATCH_SECONDS)]
    crowd = Process("crowd", command, {**os.environ, **store.settings.to_env()}, log)
    crowd.start()
    try:
        until(lambda: store.workers_alive(LADDERS) == CROWD, patience=180)
        board = LadderBoard(store.client, "crowd", CROWD_LADDER)
        # More than they can play, so that nobody has to look after them in the meantime.
        for index in range(int(4 * CROWD * (CROWD_SECONDS / MATCH_SECONDS + 2))):
            enqueue_match(store.client, "crowd", index, f"crowd-{index}-1")
        time.sleep(1.5 * MATCH_SECONDS)  # until they are no longer all at the beginning of a match
        before, ready = store.client.info(), len(board.done())
        time.sleep(CROWD_SECONDS)
        after, matches = store.client.info(), len(board.done()) - ready
        store.client.delete(queue(store.client, LADDERS).key)
    finally:
        crowd.stop(5)
    share = _processor_seconds(after, before) / CROWD_SECONDS
    return {
        "ladder_crowd_matches_per_s": matches / CROWD_SECONDS,
        "ladder_crowd_commands_per_match": _grown(after, before, "total_commands_processed") / matches,
        "ladder_crowd_bytes_per_match": (
            _grown(after, before, "total_net_input_bytes") + _grown(after, before, "total_net_output_bytes")
        )
        / matches,
        "ladder_crowd_store_ms_per_match": 1000 * share * CROWD_SECONDS / matches,
        "ladder_workers_that_fill_the_store": CROWD / share,
    }


def _looks(store: Store) -> dict[str, float]:
    """What whoever runs a ladder of a thousand workers asks of the store at each look."""
    client, now = store.client, datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    for number in range(MANY):
        client.hset(f"rq:worker:many{number}", "last_heartbeat", now)
        client.sadd(f"rq:workers:{LADDERS}", f"rq:worker:many{number}")
    board = LadderBoard(client, "many", CROWD_LADDER)
    board.give_out(set())
    before, looks, done = client.info(), [], set[int]()
    for number in range(10):
        games = client.hget("sb:ladder:crowd:results", "0")
        record = client.hget("sb:ladder:crowd:records", "0/0")
        for index in range(number * 10, number * 10 + 10):
            client.hset("sb:ladder:many:results", index, games)
            client.hset("sb:ladder:many:records", mapping={f"{index}/0": record, f"{index}/1": record})
        started = time.perf_counter()
        done.update(board.results(done))
        board.give_out(done)
        looks.append(time.perf_counter() - started)
    after = client.info()
    return {
        "ladder_look_at_a_thousand_s": statistics.median(looks),
        "ladder_look_at_a_thousand_store_ms": 1000 * _processor_seconds(after, before) / len(looks),
    }


def _grown(after: dict[str, Any], before: dict[str, Any], name: str) -> float:
    return float(after[name] - before[name])


def _processor_seconds(after: dict[str, Any], before: dict[str, Any]) -> float:
    return _grown(after, before, "used_cpu_user") + _grown(after, before, "used_cpu_sys")
