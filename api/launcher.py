"""`stem-branch play`: the store, the workers, the sweeper and the API, kept going until Ctrl-C."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import http.client
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import webbrowser
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TextIO
from urllib.parse import urlsplit

from worker import (
    ADMIN_FILE,
    EmbeddedStore,
    Process,
    Settings,
    Supervisor,
    admin_token,
    require_store,
    set_up_logs,
)

READY_WITHIN = 120.0  # the first start compiles the kernels
PATIENCE = 5.0
LET_GO_WITHIN = 15.0  # an API that lost its launcher finishes what it was asked before it ends
LIVES_AT_START = 3
LOG_KEPT = 10_000_000  # bytes


class CannotPlay(Exception):
    """The game cannot be started; the message is a sentence for the person who tried."""


def launch(settings: Settings) -> None:
    """Start the game, print its address, and return when it was told to stop and has stopped.

    Where it already runs on this data directory, show that one and return at once. Raises CannotPlay.
    """
    stopping = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda *_: stopping.set())
    try:
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        note = (settings.data_dir / "play.lock").open("a+")
    except OSError as error:
        raise CannotPlay(f"The folder {settings.data_dir} cannot be used ({error.strerror}).") from None
    with note:
        if not first_here(note, settings, stopping):
            return
        # What a killed launcher left in the note tells that its API may still be letting go of the port.
        note.seek(0)
        patience = LET_GO_WITHIN if note.read() else 0.0
        with listen(settings.host, settings.port, patience) as listener:
            settings = replace(settings, port=listener.getsockname()[1])
            write_down(note, settings.url)
            try:
                run(settings, listener, stopping)
            finally:
                write_down(note, "")


def run(settings: Settings, listener: socket.socket, stopping: threading.Event) -> None:
    started = time.monotonic()
    log = settings.data_dir / "play.log"
    if log.exists() and log.stat().st_size > LOG_KEPT:
        log.replace(log.with_name("play.log.1"))
    set_up_logs(settings.log_level, "play")
    events = log.open("a", buffering=1)
    for handler in logging.getLogger().handlers:
        if isinstance(handler, logging.StreamHandler):
            handler.setStream(events)
    say(f"Stem & Branch: starting. Games are kept in {settings.data_dir}.")
    supervisor = Supervisor()
    parts = parts_of(settings, listener, log)
    try:
        if settings.redis_url:
            require_store(settings)
        else:
            supervisor.add(EmbeddedStore(settings))
        # The page comes first; by the time somebody has chosen a game, the workers are there, too.
        page, *others = parts
        supervisor.add(page)
        wait_until_ready(settings, supervisor, page, log, stopping)
        if not stopping.is_set():
            for part in others:
                supervisor.add(part)
            say(f"Ready after {time.monotonic() - started:.1f} s. Play at  {settings.url}")
            if not settings.admin_token:
                admin_token(settings)
                say(f"Ladders are begun with the token in {settings.data_dir / ADMIN_FILE}.")
            say("Ctrl-C stops it; games are still there at the next start.")
            open_page(settings)
        supervisor.run(until=stopping.is_set)
    finally:
        say("Stopping …")
        # Told all at once, so that the slowest decides how long it takes and not their sum.
        for part in parts:
            part.tell_to_end()
        supervisor.stop(PATIENCE)
    say("Stopped.")


def parts_of(settings: Settings, listener: socket.socket, log: Path) -> list[Part]:
    environment = {**os.environ, **settings.to_env()}

    def part(name: str, *arguments: str, handles: Sequence[int] = ()) -> Part:
        return Part(name, [sys.executable, "-P", "-m", "api.cli", *arguments], environment, log, handles)

    return [
        part("API", "api", "--fd", str(listener.fileno()), handles=[listener.fileno()]),
        *(
            part(f"worker {n}", "worker", "--queue", "moves" if n < settings.move_workers else "advice")
            for n in range(1, settings.move_workers + 1)
        ),
        *(
            part(f"ladder worker {n + 1}", "worker", "--queue", "ladders")
            for n in range(settings.ladder_workers)
        ),
        part("sweeper", "sweeper"),
    ]


class Part(Process):
    """A process of the game. What it started ends with it, also when it was killed."""

    lives = 0
    session = 0

    def start(self) -> None:
        if self.lives:
            say(f"The {self.name} has ended unexpectedly and is started again; {self.output} may say why.")
            end_session(self.session)
        self.lives += 1
        super().start()
        self.session = self.pid or 0

    def tell_to_end(self) -> None:
        if self.pid:
            os.kill(self.pid, signal.SIGTERM)

    def stop(self, patience: float) -> None:
        super().stop(patience)
        end_session(self.session)


def end_session(session: int) -> None:
    """Kill what is left of a session: the children of a process that was killed before it could end them."""
    for _ in range(100):
        left = [pid for pid, state in processes() if state != "Z" and session_of(pid) == session]
        if not left:
            return
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)


def session_of(pid: int) -> int:
    try:
        return os.getsid(pid)
    except OSError:
        return -1


def processes() -> list[tuple[int, str]]:
    """Every process of the machine and the letter of its state (Z: it has ended)."""
    if sys.platform == "linux":
        found = []
        for entry in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                found.append((int(entry.parent.name), entry.read_text().rpartition(")")[2].split()[0]))
        return found
    listing = subprocess.run(
        ["/bin/ps", "-A", "-o", "pid=,stat="], capture_output=True, text=True, check=True
    ).stdout
    return [(int(pid), state[0]) for pid, state in (line.split() for line in listing.splitlines())]


# One game a folder


def first_here(note: TextIO, settings: Settings, stopping: threading.Event) -> bool:
    """Whether no other start has this folder in use; the game of one that has is shown."""
    deadline = time.monotonic() + READY_WITHIN
    while not stopping.is_set():
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(note, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        note.seek(0)
        with contextlib.suppress(ValueError):
            url = json.loads(note.read())["url"]
            if is_ready(url):
                say(f"The game is already running on {settings.data_dir}. Play at  {url}")
                open_page(replace(settings, public_url=url))
                return False
        if time.monotonic() > deadline:
            raise CannotPlay(
                f"Another start has {settings.data_dir} in use and does not answer."
                " Stop it, or name another folder: DATA_DIR=/some/folder make play"
            )
        time.sleep(0.1)
    return False


def write_down(note: TextIO, url: str) -> None:
    note.seek(0)
    note.truncate()
    note.write(json.dumps({"pid": os.getpid(), "url": url}) if url else "")
    note.flush()


# The address


def listen(host: str, port: int, patience: float = 0.0) -> socket.socket:
    """A socket that already accepts: a visitor who comes while the API starts, or starts again, waits.

    A port that is taken is tried again for `patience` seconds. Raises CannotPlay.
    """
    deadline = time.monotonic() + patience
    while True:
        try:
            return _listen(host, port)
        except CannotPlay as refusal:
            taken = isinstance(refusal.__cause__, OSError) and refusal.__cause__.errno == errno.EADDRINUSE
            if not taken or time.monotonic() > deadline:
                raise
        time.sleep(0.05)


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(1024)
        except OSError:
            listener.close()
            raise
    except socket.gaierror:
        raise CannotPlay(f"HOST={host} is no address of this machine.") from None
    except OSError as error:
        raise CannotPlay(
            {
                errno.EADDRINUSE: f"Port {port} is taken by another program."
                f" Choose another one: PORT={port + 1} make play",
                errno.EACCES: f"You are not allowed to use port {port}."
                " Choose one above 1023: PORT=8000 make play",
                errno.EADDRNOTAVAIL: f"HOST={host} is no address of this machine.",
            }.get(error.errno or 0, f"The game cannot listen on {host}, port {port}: {error.strerror}.")
        ) from error
    return listener


def is_ready(url: str) -> bool:
    address = urlsplit(url)
    kind = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
    connection = kind(address.netloc, timeout=2)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def wait_until_ready(
    settings: Settings, supervisor: Supervisor, page: Part, log: Path, stopping: threading.Event
) -> None:
    deadline = time.monotonic() + READY_WITHIN
    while not stopping.is_set() and not is_ready(replace(settings, public_url="").url):
        supervisor.tend()
        keeps_ending = page.lives > LIVES_AT_START
        if keeps_ending or time.monotonic() > deadline:
            reason = "The API keeps ending" if keeps_ending else "The page does not answer"
            last = "\n".join(log.read_text(errors="replace").splitlines()[-5:])
            raise CannotPlay(f"{reason}. The end of {log}:\n{last}")
        time.sleep(0.05)


def open_page(settings: Settings) -> None:
    """Open the page in a browser where there is a screen."""
    screen = sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if screen and settings.browser.lower() != "none":
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(settings.url)


def say(text: str) -> None:
    print(text, flush=True)
