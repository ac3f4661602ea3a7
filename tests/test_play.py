"""`stem-branch play`, started and stopped as a person would."""

import contextlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

COMMAND = Path(sys.executable).with_name("stem-branch")


class Playing:
    """A running `stem-branch play` on a folder of its own."""

    def __init__(self, folder: Path, **variables: str) -> None:
        self.folder = folder
        self.environment = {**os.environ, "HOST": "127.0.0.1", "PORT": "0", "DATA_DIR": str(folder)}
        self.environment |= {"BROWSER": "none", "REDIS_URL": "", **variables}
        self.lines: list[str] = []
        self.process: subprocess.Popen[str]

    def start(self) -> "Playing":
        started = time.monotonic()
        self.process = subprocess.Popen(
            [COMMAND, "play"],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.read_until("Play at")
        self.seconds = time.monotonic() - started
        self.url = self.lines[-1].split()[-1]
        return self

    def read_until(self, text: str) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.lines.append(line.rstrip())
            if text in line:
                return
        raise AssertionError(f"it ended without saying {text!r}: {self.lines}")

    def press_ctrl_c(self) -> int:
        """What a terminal does: the signal reaches the whole process group in the foreground."""
        os.killpg(self.process.pid, signal.SIGINT)
        self.process.communicate(timeout=30)
        return self.process.returncode

    def processes(self, *words: str) -> dict[int, str]:
        """All living processes that were started with this folder, and their command lines."""
        mark = f"DATA_DIR={self.folder}\0".encode()
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                if line and mark in (folder / "environ").read_bytes() and all(word in line for word in words):
                    found[int(folder.name)] = line
        return found

    def ask(self, method: str, path: str, body: object = None) -> tuple[int, object]:
        connection = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=30)
        headers = {"Content-Type": "application/json"} if body else {}
        try:
            connection.request(method, path, json.dumps(body) if body else None, headers)
            answer = connection.getresponse()
            text = answer.read()
        finally:
            connection.close()
        return answer.status, json.loads(
            text
        ) if answer.headers.get_content_type() == "application/json" else text

    def new_game(self) -> str:
        seats = [{"name": "You", "player": "human"}, {"name": "Rival", "player": "greedy"}]
        status, created = self.ask("POST", "/api/v1/games", {"mode": "competitive", "seats": seats})
        assert status == 201
        return created["id"]


def eventually(check: Callable[[], object], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while True:
        with contextlib.suppress(OSError, http.client.HTTPException):
            if check():
                return
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.1)


@pytest.fixture(scope="module")
def playing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Playing]:
    game = Playing(tmp_path_factory.mktemp("games")).start()
    yield game
    if game.process.poll() is None:
        game.press_ctrl_c()


def refused(folder: Path, **variables: str) -> str:
    """What a start says that cannot be."""
    answer = subprocess.run(
        [COMMAND, "play"],
        env=Playing(folder, **variables).environment,
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert answer.returncode == 1
    assert "Traceback" not in answer.stderr + answer.stdout
    return answer.stderr


def test_a_taken_port_is_a_sentence(tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert f"Port {port} is taken by another program" in refused(tmp_path, PORT=str(port))


def test_an_unreachable_store_is_a_sentence_without_the_password(tmp_path: Path):
    said = refused(tmp_path, REDIS_URL="redis://:secret@127.0.0.1:1/0")
    assert "REDIS_URL" in said
    assert "secret" not in said


def test_settings_that_cannot_be_are_sentences(tmp_path: Path):
    (tmp_path / "file").write_text("")
    assert "PORT must be a whole number" in refused(tmp_path, PORT="eighty")
    assert "is no address of this machine" in refused(tmp_path, HOST="192.0.2.1")
    assert "must be a folder" in refused(tmp_path / "file")


@pytest.mark.serial
def test_the_page_and_the_api_are_there(playing: Playing):
    assert playing.ask("GET", "/")[0] == 200
    assert playing.ask("GET", "/readyz")[0] == 200


@pytest.mark.serial
def test_a_second_start_shows_the_running_game(playing: Playing):
    second = Playing(playing.folder).start()
    assert second.url == playing.url
    second.process.communicate(timeout=10)
    assert second.process.returncode == 0
    assert playing.ask("GET", "/readyz")[0] == 200


@pytest.mark.serial
@pytest.mark.parametrize(
    "words",
    [("api:create_app",), ("worker", "moves"), ("sweeper",), ("valkey-server",)],
    ids=["api", "worker", "sweeper", "store"],
)
def test_a_killed_child_is_started_again_and_no_game_is_lost(playing: Playing, words: tuple[str, ...]):
    game = playing.new_game()
    before = playing.processes(*words)
    assert before
    for pid in before:
        os.kill(pid, signal.SIGKILL)
    eventually(lambda: len(set(playing.processes(*words)) - set(before)) >= len(before))
    eventually(lambda: playing.ask("GET", "/readyz")[0] == 200)
    assert playing.ask("GET", f"/api/v1/games/{game}")[0] == 200


@pytest.mark.serial
def test_ctrl_c_stops_all_it_started_and_nothing_else_and_games_are_kept(playing: Playing, tmp_path: Path):
    neighbour = Playing(tmp_path).start()
    game = playing.new_game()
    # One child is dead at that moment, and one has left an orphan.
    worker = next(iter(playing.processes("worker", "moves")))
    os.kill(worker, signal.SIGKILL)
    assert playing.press_ctrl_c() == 0
    assert playing.processes() == {}
    assert neighbour.ask("GET", "/readyz")[0] == 200
    assert neighbour.press_ctrl_c() == 0
    assert neighbour.processes() == {}

    again = Playing(playing.folder).start()
    try:
        assert again.seconds <= 5
        assert again.ask("GET", f"/api/v1/games/{game}")[0] == 200
    finally:
        assert again.press_ctrl_c() == 0


@pytest.mark.serial
def test_a_launcher_that_is_killed_leaves_nothing_in_the_way(tmp_path: Path):
    first = Playing(tmp_path).start()
    game = first.new_game()
    first.process.kill()
    first.process.communicate()
    again = Playing(tmp_path, PORT=re.sub(".*:", "", first.url)).start()
    assert again.ask("GET", f"/api/v1/games/{game}")[0] == 200
    assert again.press_ctrl_c() == 0
    assert again.processes() == {}
