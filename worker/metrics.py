"""What is counted for whoever watches the service, by all processes of all machines in one hash of the store.

    sb:metrics   hash   name|label|…  -> a count; of a histogram also name|label|…|bound, and |sum

A process that is asked much counts by itself and hands over now and then; what it has not handed over is lost
with it. A command that is sent twice counts twice.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from worker.queues import QUEUES, queue, workers_alive
from worker.store import DUE, GAMES, STATUSES, Store, reaching_the_store

METRICS = "sb:metrics"


@dataclass(frozen=True)
class Counted:
    """A counter, or with `buckets` (upper bounds) a histogram; and what distinguishes its values."""

    name: str
    help: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()

    @cached_property
    def bounds(self) -> tuple[str, ...]:
        """The buckets' names."""
        return (*map(str, self.buckets), "+Inf")


REQUESTS = Counted("http_requests", "Requests answered", ("method", "route", "status"))
LATENCY = Counted(
    "http_request_seconds", "Seconds until the answer began", ("method", "route"),
    (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0),
)  # fmt: skip
THINKING = Counted(
    "thinking_seconds", "Seconds that a player, a hint or a slice of an analysis took", ("player",),
    (0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 15.0),
)  # fmt: skip
ITERATIONS = Counted("iterations", "Iterations of the search behind moves", ("player",))
RESCUES = Counted("turns_queued_again", "Turns of computer players that were lost and queued again")
FALLBACKS = Counted("fallback_moves", "Quick legal moves played for computer players that kept failing")
COUNTED = (REQUESTS, LATENCY, THINKING, ITERATIONS, RESCUES, FALLBACKS)


class Tally:
    """Counts of one process, until they are handed over. Counting takes a microsecond: every poll does it."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, ...], float] = {}

    def count(self, what: Counted, *labels: str, by: float = 1) -> None:
        key = (what.name, *labels)
        self._counts[key] = self._counts.get(key, 0) + by

    def observe(self, what: Counted, *labels: str, value: float) -> None:
        """Note a value of a histogram."""
        self.count(what, *labels, what.bounds[bisect_left(what.buckets, value)])
        self.count(what, *labels, "sum", by=value)

    def hand_over(self, client: Any) -> None:
        """Add what was counted to the store's counts; kept for the next time where that fails."""
        counts, self._counts = self._counts, {}
        if not counts:
            return
        try:
            with reaching_the_store(), client.pipeline(transaction=False) as pipe:
                for key, count in counts.items():
                    field = "|".join(key)
                    if isinstance(count, int):
                        pipe.hincrby(METRICS, field, count)
                    else:
                        pipe.hincrbyfloat(METRICS, field, round(count, 6))
                pipe.execute()
        except Exception:
            for key, count in counts.items():
                self._counts[key] = self._counts.get(key, 0) + count
            raise


@reaching_the_store()
def read_counts(client: Any) -> dict[str, dict[tuple[str, ...], float]]:
    """All counts by name and labels; of a histogram the last label is a bound, or "sum"."""
    found: dict[str, dict[tuple[str, ...], float]] = {what.name: {} for what in COUNTED}
    for field, value in client.hgetall(METRICS).items():
        name, *labels = field.decode().split("|")
        if name in found:
            found[name][tuple(labels)] = float(value)
    return found


@dataclass(frozen=True)
class Gauge:
    """A value as it is now."""

    name: str
    help: str
    value: float
    labels: tuple[tuple[str, str], ...] = ()


@reaching_the_store()
def read_gauges(store: Store) -> list[Gauge]:
    """What the store knows of now, by a fixed number of small reads however many games there are."""
    client = store.client
    seconds, microseconds = client.time()
    now = seconds * 1000 + microseconds // 1000
    with client.pipeline(transaction=False) as pipe:
        for status in STATUSES:
            pipe.zcount(f"{GAMES}:{status}", now, "+inf")
        pipe.zcard(DUE)
        pipe.zcount(DUE, "-inf", now)
        pipe.info("memory")
        pipe.info("persistence")
        *games, due, overdue, memory, persistence = pipe.execute()
    found = [
        Gauge("games", "Games kept, by state", count, (("state", status),))
        for status, count in zip(STATUSES, games, strict=True)
    ]
    for name in QUEUES:
        of_queue = (("queue", name),)
        waiting = queue(client, name)
        oldest = waiting.fetch_job(ids[0]) if (ids := waiting.get_job_ids(0, 1)) else None
        queued_at = oldest and (oldest.enqueued_at or oldest.created_at)
        age = seconds - queued_at.timestamp() if queued_at else 0.0
        found += [
            Gauge("queue_jobs", "Jobs that wait", waiting.count, of_queue),
            Gauge("queue_oldest_seconds", "How long the oldest of them has waited", max(age, 0.0), of_queue),
            Gauge("workers", "Workers heard of lately", workers_alive(client, name), of_queue),
        ]
    written = persistence.get("aof_last_write_status", "ok")
    found += [
        Gauge("turns_due", "Games in which a computer player is to move", due),
        Gauge("turns_overdue", "Those of them whose turn counts as lost", overdue),
        Gauge("sweeper_up", "Whether a sweeper was heard of lately", store.sweeper_alive()),
        Gauge("store_memory_bytes", "What the store's data takes in memory", memory["used_memory"]),
        Gauge("store_writes_ok", "Whether the store's last write to the disk went well", written == "ok"),
    ]
    return found
