"""The whole game as it is run, its processes by kind, and proxies before the store and before the API."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import unquote, urlsplit

import redis

from bench.soak.proxy import Proxy
from worker import EmbeddedStore, Process, Settings, Supervisor

READY_WITHIN = 120.0
STORE, LAUNCHER, MASTER, API, WORKER, SWEEPER = (
    "store server", "launcher", "API's parent", "API process", "worker", "sweeper",
)  # fmt: skip


class Stack:
    """The embedded store and `stem-branch play` under a supervisor: processes speak to the store, and players
    to the API, through a proxy each. `tend` has to be called a few times a second, by the thread that
    entered."""

    def __init__(self, folder: Path, **chosen: Any) -> None:
        self.folder = folder
        self.supervisor = Supervisor()
        self.server = EmbeddedStore(Settings(data_dir=folder))
        self.log = folder / "play.log"
        self._chosen = chosen

    def __enter__(self) -> Stack:
        self.supervisor.add(self.server)
        self.store_proxy = Proxy(Path(unquote(urlsplit(self.server.url).path)))
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.api_proxy = Proxy(self.port)
        self.settings = replace(
            Settings(data_dir=self.folder),
            port=self.port,
            redis_url=f"redis://127.0.0.1:{self.store_proxy.port}/0",
            browser="none",
            ladder_workers=0,
            **self._chosen,
        )
        self.launcher = Process(
            LAUNCHER,
            [sys.executable, "-P", "-m", "api.cli", "play"],
            {**os.environ, **self.settings.to_env()},
            self.folder / "launcher.log",
        )
        try:
            self.supervisor.add(self.launcher)
            self.wait_until_ready()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        self.supervisor.stop(30)
        self.api_proxy.close()
        self.store_proxy.close()

    @property
    def url(self) -> str:
        """Where the players reach the API: through the proxy."""
        return f"http://127.0.0.1:{self.api_proxy.port}"

    def tend(self) -> None:
        self.supervisor.tend()

    def ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=2):
                return True
        except OSError:
            return False

    def wait_until_ready(self) -> None:
        deadline = time.monotonic() + READY_WITHIN
        while not self.ready():
            if time.monotonic() > deadline:
                raise RuntimeError(f"The game is not ready: see {self.folder}")
            self.tend()
            time.sleep(0.1)

    def processes(self) -> dict[str, list[int]]:
        """The running processes by kind: all of them children, or children of children, of ours."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        if self.server.pid is not None:
            found[STORE].append(self.server.pid)
        if self.launcher.pid is None:
            return found
        found[LAUNCHER].append(self.launcher.pid)
        listing = subprocess.run(
            ["ps", "-A", "-o", "pid=,ppid=,stat=,args="], capture_output=True, text=True, check=True
        ).stdout
        children: dict[int, list[tuple[int, str]]] = defaultdict(list)
        for line in listing.splitlines():
            number, parent, state, command = line.split(None, 3)
            if not state.startswith("Z"):
                children[int(parent)].append((int(number), command))
        for pid, command in sorted(children[self.launcher.pid]):
            if kind := kind_of(command):
                found[kind].append(pid)
            if kind == MASTER:
                found[API] += sorted(child for child, _ in children[pid])
        return found

    def back_after(self, kind: str, pid: int) -> Callable[[], bool]:
        """Asked before process `pid` of this kind is killed: says later whether another one is at work."""
        if kind == STORE:
            return lambda: self.server.pid not in (pid, None)
        if kind in (MASTER, API):
            return lambda: pid not in self.processes()[kind] and self.ready()
        awaited = {WORKER: (1, 0), SWEEPER: (0, 1), LAUNCHER: (self.settings.move_workers, 1)}.get(
            kind, (0, 0)
        )
        events = ("worker_ready", "sweeper_ready")
        counts = [self.logged(event) + more for event, more in zip(events, awaited, strict=True)]
        return lambda: all(self.logged(event) >= count for event, count in zip(events, counts, strict=True))

    def logged(self, event: str) -> int:
        """How often the processes have logged an event."""
        return self.log.read_text(errors="replace").count(f'"{event}"') if self.log.exists() else 0

    def direct(self) -> redis.Redis:
        """A client of the store that does not go through its proxy."""
        return redis.Redis.from_url(self.server.url, socket_timeout=5)

    def signal(self, pid: int, number: signal.Signals) -> bool:
        """Send a signal to a process of `processes`; False if it has ended since."""
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return False
        return True


def kind_of(command: str) -> str:
    """What a child of the launcher is; "" for anything else."""
    if "gunicorn" in command:
        return MASTER
    if "worker --queue" in command:
        return WORKER
    return SWEEPER if "sweeper" in command else ""
