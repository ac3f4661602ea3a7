"""A store with a database of its own for each test, and processes that work on it."""

import itertools
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from rq.registry import StartedJobRegistry

from engine import Game
from worker import Process, Settings, Store, Supervisor, connect
from worker.queues import queue

DATABASES = itertools.cycle(range(1, 15))

PROGRAM = """
from worker import Settings, run_sweeper, run_worker, set_up_logs
settings = Settings.from_env()
set_up_logs(settings.log_level, "{name}")
{call}
"""
CALLS = {
    "moves": "run_worker(settings, 'moves')",
    "advice": "run_worker(settings, 'advice')",
    "ladders": "run_worker(settings, 'ladders')",
    "sweeper": "run_sweeper(settings)",
}


@pytest.fixture
def settings(store_url: str, tmp_path: Path) -> Settings:
    """Settings for an empty database of the shared store."""
    chosen = Settings(master_seconds=1.0, data_dir=tmp_path, redis_url=f"{store_url}?db={next(DATABASES)}")
    with connect(chosen) as client:
        client.flushdb()
    return chosen


@pytest.fixture
def open_store() -> Iterator[Callable[[Settings], Store]]:
    """Opens stores that are closed at the end of the test."""
    opened: list[Store] = []

    def open_one(settings: Settings) -> Store:
        opened.append(Store(connect(settings), settings))
        return opened[-1]

    yield open_one
    for store in opened:
        store.client.close()


@pytest.fixture
def store(settings: Settings, open_store: Callable[[Settings], Store]) -> Store:
    return open_store(settings)


class Crew:
    """Workers and sweepers of one store, as processes; their logs are kept in `log`."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.log = settings.data_dir / "crew.log"
        self.supervisor = Supervisor()
        self.processes: dict[str, Process] = {}

    def hire(self, kind: str, name: str | None = None) -> Process:
        """Start a "moves" or "ladders" worker or a "sweeper", to be kept running by `supervisor`."""
        name = name or kind
        process = Process(
            name,
            [sys.executable, "-P", "-c", PROGRAM.format(name=name, call=CALLS[kind])],
            {**os.environ, **self.settings.to_env()},
            self.log,
        )
        self.processes[name] = process
        self.supervisor.add(process)
        return process

    def logged(self) -> str:
        return self.log.read_text()


@pytest.fixture
def crew(settings: Settings) -> Iterator[Crew]:
    hired = Crew(settings)
    yield hired
    hired.supervisor.stop()


@pytest.fixture(scope="module")
def running(store_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store with a worker and a sweeper at work, shared by the tests of a module."""
    settings = Settings(data_dir=tmp_path_factory.mktemp("running"), redis_url=f"{store_url}?db=15")
    with connect(settings) as client:
        client.flushdb()
        store = Store(client, settings)
        crew = Crew(settings)
        crew.hire("moves")
        crew.hire("sweeper")
        until(lambda: store.workers_alive() == 1, 60)
        yield store
        crew.supervisor.stop()


def until(
    condition: Callable[[], object], seconds: float = 10.0, also: Callable[[], object] | None = None
) -> float:
    """Wait until the condition holds: how long that took. `also` is called again and again meanwhile."""
    started = time.monotonic()
    while not condition():
        assert time.monotonic() - started < seconds, "waited in vain"
        if also is not None:
            also()
        time.sleep(0.005)
    return time.monotonic() - started


def alive(pid: int) -> bool:
    """Whether the process is there and not just waiting to be reaped."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return bool(state.stdout.strip()) and not state.stdout.startswith("Z")


def under_way(store: Store, name: str) -> list[str]:
    """The queue's jobs that workers have begun."""
    return StartedJobRegistry(queue=queue(store.client, name)).get_job_ids(cleanup=False)


def seats(*players: str) -> list[dict[str, str]]:
    return [{"name": f"Seat {seat}", "player": player} for seat, player in enumerate(players)]


def game_where(first: int, *players: str, mode: str = "competitive") -> Game:
    """A new game of these players in which seat `first` begins."""
    for seed in itertools.count():
        game = Game.new(mode, seats(*players), seed=seed)
        if game.seat_to_act == first:
            return game
    raise AssertionError


def everything(store: Store) -> dict[bytes, bytes]:
    """All that the store holds, to be compared."""
    return {key: store.client.dump(key) for key in store.client.keys("sb:*")}
