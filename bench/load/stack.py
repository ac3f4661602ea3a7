"""The game as `stem-branch play` starts it, an empty application beside it, and wrk to load either."""

from __future__ import annotations

import http.client
import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from engine import Game
from worker import Process, Settings

Json = dict[str, Any]
ROOT = Path(__file__).parents[2]
CONNECTIONS = 32


@dataclass(frozen=True)
class Stack:
    """A running game and the empty application. `launcher` is the process id of `stem-branch play`."""

    url: str
    empty_url: str
    launcher: int
    settings: Settings


@contextmanager
def running() -> Iterator[Stack]:
    """The whole game with the usual settings on a folder and a port of its own, and the empty application."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="stem-branch-load-")))
        settings = Settings(data_dir=folder / "data", port=0, browser="none")
        environment = {**os.environ, "DATA_DIR": str(settings.data_dir), "PORT": "0", "BROWSER": "none"}
        said = folder / "said"
        launcher = Process("play", [sys.executable, "-P", "-m", "api.cli", "play"], environment, said)
        launcher.start()
        stack.callback(launcher.stop, 30)
        while not (found := re.search(r"Play at +(\S+)\n", said.read_text())):
            if launcher.pid is None:
                raise SystemExit(f"The game does not start:\n{said.read_text()}")
            time.sleep(0.1)
        empty = stack.enter_context(empty_application(folder, settings.api_workers))
        wait_for(f"{found[1]}/readyz")
        assert launcher.pid
        yield Stack(found[1], empty, launcher.pid, settings)


@contextmanager
def empty_application(folder: Path, workers: int) -> Iterator[str]:
    """The empty application under the server and the configuration of the API."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        command = [
            sys.executable,
            "-P",
            "-m",
            "gunicorn",
            "--config",
            f"file:{ROOT / 'api/gunicorn_conf.py'}",
        ]
        command += ["--chdir", str(ROOT)]
        command += ["--bind", f"fd://{listener.fileno()}", "--workers", str(workers)]
        process = Process(
            "empty",
            [*command, "bench.load.empty:create_app()"],
            output=folder / "empty.log",
            handles=[listener.fileno()],
        )
        process.start()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/empty"
        try:
            wait_for(url)
            yield url
        finally:
            process.stop(5)


def wait_for(url: str) -> None:
    for _ in range(600):
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except OSError:
            time.sleep(0.2)
    raise SystemExit(f"{url} does not answer.")


class Visitor:
    """One connection to the API."""

    def __init__(self, url: str) -> None:
        self.connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)

    def ask(
        self, method: str, path: str, token: str = "", body: Json | None = None, **headers: str
    ) -> tuple[int, Json, str]:
        """Status, body and ETag. Raises OSError and http.client's errors."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            sent["Authorization"] = f"Bearer {token}"
        if body is not None:
            sent["Content-Type"] = "application/json"
        self.connection.request(
            method, f"/api/v1{path}", None if body is None else json.dumps(body), headers=sent
        )
        answer = self.connection.getresponse()
        data = answer.read()
        return answer.status, json.loads(data) if data else {}, answer.headers.get("ETag", "")


@dataclass(frozen=True, order=True)
class Seat:
    """Seat 0 of a game, and its token."""

    id: str
    token: str


def new_game(visitor: Visitor, mode: str, *rivals: str) -> Seat:
    """A game of one person, in seat 0, and these players; the person begins."""
    seats = [{"player": player} for player in ("human", *rivals)]
    body = {"mode": mode, "seats": seats, "seed": seed_for_seat_0(mode, len(seats))}
    status, made, _ = visitor.ask("POST", "/games", body=body)
    if status != http.HTTPStatus.CREATED:
        raise SystemExit(f"A game is refused: {made}")
    return Seat(made["id"], made["tokens"]["0"])


def seed_for_seat_0(mode: str, seats: int) -> int:
    """A seed by which seat 0 begins, so that a thousand new games are not a thousand turns of computers."""
    while True:
        seed = random.randrange(1_000_000)
        if Game.new(mode, seats, seed=seed).seat_to_act == 0:
            return seed


def polls_of(visitor: Visitor, seats: list[Seat]) -> list[str]:
    """The lines of polls.lua for games that nobody plays meanwhile."""
    lines = []
    for seat in seats:
        _, _, tag = visitor.ask("GET", f"/games/{seat.id}", seat.token)
        lines.append(f"/api/v1/games/{seat.id} {seat.token} {tag}")
    return lines


def require_tools() -> None:
    """End with a sentence where this cannot be measured."""
    if sys.platform != "linux":
        raise SystemExit("This is measured on Linux only: it reads /proc, and its clients use epoll.")
    if shutil.which("wrk") is None:
        raise SystemExit(
            "wrk is missing. On Debian and Ubuntu: apt-get install wrk. On macOS: brew install wrk"
        )


def requests_per_second(url: str, seconds: float, polls: list[str] | None = None) -> float:
    """How many requests a second wrk gets answered: of `url`, or each of the polls in turn."""
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{max(1, round(seconds))}s"]
    with tempfile.NamedTemporaryFile("w", suffix=".polls") as file:
        if polls is not None:
            file.write("\n".join(polls))
            file.flush()
            command += ["-s", str(Path(__file__).with_name("polls.lua"))]
        done = subprocess.run([*command, url, "--", file.name], capture_output=True, text=True, check=False)
    found = re.search(r"Requests/sec: +([0-9.]+)", done.stdout)
    if not found or "Non-2xx" in done.stdout or "Socket errors" in done.stdout:
        raise SystemExit(f"wrk had other answers than it should:\n{done.stdout}{done.stderr}")
    return float(found[1])
