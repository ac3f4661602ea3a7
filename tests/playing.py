"""Starting the game as a person would, for tests."""

import contextlib
import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

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
        """All living processes that were started for this folder, and their command lines."""
        mark = f"DATA_DIR={self.folder}\0".encode()
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                # The store writes its title over its environment, but works in its folder.
                ours = (
                    mark in (folder / "environ").read_bytes()
                    or self.folder in (folder / "cwd").readlink().parents
                )
                if line and ours and all(word in line for word in words):
                    found[int(folder.name)] = line
        return found

    def ask(self, method: str, path: str, body: object = None, token: str = "") -> tuple[int, Any]:
        connection = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=30)
        headers = {"Content-Type": "application/json"} if body else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
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


def eventually(check: Callable[[], object], seconds: float = 20, pause: float = 0.1) -> None:
    deadline = time.monotonic() + seconds
    while True:
        with contextlib.suppress(OSError, http.client.HTTPException):
            if check():
                return
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(pause)
