"""Ladders of the API: made, listed, paused, resumed and stopped; the sweeper gives their matches out."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from ai.ladder import Ladder, Played, schedule
from worker.actionlog import moment
from worker.bots import bot_digests
from worker.errors import LadderEnded, NoSuchLadder
from worker.ladders import LadderBoard, LadderStuck, ladder_from_json, ladder_key, played_from_json
from worker.log import logger
from worker.queues import LADDERS, workers_alive
from worker.store import DAY, Store, reaching_the_store
from worker.tokens import new_game_id

State = Literal["running", "paused", "stopped", "stuck", "done"]

ALL = "sb:ladders"
RUNNING = "sb:ladders:running"
TENDING = "sb:ladders:tending"
TEND_MS = 900  # no two sweepers give out matches within this time


@dataclass(frozen=True)
class LadderRead:
    """A ladder as it stands: its matches, how many are played, and how many workers there are for it."""

    id: str
    name: str
    state: State
    created_at: datetime
    ladder: Ladder
    matches: int
    played: int
    workers: int


@reaching_the_store()
def create_ladder(store: Store, name: str, ladder: Ladder) -> str:
    """Stores a ladder, which begins; its id. Raises BadLadder for a bot whose file cannot be read."""
    id = new_game_id()
    kept = store.settings.game_kept_days * DAY
    LadderBoard(store.client, id, ladder, kept, bot_digests(ladder))
    seconds, microseconds = store.client.time()
    at = seconds * 1000 + microseconds // 1000
    told = {"name": name, "state": "running", "created_at": at}
    with store.client.pipeline(transaction=True) as pipe:
        pipe.hset(ladder_key(id), mapping=told)
        pipe.zadd(ALL, {id: at})
        pipe.sadd(RUNNING, id)
        pipe.execute()
    logger().info("ladder_created", ladder=id, entrants=len(ladder.entrants), games=ladder.games)
    return id


@reaching_the_store()
def read_ladder(store: Store, id: str) -> LadderRead:
    """Raises NoSuchLadder."""
    with store.client.pipeline(transaction=False) as pipe:
        pipe.hmget(ladder_key(id), ("settings", "name", "state", "created_at"))
        pipe.hlen(ladder_key(id, "results"))
        (settings, name, state, at), played = pipe.execute()
    if settings is None or state is None:
        raise NoSuchLadder(id)
    ladder = ladder_from_json(json.loads(settings))
    return LadderRead(
        id=id,
        name=name.decode(),
        state=state.decode(),
        created_at=moment(at),
        ladder=ladder,
        matches=len(schedule(ladder)),
        played=played,
        workers=workers_alive(store.client, LADDERS),
    )


@reaching_the_store()
def list_ladders(store: Store, limit: int = 50) -> list[LadderRead]:
    """The latest ladders, the newest first. Those that have expired are forgotten."""
    found = []
    for raw in store.client.zrange(ALL, 0, limit - 1, desc=True):
        try:
            found.append(read_ladder(store, raw.decode()))
        except NoSuchLadder:
            store.client.zrem(ALL, raw)
    return found


@reaching_the_store()
def ladder_matches(store: Store, id: str) -> dict[int, list[Played]]:
    """The games of every match played, without their records, in the order of the schedule."""
    found = store.client.hgetall(ladder_key(id, "results"))
    return {
        int(index): [played_from_json({**game, "record": {}}) for game in json.loads(found[index])]
        for index in sorted(found, key=int)
    }


@reaching_the_store()
def ladder_record(store: Store, id: str, match: int, game: int) -> dict[str, Any] | None:
    """The record of a match's game; None if it has not been played."""
    text = store.client.hget(ladder_key(id, "records"), f"{match}/{game}")
    return None if text is None else dict(json.loads(text))


@reaching_the_store()
def set_ladder_state(store: Store, id: str, state: Literal["running", "paused", "stopped"]) -> None:
    """Pauses, resumes or stops a ladder; matches under way are finished. Raises NoSuchLadder, LadderEnded."""
    read = read_ladder(store, id)
    if read.state in ("stopped", "done"):
        raise LadderEnded(id)
    store.client.hset(ladder_key(id), "state", state)
    if state == "running":
        _board(store, read).try_again()
        store.client.sadd(RUNNING, id)
        return
    store.client.srem(RUNNING, id)
    _board(store, read).take_back()


def tend_ladders(store: Store) -> None:
    """Gives out matches of every running ladder. Any number of sweepers may do so."""
    with reaching_the_store():
        if not store.client.set(TENDING, 1, nx=True, px=TEND_MS):
            return
        running = [raw.decode() for raw in store.client.smembers(RUNNING)]
    for id in running:
        try:
            with _ended_as(store, id):
                read = read_ladder(store, id)
                board = _board(store, read)
                board.give_out(set())
                if len(board.done()) == read.matches:
                    _end(store, id, "done")
        except NoSuchLadder:
            store.client.srem(RUNNING, id)


@contextlib.contextmanager
def _ended_as(store: Store, id: str) -> Iterator[None]:
    try:
        yield
    except LadderStuck as problem:
        logger().error("ladder_stuck", ladder=id, reason=str(problem))
        _end(store, id, "stuck")


@reaching_the_store()
def _end(store: Store, id: str, state: State) -> None:
    store.client.hset(ladder_key(id), "state", state)
    store.client.srem(RUNNING, id)


def _board(store: Store, read: LadderRead) -> LadderBoard:
    return LadderBoard(store.client, read.id, read.ladder, store.settings.game_kept_days * DAY)
