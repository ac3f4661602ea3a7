"""Whether the processes of the game grow: samples of their memory, and the slope through them."""

from __future__ import annotations

import contextlib
import math
import os
import statistics
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

PAGE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class History:
    """What was seen of one process: seconds, bytes in memory, and processor seconds of it and its jobs."""

    times: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)


class Watch(threading.Thread):
    """Looks at every process of the game once a second until `stop`; `seen` is by process id and role."""

    def __init__(self, launcher: int) -> None:
        super().__init__(daemon=True)
        self.launcher, self.done = launcher, threading.Event()
        self.seen: dict[tuple[int, str], History] = {}

    def run(self) -> None:
        while not self.done.wait(1.0):
            self.look()

    def look(self) -> None:
        for pid, role in processes_of(self.launcher):
            # A process may end while it is looked at.
            with contextlib.suppress(OSError, IndexError):
                size = int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE
                used = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                history = self.seen.setdefault((pid, role), History())
                history.times.append(time.monotonic())
                history.sizes.append(size)
                history.processor.append(sum(map(int, used[11:15])) / TICKS)

    def stop(self) -> None:
        self.done.set()
        self.join()


def children(pid: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    return found


def processes_of(launcher: int) -> list[tuple[int, str]]:
    """The lasting processes that `stem-branch play` has started, and itself, with their roles."""
    found = [(launcher, "launcher")]
    for child in children(launcher):
        with contextlib.suppress(OSError):
            words = Path(f"/proc/{child}/cmdline").read_bytes().decode(errors="replace").split("\0")
            role = role_of(words)
            found.append((child, role))
            if role == "API master":
                found += [(worker, "API") for worker in children(child)]
    return found


def role_of(words: Sequence[str]) -> str:
    if "gunicorn" in words:
        return "API master"
    if "worker" in words:
        return f"worker ({words[words.index('--queue') + 1]})"
    return "sweeper" if "sweeper" in words else "store"


@dataclass(frozen=True)
class Slope:
    """Growth with the bounds of its 95 % interval, in the unit of the values per unit of time."""

    low: float
    middle: float
    high: float


def slope(times: Sequence[float], values: Sequence[float]) -> Slope:
    """Theil and Sen's slope, the median over all pairs, with Sen's interval: outliers hardly move either.

    Neighbouring samples are not independent, so the true interval is wider.
    """
    pairs = combinations(zip(times, values, strict=True), 2)
    slopes = sorted((there - here) / (then - now) for (now, here), (then, there) in pairs)
    count = len(times)
    spread = 1.96 * math.sqrt(count * (count - 1) * (2 * count + 5) / 18)
    low = max(0, math.floor((len(slopes) - spread) / 2))
    high = min(len(slopes) - 1, math.ceil((len(slopes) + spread) / 2))
    return Slope(slopes[low], statistics.median(slopes), slopes[high])
