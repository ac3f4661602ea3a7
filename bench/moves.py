"""What the machinery adds to a player's thinking time, and what the store's commands take; all parts real."""

import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from engine import Game
from worker import EmbeddedStore, LogEntry, Process, Settings, Store, Supervisor, connect, set_up_logs

PROGRAM = """
from worker import Settings, run_sweeper, run_worker, set_up_logs
settings = Settings.from_env()
set_up_logs("info")
{call}
"""
MOVES = {"greedy": 40, "master": 12}  # actions to measure, by player
COMMANDS = 2000


def measure() -> dict[str, float]:
    set_up_logs("error")
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder), master_seconds=1.0)
        started = time.perf_counter()
        with EmbeddedStore(settings) as server:
            figures = {"store_start_s": time.perf_counter() - started}
            settings = replace(settings, redis_url=server.url)
            with connect(settings) as client:
                store = Store(client, settings)
                figures |= _commands(store)
                figures |= _moves(store, Path(folder) / "worker.log")
    return figures


def _moves(store: Store, log: Path) -> dict[str, float]:
    supervisor = Supervisor()
    environment = {**os.environ, **store.settings.to_env()}

    def hire(name: str, call: str) -> Process:
        command = [sys.executable, "-P", "-c", PROGRAM.format(call=call)]
        process = Process(name, command, environment, log)
        supervisor.add(process)
        return process

    try:
        hire("sweeper", "run_sweeper(settings)")
        started = time.perf_counter()
        workers = [hire("worker 1", "run_worker(settings, 'moves')")]
        until(lambda: store.workers_alive() == 1)
        figures = {"worker_start_s": time.perf_counter() - started}
        numbers = range(2, store.settings.move_workers + 1)
        workers += [hire(f"worker {number}", "run_worker(settings, 'moves')") for number in numbers]
        until(lambda: store.workers_alive() == store.settings.move_workers)
        for player, moves in MOVES.items():
            beyond = _beyond_thinking(store, log, player, moves)
            figures[f"move_beyond_thinking_ms_{player}_median"] = statistics.median(beyond)
            figures[f"move_beyond_thinking_ms_{player}_worst"] = max(beyond)
        figures["killed_worker_to_move_s"] = _rescue(store, supervisor, workers)
        return figures
    finally:
        supervisor.stop()


def _beyond_thinking(store: Store, log: Path, player: str, moves: int) -> list[float]:
    """Milliseconds from each commit to the AI's next one, less what the AI spent on thinking."""
    beyond: list[float] = []
    while len(beyond) < moves:
        id = store.create(new_game("human", player)).id
        for _ in range(3):
            while store.read(id).game.seat_to_act == 0:
                stored = store.read(id)
                store.act(id, 0, stored.game.legal_actions()[0], stored.version)
            until(lambda id=id: store.read(id).game.seat_to_act == 0)  # type: ignore[misc]
        entries = store.log(id, limit=1000)
        thought = _thought(log, id, sum(entry.seat == 1 for entry in entries))
        before: LogEntry | None = None
        for entry in entries:
            if entry.seat == 1 and before is not None:
                took = (entry.at - before.at).total_seconds()
                beyond.append(1000 * (took - thought[entry.version]))
            before = entry
    return beyond


def _thought(log: Path, id: str, moves: int) -> dict[int, float]:
    """Seconds of thinking behind each of the game's AI moves, by the version after it, as the worker told."""
    found: dict[int, float] = {}

    def read() -> bool:
        lines = [json.loads(line) for line in log.read_text().splitlines() if id in line]
        found.update(
            {line["version"] + 1: line["seconds"] for line in lines if line["event"] == "move_played"}
        )
        return len(found) == moves

    until(read)
    return found


def _rescue(store: Store, supervisor: Supervisor, workers: list[Process]) -> float:
    """Seconds from kill -9 of a thinking worker and its child to the AI's move; it would have thought one."""
    id = store.create(new_game("master", "human")).id
    time.sleep(0.4)
    for worker in workers:
        children = subprocess.run(["pgrep", "-P", str(worker.pid)], capture_output=True, text=True)
        for pid in (worker.pid, *children.stdout.split()) if children.stdout else ():
            os.kill(int(pid or 0), signal.SIGKILL)
    started = time.perf_counter()
    until(lambda: store.version(id) > 1, supervisor.tend)
    return time.perf_counter() - started


def _commands(store: Store) -> dict[str, float]:
    id = store.create(new_game("human", "human")).id
    game = store.read(id).game
    commits: list[float] = []
    while not game.over:
        seat = game.seat_to_act
        assert seat is not None
        action = game.legal_actions()[-1]
        started = time.perf_counter()
        store.act(id, seat, action, len(commits) + 1, key=f"key {len(commits)}")
        commits.append(time.perf_counter() - started)
        game.apply(action)
    figures = {"store_commits_per_s": len(commits) / sum(commits)}
    figures["store_finished_game_bytes"] = sum(
        store.client.memory_usage(key) for key in store.client.keys(f"sb:game:{id}*")
    )
    for name, read in (("version", store.version), ("game", store.read)):
        started = time.perf_counter()
        for _ in range(COMMANDS):
            read(id)
        figures[f"store_{name}_reads_per_s"] = COMMANDS / (time.perf_counter() - started)
    return figures


def new_game(*players: str) -> Game:
    """A game in which seat 0 begins."""
    named = [{"name": player, "player": player} for player in players]
    while (game := Game.new("competitive", named)).seat_to_act != 0:
        pass
    return game


def until(
    condition: Callable[[], bool], meanwhile: Callable[[], None] = lambda: None, patience: float = 60
) -> None:
    """Waits, at most `patience` seconds. Raises TimeoutError."""
    deadline = time.monotonic() + patience
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError("the benchmark waited in vain")
        meanwhile()
        time.sleep(0.002)
