"""Keeping child processes going: start them, restart a dead one with back-off, stop all in order."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from worker.log import logger

FIRST_DELAY = 0.1
LONGEST_DELAY = 5.0
SETTLED = 10.0  # a child that has lived so long starts its back-off anew
POLL = 0.1

_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
_PR_SET_PDEATHSIG = 1


def end_with_parent() -> None:
    """Run in a new child: on Linux it gets SIGTERM when the thread that started it ends, however it ends.

    Elsewhere nothing does that, and a parent killed outright leaves its children behind.
    """
    if _libc is not None:
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


class Child(Protocol):
    """Something the supervisor keeps running."""

    name: str

    def start(self) -> None: ...

    def alive(self) -> bool: ...

    def look_after(self) -> None:
        """See, while it lives, to what it needs now and then. Raises OSError where that fails."""

    def stop(self, patience: float) -> None:
        """End it, politely for `patience` seconds, then by force."""


class Process:
    """A command run in a session of its own, so that Ctrl-C in the terminal reaches only the supervisor."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        environment: Mapping[str, str] | None = None,
        output: Path | None = None,
        handles: Sequence[int] = (),
    ) -> None:
        """`output` is a file that takes all it prints; `handles` are open files that it inherits."""
        self.name = name
        self.command = list(command)
        self.environment = None if environment is None else dict(environment)
        self.output = output
        self.handles = tuple(handles)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The process id while it runs."""
        return self._process.pid if self._process is not None and self.alive() else None

    def start(self) -> None:
        with contextlib.ExitStack() as files:
            output = files.enter_context(self.output.open("ab")) if self.output else None
            # Nothing but a system call happens between fork and exec, so preexec_fn is safe here.
            self._process = subprocess.Popen(  # noqa: S603
                self.command,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=self.handles,
                start_new_session=True,
                preexec_fn=end_with_parent,
            )

    def look_after(self) -> None:
        """It needs nothing."""

    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def stop(self, patience: float) -> None:
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            # The session's id is the child's own, so this reaches only what it started.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


class Supervisor:
    """Children in their order of dependence: started first to last, stopped last to first.

    >>> supervisor = Supervisor()
    >>> supervisor.add(store); supervisor.add(Process("sweeper", [...]))   # doctest: +SKIP
    >>> supervisor.run(until=lambda: stop_requested)                       # doctest: +SKIP
    """

    def __init__(self) -> None:
        self.children: list[Child] = []
        self._failures: dict[str, int] = {}
        self._started: dict[str, float] = {}
        self._not_before: dict[str, float] = {}

    def add(self, child: Child) -> None:
        """Start a child and keep it running from now on; names are unique."""
        child.start()
        self._started[child.name] = time.monotonic()
        self.children.append(child)

    def tend(self) -> None:
        """Restart each dead child whose back-off has passed. Call it a few times a second."""
        now = time.monotonic()
        for child in self.children:
            if child.alive():
                self._trying(child, child.look_after)
                if now - self._started[child.name] > SETTLED:
                    self._failures.pop(child.name, None)
                continue
            if child.name not in self._not_before:
                failures = self._failures.get(child.name, 0)
                delay = min(LONGEST_DELAY, FIRST_DELAY * 2.0**failures)
                self._failures[child.name] = failures + 1
                self._not_before[child.name] = now + delay
                logger().warning("process_died", process=child.name, restart_in=delay)
            if now >= self._not_before[child.name]:
                del self._not_before[child.name]
                self._started[child.name] = now
                self._trying(child, child.start)

    def _trying(self, child: Child, what: Callable[[], None]) -> None:
        try:
            what()
        except OSError as error:
            logger().error("process_not_started", process=child.name, reason=str(error))

    def run(self, until: Callable[[], bool]) -> None:
        """Tend the children until `until()` is true; it does not stop them."""
        while not until():
            self.tend()
            time.sleep(POLL)

    def stop(self, patience: float = 10.0) -> None:
        """Stop all children, the last started first; each has `patience` seconds to end by itself."""
        while self.children:
            self.children.pop().stop(patience)
