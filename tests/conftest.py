"""What several packages' tests share."""

import os
import shutil
import signal
import socket
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from worker import EmbeddedStore, Process, Settings

# Failures inside the tests' own helpers are explained like those in the tests.
pytest.register_assert_rewrite("tests.engine.positions", "tests.engine.table", "tests.playing")

# A shell lets what it starts in the background ignore ctrl-C, and so would all that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def store_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An embedded store of this test run's own: its address, without a database number (0 to 15)."""
    with EmbeddedStore(Settings(data_dir=tmp_path_factory.mktemp("store"))) as store:
        yield store.url


BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The system's own browser where there is one, else the one that Playwright installed."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    sandbox = [] if os.geteuid() else ["--no-sandbox"]  # as root it does not start with one
    chosen = {"executable_path": found} if found else {}
    return {**browser_type_launch_args, **chosen, "args": sandbox}


@pytest.fixture(scope="session")
def live_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """The whole game as processes on a free port: store, API, a worker and the sweeper. Gives its settings.

    What they print, and that is all they can, is in `live.log` of their folder.
    """
    folder = tmp_path_factory.mktemp("live")
    bots = f"mine={Path(__file__).parent.parent / 'examples' / 'my_bot.py'}:MyBot"
    settings = Settings(
        data_dir=folder,
        api_workers=1,
        admin_token="whoever-runs-these-tests",
        ladder_bots=bots,
        log_level="debug",
    )
    with EmbeddedStore(settings) as store, socket.create_server(("127.0.0.1", 0)) as listener:
        settings = replace(settings, redis_url=store.url, port=listener.getsockname()[1])
        commands = {"api": ["--fd", str(listener.fileno())], "worker": ["--queue", "advice"], "sweeper": []}
        processes = [
            Process(
                name,
                [sys.executable, "-P", "-m", "api.cli", name, *more],
                {**os.environ, **settings.to_env()},
                folder / "live.log",
                handles=[listener.fileno()] if name == "api" else [],
            )
            for name, more in commands.items()
        ]
        try:
            for process in processes:
                process.start()
            wait_until_ready(f"{settings.url}/readyz", processes)
            yield settings
        finally:
            for process in reversed(processes):
                process.stop(5)


@pytest.fixture(scope="session")
def live_server(live_settings: Settings) -> str:
    """The address of the running game."""
    return live_settings.url


@pytest.fixture
def ladder_worker(live_settings: Settings) -> Iterator[None]:
    """A worker for ladders beside the running game."""
    worker = Process(
        "ladder worker",
        [sys.executable, "-P", "-m", "api.cli", "worker", "--queue", "ladders"],
        {**os.environ, **live_settings.to_env()},
        live_settings.data_dir / "live.log",
    )
    worker.start()
    yield
    worker.stop(5)


def wait_until_ready(url: str, processes: list[Process]) -> None:
    """Until that address answers 200."""
    deadline = time.monotonic() + 120  # the first start compiles the kernels
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (urllib.error.URLError, OSError):
            assert all(process.alive() for process in processes), "a process has ended: see live.log"
            assert time.monotonic() < deadline, "it was not ready in time: see live.log"
            time.sleep(0.1)
