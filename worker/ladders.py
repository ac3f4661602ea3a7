"""Ladders on the workers: every match is a job on the ladder queue, of any machine that shares the store.

The keys of a ladder, all of which expire together:

    sb:ladder:{id}            hash        settings and the digests of its bots' files (JSON), why a match was
                                          lost; for those of the API name, state, created_at
    sb:ladder:{id}:out        sorted set  matches given out, by when they were last known to be under way
    sb:ladder:{id}:tries      hash        match -> how often it was given out
    sb:ladder:{id}:results    hash        match -> its games without records (JSON): the first result counts
    sb:ladder:{id}:records    hash        match/rotation -> the game record (JSON)

    sb:ladders                sorted set  ladders of the API, by the time they were made
    sb:ladders:running        set         those of them that the sweeper gives matches out for

A match that was given out and not heard of for a lease is given out again: a killed worker costs the match
that it held.
"""

from __future__ import annotations

import contextlib
import json
import socket
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from ai.ladder import BadLadder, Chooser, Entrant, Ladder, Match, Played, built_in, play_match, schedule
from worker.bots import BotProcess, bot_digest
from worker.log import logger
from worker.moves import HandedBack, job_store, regularly, thinking
from worker.queues import LADDERS, enqueue_match, queue, workers_alive
from worker.store import reaching_the_store

Json = dict[str, Any]

LEASE = 10.0  # seconds without a sign of life after which a match is given out again
SIGNS = 4  # of life in a lease
AHEAD = 2  # matches given out for each worker that is alive
KINDS = ("", "out", "tries", "results", "records")
KEPT = 7 * 86_400  # seconds after the last change


class LadderStuck(RuntimeError):
    """A match could not be played, however often it was tried."""


def ladder_json(ladder: Ladder) -> Json:
    return asdict(ladder)


def ladder_from_json(settings: Json) -> Ladder:
    entrants = tuple(Entrant(**entrant) for entrant in settings["entrants"])
    return Ladder(**{**settings, "entrants": entrants})


def played_from_json(game: Json) -> Played:
    lists = {key: tuple(game[key]) for key in ("seats", "shares", "places", "actions", "seconds")}
    return Played(**{**game, **lists})


class LadderBoard:
    """A ladder as whoever runs it sees it: matches are given out, and results come in."""

    TRIES = 3

    def __init__(
        self,
        client: Any,
        id: str,
        ladder: Ladder,
        kept: float = KEPT,
        bots: Mapping[str, str] | None = None,
    ) -> None:
        """The ladder of that id, made in the store if it is not there, which keeps it `kept` seconds.

        `bots` are the digests of its bots' files, which those of whoever plays must have as well.
        """
        self.client = client
        self.id = id
        self.kept = int(kept)
        self.matches = {match.index: match for match in schedule(ladder)}
        with reaching_the_store():
            client.hset(ladder_key(id), "settings", json.dumps(ladder_json(ladder)))
            if bots is not None:
                client.hset(ladder_key(id), "bots", json.dumps(dict(bots)))
            client.expire(ladder_key(id), self.kept)

    def give_out(self, done: set[int]) -> int:
        """Queues matches that are neither done nor under way, the next few only; how many are under way.

        `done` are those whose results the caller has, from the store or from before. Raises LadderStuck.
        """
        with reaching_the_store():
            now, out = self._now(), ladder_key(self.id, "out")
            queued = set(queue(self.client, LADDERS).job_ids)
            seen = {int(index): at for index, at in self.client.zrange(out, 0, -1, withscores=True)}
            # In this order: a match that ends now has left `out` and come to the results at once, so it is
            # in one of the two, whatever the caller knew.
            done = done | self.done()
            tries = {int(index): int(count) for index, count in self.client.hgetall(self._tries).items()}
            in_queue = {index for index in seen if self._job(index, tries) in queued}
            gone = {i for i, at in seen.items() if i in done or (i not in in_queue and now - at > LEASE)}
            room = AHEAD * max(workers_alive(self.client, LADDERS), 1) - len(seen.keys() - gone)
            waiting = [i for i in self.matches if i not in done and (i in gone or i not in seen)]
            given = waiting[: max(room, 0)]
            for index in given:
                if tries.get(index, 0) >= self.TRIES:
                    why = self.client.hget(ladder_key(self.id), "problem")
                    told = why.decode() if why else "The workers' log says why."
                    raise LadderStuck(f"Match {index} was lost {self.TRIES} times. {told}")
                tries[index] = tries.get(index, 0) + 1
            # One trip for all of them: with a thousand workers, thousands of matches are out.
            with self.client.pipeline(transaction=False) as pipe:
                if gone:
                    pipe.zrem(out, *gone)
                if in_queue - gone:
                    pipe.zadd(out, dict.fromkeys(in_queue - gone, now), xx=True)
                if given:
                    pipe.hset(self._tries, mapping={str(index): tries[index] for index in given})
                    pipe.zadd(out, dict.fromkeys(given, now))
                for kind in KINDS:
                    pipe.expire(ladder_key(self.id, kind), self.kept)
                pipe.execute()
            for index in given:
                enqueue_match(self.client, self.id, index, self._job(index, tries))
            return len(seen.keys() - gone) + len(given)

    def under_way(self) -> int:
        """How many matches are queued or played now."""
        with reaching_the_store():
            return int(self.client.zcard(ladder_key(self.id, "out")))

    def take_back(self) -> None:
        """Takes matches that nobody plays yet from the queue; they are as if they had not been given out."""
        with reaching_the_store():
            waiting = queue(self.client, LADDERS)
            tries = {int(index): int(count) for index, count in self.client.hgetall(self._tries).items()}
            jobs = {self._job(index, tries): index for index in tries}
            for job in set(waiting.job_ids) & jobs.keys():
                if waiting.remove(job):  # else a worker has just begun it
                    self.client.zrem(ladder_key(self.id, "out"), jobs[job])
                    self.client.hincrby(self._tries, jobs[job], -1)

    def try_again(self) -> None:
        """Forgets which matches were lost too often: whatever was wrong may have been put right."""
        with reaching_the_store():
            self.client.hdel(ladder_key(self.id), "problem")
            for index, count in self.client.hgetall(self._tries).items():
                if int(count) >= self.TRIES:
                    self.client.hdel(self._tries, index)

    def done(self) -> set[int]:
        """The matches that have been played."""
        with reaching_the_store():
            return {int(index) for index in self.client.hkeys(ladder_key(self.id, "results"))}

    def results(self, known: set[int]) -> dict[int, list[Json]]:
        """The games, with their records, of matches that are not among the `known` ones."""
        found = {}
        for index in sorted(self.done() - known):
            with reaching_the_store():
                text = self.client.hget(ladder_key(self.id, "results"), index)
                games = json.loads(text) if text else []
                names = [f"{index}/{rotation}" for rotation in range(len(games))]
                records = self.client.hmget(ladder_key(self.id, "records"), names) if names else []
            if games and all(records):
                told = zip(games, records, strict=True)
                found[index] = [{**game, "record": json.loads(record)} for game, record in told]
        return found

    def forget(self) -> None:
        """Removes the ladder from the store."""
        with reaching_the_store():
            self.client.delete(*(ladder_key(self.id, kind) for kind in KINDS))

    @property
    def _tries(self) -> str:
        return ladder_key(self.id, "tries")

    def _job(self, index: int, tries: dict[int, int]) -> str:
        return f"{self.id}-{index}-{tries.get(index, 0)}"

    def _now(self) -> float:
        seconds, microseconds = self.client.time()
        return float(seconds + microseconds / 1e6)


def play_ladder_match(id: str, index: int) -> None:
    """The job that plays a match, unless it has been played."""
    with job_store() as store:
        client = store.client
        settings = client.hget(ladder_key(id), "settings")
        if settings is None or client.hexists(ladder_key(id, "results"), index):
            return
        ladder = ladder_from_json(json.loads(settings))
        match = schedule(ladder)[index]
        bots = json.loads(client.hget(ladder_key(id), "bots") or "{}")
        try:
            with _signs_of_life(client, id, index), _choosers(ladder, match, bots) as choosers, thinking():
                games = play_match(ladder, match, choosers)
        except HandedBack:
            client.zrem(ladder_key(id, "out"), index)
            logger().info("match_handed_back", ladder=id, match=index)
            return
        except BadLadder as problem:
            # Not the bot's fault but this machine's: others may play the match, and it is lost after TRIES.
            reason = f"On {socket.gethostname()}: {problem}"
            client.hset(ladder_key(id), "problem", reason)
            client.zrem(ladder_key(id, "out"), index)
            logger().error("match_lost", ladder=id, match=index, reason=reason)
            return
        told = [asdict(game) for game in games]
        records = {f"{index}/{number}": json.dumps(game.pop("record")) for number, game in enumerate(told)}
        with client.pipeline(transaction=True) as pipe:
            # A result is told with its records; of two jobs for one match both write the same, or the first.
            for name, record in records.items():
                pipe.hsetnx(ladder_key(id, "records"), name, record)
            pipe.hsetnx(ladder_key(id, "results"), index, json.dumps(told))
            pipe.zrem(ladder_key(id, "out"), index)
            pipe.execute()
        logger().info("match_played", ladder=id, match=index, games=len(games))


@contextlib.contextmanager
def _choosers(ladder: Ladder, match: Match, bots: Mapping[str, str]) -> Iterator[list[Chooser]]:
    """A chooser for each entrant; only those of the match are there to be called. Raises BadLadder for a bot
    that does not start here, or whose file is another than the ladder's."""
    with contextlib.ExitStack() as processes:
        choosers: list[Chooser] = []
        for number, entrant in enumerate(ladder.entrants):
            if entrant.is_bot and number in match.lineup:
                if bot_digest(entrant) != bots.get(entrant.player, bot_digest(entrant)):
                    raise BadLadder(f"{entrant.player} is another file than where the ladder began.")
                process = BotProcess(entrant.player, entrant.seconds)
                choosers.append(processes.enter_context(process).choose)
            else:
                choosers.append(built_in(entrant))
        yield choosers


@contextlib.contextmanager
def _signs_of_life(client: Any, id: str, index: int) -> Iterator[None]:
    def tell() -> bool:
        with reaching_the_store():
            seconds, microseconds = client.time()
            client.zadd(ladder_key(id, "out"), {str(index): seconds + microseconds / 1e6})
        return True

    tell()
    with regularly(tell, LEASE / SIGNS):
        yield


def ladder_key(id: str, kind: str = "") -> str:
    """The key of what is kept of a ladder."""
    return f"sb:ladder:{id}:{kind}" if kind else f"sb:ladder:{id}"
