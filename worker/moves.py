"""The job that plays one action of an AI's turn."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from structlog.contextvars import bound_contextvars

import ai
from worker.connection import connect
from worker.errors import NewerFormat, NoSuchGame, StaleVersion, StoreUnreachable
from worker.log import logger
from worker.metrics import ITERATIONS, THINKING, Tally
from worker.queues import request_of_job
from worker.settings import Settings
from worker.store import Store

RENEWALS = 4  # how often a hold is renewed in its duration


class HandedBack(BaseException):
    """The worker is to stop while a job thinks. Not an Exception, so that no player swallows it."""


@dataclass
class _Process:
    """What a process that runs jobs knows beside them."""

    settings: Settings | None = None
    store: Store | None = None
    stopping: bool = False
    thinking: bool = False


_process = _Process()


def use(settings: Settings) -> None:
    """Say which settings the jobs of this process go by."""
    if _process.store is not None:
        _process.store.client.close()
    _process.settings, _process.store = settings, None


def stop_thinking() -> None:
    """For the signal handler of a process that runs jobs: thinking ends, a commit under way does not."""
    _process.stopping = True
    if _process.thinking:
        raise HandedBack


def play_turn(id: str, version: int, attempt: int) -> None:
    """Play one action for the AI that is to move in game `id`, if it still is at `version`.

    Everybody sees the action before the next one is thought about: an AI that moves again gets a new job.
    """
    with job_store() as store:
        _play_turn(store, id, version, attempt)


@contextlib.contextmanager
def job_store() -> Iterator[Store]:
    """The store that the jobs of this process share, around one of them."""
    if _process.store is None:
        # Apart from the worker's client, whose commands may take as long as it waits for jobs.
        settings = _process.settings or Settings.from_env()
        _process.store = Store(connect(settings), settings)
    with bound_contextvars(**request_of_job()):
        yield _process.store


def _play_turn(store: Store, id: str, version: int, attempt: int) -> None:
    log = logger().bind(game=id, version=version, attempt=attempt)
    try:
        stored = store.read(id)
    except (NoSuchGame, NewerFormat):
        return
    seat = stored.game.seat_to_act
    if stored.version != version or stored.replay or seat is None:
        return
    player = stored.game.seats[seat]["player"]
    if player not in ai.PLAYERS:
        return
    started = time.monotonic()
    try:
        with _hold(store, id, version, store.patience(player)), thinking():
            action, iterations = ai.choose_counted(
                player, stored.game.observe(seat), budget=store.budget(player)
            )
    except HandedBack:
        store.hold(id, version, 0)
        log.info("turn_handed_back", seat=seat, player=player)
        return
    except Exception:
        store.hold(id, version, 0)
        raise
    seconds = time.monotonic() - started
    try:
        applied = store.act(id, seat, action, version)
    except (StaleVersion, NoSuchGame):
        log.info("move_too_late", seat=seat, player=player)
        return
    log.info(
        "move_played",
        seat=seat,
        player=player,
        type=action["type"],
        seconds=round(seconds, 4),
        over=applied.outcome["over"],
    )
    note_thinking(store, player, seconds, iterations)


def note_thinking(store: Store, player: str, seconds: float, iterations: int = 0) -> None:
    """Count what a player, or a "hint" or an "analysis", took; a store that is away counts nothing."""
    tally = Tally()
    tally.observe(THINKING, player, value=seconds)
    if iterations:
        tally.count(ITERATIONS, player, by=iterations)
    with contextlib.suppress(StoreUnreachable):
        tally.hand_over(store.client)


@contextlib.contextmanager
def thinking() -> Iterator[None]:
    """Around what takes time in a job: HandedBack is raised in it when the worker is to stop."""
    _process.thinking = True
    try:
        if _process.stopping:
            raise HandedBack
        yield
    finally:
        _process.thinking = False


@contextlib.contextmanager
def _hold(store: Store, id: str, version: int, longest: float) -> Iterator[None]:
    """Keep the turn from counting as lost while this process lives, but no longer than `longest` seconds.

    So a killed worker is noticed within one lease, however long its player may think.
    """
    lease = store.settings.ai_lease
    until = time.monotonic() + longest
    store.hold(id, version, lease)
    with regularly(lambda: time.monotonic() < until and store.hold(id, version, lease), lease / RENEWALS):
        yield


@contextlib.contextmanager
def regularly(tell: Callable[[], bool], seconds: float) -> Iterator[None]:
    """While the block runs, calls `tell` every so many seconds, until it gives False; waits outages out."""
    done = threading.Event()

    def run() -> None:
        # What is quickly done is done before this thread has to open a connection of its own.
        while not done.wait(seconds):
            with contextlib.suppress(StoreUnreachable):
                if not tell():
                    return

    thread = threading.Thread(target=run, name="signs of life", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
