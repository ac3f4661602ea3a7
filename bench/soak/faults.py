"""The faults: their schedule, which a seed decides, and how each is made and ended."""

from __future__ import annotations

import contextlib
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import redis

from bench.soak.proxy import Mood, Proxy
from bench.soak.stack import API, LAUNCHER, MASTER, STORE, SWEEPER, WORKER, Stack

STORM, CALM = 25.0, 13.0  # seconds of faults, and of none in between
GAPS = (0.4, 3.0)  # seconds from one fault to the next
LASTS = (0.5, 3.0)
SPARE = 500  # bytes that still fit on the full disk

KILLED = (STORE, MASTER, API, WORKER, SWEEPER)
PAUSED = (STORE, API, WORKER, SWEEPER)
MOODS: tuple[Mood, ...] = ("refuse", "stall", "delay", "lose answers")

# How often each is chosen, beside the others.
WEIGHTS = {
    **{f"kill -9: {kind}": 1 if kind == MASTER else 3 for kind in KILLED},
    f"kill -9: {LAUNCHER}": 1,
    f"SIGTERM: {LAUNCHER}": 1,
    **{f"pause: {kind}": 1 for kind in PAUSED},
    **{f"{mood}: {line}": 1 for mood in MOODS for line in ("API", "store")},
    "cut: API": 2,
    "cut: store": 2,
    "disk full": 2,
    f"disk full, then kill -9: {STORE}": 2,
    "file rewritten": 1,
}


@dataclass(frozen=True)
class Fault:
    at: float
    name: str
    lasts: float
    choice: float  # of several processes of the kind, this one: a share of their number


def schedule(seed: int, seconds: float) -> list[Fault]:
    """The faults of a run: storms with calms in between."""
    chance = random.Random(seed)
    faults = []
    at = 1.0
    while at < seconds:
        if at % (STORM + CALM) < STORM:
            [name] = chance.choices(list(WEIGHTS), list(WEIGHTS.values()))
            faults.append(Fault(at, name, chance.uniform(*LASTS), chance.random()))
        at += chance.uniform(*GAPS)
    return faults


def unable() -> dict[str, str]:
    """The faults that cannot be made on this system, and why."""
    if sys.platform == "linux":
        return {}
    reason = "no system call here limits the files of another process"
    return {name: reason for name in WEIGHTS if name.startswith("disk full")}


@dataclass
class Running:
    """A fault that was made: when it is to end, what ends it, and whether things are back after that."""

    name: str
    began: float
    until: float
    end: Callable[[], object]
    back: Callable[[], object]
    ended: bool = False


@dataclass
class Trouble:
    """Makes faults and ends them. `times` are when something was not well: spans of seconds since 1970, each
    until what was killed had been started again."""

    stack: Stack
    made: Counter[str] = field(default_factory=Counter)
    times: list[tuple[float, float]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)  # what each of them was
    _running: list[Running] = field(default_factory=list)

    def make(self, fault: Fault) -> None:
        running = self._begin(fault)
        if running is not None:
            self.made[fault.name] += 1
            self._running.append(running)

    def tend(self, all_of_them: bool = False) -> bool:
        """End the faults whose time has come: whether all is well."""
        for fault in list(self._running):
            if not fault.ended and (all_of_them or fault.until <= time.monotonic()):
                fault.end()
                fault.ended = True
            if fault.ended and fault.back():
                self._running.remove(fault)
                self.times.append((fault.began, time.time()))
                self.names.append(fault.name)
        return not self._running

    def _begin(self, fault: Fault) -> Running | None:
        """Make the fault; None if it could not be made now."""
        began, until = time.time(), time.monotonic() + fault.lasts
        kind, _, target = fault.name.partition(": ")
        end: Callable[[], object] | None
        if kind == "disk full":
            end = self._fill_disk()
        elif kind == "disk full, then kill -9":
            pid = self.stack.server.pid
            if pid is None or self._fill_disk() is None:
                return None
            kill = partial(self.stack.signal, pid, signal.SIGKILL)
            return Running(fault.name, began, until, kill, self.stack.back_after(STORE, pid))
        elif kind == "file rewritten":
            with contextlib.suppress(redis.RedisError), self.stack.direct() as client:
                client.bgrewriteaof()
            end = nothing
        elif target in ("API", "store"):
            end = self._spoil(self.stack.api_proxy if target == "API" else self.stack.store_proxy, kind)
        else:
            found = self.stack.processes().get(target)
            if not found:
                return None
            pid = found[int(fault.choice * len(found))]
            if kind == "pause":
                end = partial(self.stack.signal, pid, signal.SIGCONT)
                paused = self.stack.signal(pid, signal.SIGSTOP)
                return Running(fault.name, began, until, end, always) if paused else None
            back = self.stack.back_after(target, pid)
            number = signal.SIGTERM if kind == "SIGTERM" else signal.SIGKILL
            return Running(fault.name, began, 0.0, nothing, back) if self.stack.signal(pid, number) else None
        return None if end is None else Running(fault.name, began, until, end, always)

    def _spoil(self, proxy: Proxy, how: str) -> Callable[[], object] | None:
        if how == "cut":
            proxy.cut()
            return nothing
        if proxy.mood != "good":
            return None
        [proxy.mood] = (mood for mood in MOODS if mood == how)
        if how == "refuse":
            proxy.cut()
        return partial(setattr, proxy, "mood", "good")

    def _fill_disk(self) -> Callable[[], object] | None:
        """The server's files may grow no more, which it meets as it meets a full disk."""
        pid = self.stack.server.pid
        if pid is None or unable():
            return None
        import resource

        def limit(size: int) -> None:
            with contextlib.suppress(ProcessLookupError):
                resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

        folder = self.stack.folder / "store" / "appendonlydir"
        limit(max(file.stat().st_size for file in folder.iterdir()) + SPARE)
        return partial(limit, resource.RLIM_INFINITY)


def nothing() -> None:
    return None


def always() -> bool:
    return True
