"""Ladders on the workers: every match is a job on the ladder queue, of any machine that shares the store.

The keys of a ladder:

    sb:ladder:{id}            string      its settings (JSON)
    sb:ladder:{id}:out        sorted set  matches given out, by when they were last known to be under way
    sb:ladder:{id}:results    hash        match -> its games (JSON), the first result of a match and no other

A match that was given out and not heard of for a lease is given out again: a killed worker costs the match
that it held.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import ai.ladder
from ai.ladder import Chooser, Entrant, Ladder, Match, built_in, play_match, schedule
from worker.bots import BotProcess
from worker.connection import connect
from worker.errors import StoreUnreachable
from worker.log import logger
from worker.moves import HandedBack, job_store, thinking
from worker.queues import LADDERS, enqueue_match, queue, workers_alive
from worker.store import reaching_the_store

Json = dict[str, Any]

LEASE = 10.0  # seconds without a sign of life after which a match is given out again
SIGNS = 4  # of life in a lease
AHEAD = 2  # matches given out for each worker that is alive
KEPT = 7 * 86_400  # seconds after the last change


class LadderStuck(RuntimeError):
    """A match could not be played, however often it was tried."""


def ladder_json(ladder: Ladder) -> Json:
    return asdict(ladder)


def ladder_from_json(settings: Json) -> Ladder:
    entrants = tuple(Entrant(**entrant) for entrant in settings["entrants"])
    return Ladder(**{**settings, "entrants": entrants})


class LadderBoard:
    """A running ladder as whoever runs it sees it: matches are given out, and results come in."""

    TRIES = 3

    def __init__(self, client: Any, id: str, ladder: Ladder) -> None:
        self.client = client
        self.id = id
        self.matches = {match.index: match for match in schedule(ladder)}
        self.tries: dict[int, int] = {}
        with reaching_the_store():
            client.set(_key(id), json.dumps(ladder_json(ladder)), ex=KEPT)

    def give_out(self, done: set[int]) -> int:
        """Queues matches that are neither done nor under way, the next few only; how many are under way.

        Raises LadderStuck.
        """
        with reaching_the_store():
            now = self._now()
            out = {
                int(index): seen
                for index, seen in self.client.zrange(_key(self.id, "out"), 0, -1, withscores=True)
            }
            queued = set(queue(self.client, LADDERS).job_ids)
            for index, seen in out.items():
                if index in done:
                    self.client.zrem(_key(self.id, "out"), index)
                elif self._job(index) in queued:
                    self.client.zadd(_key(self.id, "out"), {index: now})
                elif now - seen > LEASE:
                    self.client.zrem(_key(self.id, "out"), index)
            under_way = {int(index) for index in self.client.zrange(_key(self.id, "out"), 0, -1)}
            room = AHEAD * max(workers_alive(self.client, LADDERS), 1) - len(under_way)
            waiting = (index for index in self.matches if index not in done and index not in under_way)
            for index in list(waiting)[: max(room, 0)]:
                self._queue(index, now)
                under_way.add(index)
            self.client.expire(_key(self.id), KEPT)
            return len(under_way)

    def under_way(self) -> int:
        """How many matches are queued or played now."""
        with reaching_the_store():
            return int(self.client.zcard(_key(self.id, "out")))

    def take_back(self) -> None:
        """Takes matches that nobody plays yet from the queue."""
        with reaching_the_store():
            waiting = queue(self.client, LADDERS)
            for index in self.matches:
                if self._job(index) in waiting.job_ids:
                    waiting.remove(self._job(index))
                    self.client.zrem(_key(self.id, "out"), index)

    def results(self, done: set[int]) -> dict[int, list[Json]]:
        """The games of matches that are not among the `done` ones."""
        with reaching_the_store():
            names = [name for name in self.client.hkeys(_key(self.id, "results")) if int(name) not in done]
            if not names:
                return {}
            found = self.client.hmget(_key(self.id, "results"), names)
            return {int(name): json.loads(games) for name, games in zip(names, found, strict=True) if games}

    def forget(self) -> None:
        """Removes the ladder from the store."""
        with reaching_the_store():
            self.client.delete(*(_key(self.id, kind) for kind in ("", "out", "results")))

    def _queue(self, index: int, now: float) -> None:
        tried = self.tries[index] = self.tries.get(index, 0) + 1
        if tried > self.TRIES:
            raise LadderStuck(f"Match {index} was lost {self.TRIES} times; the log of the workers says why.")
        self.client.zadd(_key(self.id, "out"), {index: now})
        enqueue_match(self.client, self.id, index, self._job(index))

    def _job(self, index: int) -> str:
        return f"{self.id}-{index}-{self.tries.get(index, 0)}"

    def _now(self) -> float:
        seconds, microseconds = self.client.time()
        return float(seconds + microseconds / 1e6)


def play_ladder_match(id: str, index: int) -> None:
    """The job that plays a match, unless it has been played."""
    with job_store() as store:
        client = store.client
        settings = client.get(_key(id))
        if settings is None or client.hexists(_key(id, "results"), index):
            return
        ladder = ladder_from_json(json.loads(settings))
        match = schedule(ladder)[index]
        try:
            with _signs_of_life(store.settings, id, index), _choosers(ladder, match) as choosers, thinking():
                games = play_match(ladder, match, choosers)
        except HandedBack:
            client.zrem(_key(id, "out"), index)
            logger().info("match_handed_back", ladder=id, match=index)
            return
        with client.pipeline(transaction=True) as pipe:
            pipe.hsetnx(_key(id, "results"), index, json.dumps([asdict(game) for game in games]))
            pipe.expire(_key(id, "results"), KEPT)
            pipe.zrem(_key(id, "out"), index)
            pipe.execute()
        logger().info("match_played", ladder=id, match=index, games=len(games))


@contextlib.contextmanager
def _choosers(ladder: Ladder, match: Match) -> Iterator[list[Chooser]]:
    """A chooser for each entrant; only those of the match are there to be called."""
    with contextlib.ExitStack() as bots:
        choosers: list[Chooser] = []
        for number, entrant in enumerate(ladder.entrants):
            if entrant.is_bot and number in match.lineup:
                choosers.append(bots.enter_context(_bot(entrant)).choose)
            else:
                choosers.append(built_in(entrant))
        yield choosers


@contextlib.contextmanager
def _bot(entrant: Entrant) -> Iterator[Any]:
    try:
        process = BotProcess(entrant.player, entrant.seconds)
    except ai.ladder.BadLadder as problem:
        yield _Absent(str(problem))
        return
    with process:
        yield process


class _Absent:
    """In the place of a bot that does not start here."""

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def choose(self, *_: object) -> Any:
        raise ai.ladder.Forfeit("crashed", self.reason)


@contextlib.contextmanager
def _signs_of_life(settings: Any, id: str, index: int) -> Iterator[None]:
    done = threading.Event()
    client = connect(settings)

    def tell() -> None:
        while True:
            with contextlib.suppress(StoreUnreachable), reaching_the_store():
                seconds, microseconds = client.time()
                client.zadd(_key(id, "out"), {str(index): seconds + microseconds / 1e6})
            if done.wait(LEASE / SIGNS):
                return

    thread = threading.Thread(target=tell, name="signs of life", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        client.close()


def _key(id: str, kind: str = "") -> str:
    return f"sb:ladder:{id}:{kind}" if kind else f"sb:ladder:{id}"
