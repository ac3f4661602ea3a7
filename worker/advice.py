"""Hints and analyses: asked for, worked out by jobs, and kept for whoever asks again.

Their keys, beside those of the game (see store):

    sb:game:{id}:hint:{version}       string  empty until it is worked out, then its candidates (JSON)
    sb:game:{id}:analysis             hash    "asked", and the judgement of each action by its index (JSON)

Beside each stands a lease, {key}:job, "queued" or "running", while a job is known to be about. It runs out
when the job is lost, and the next who asks has the work queued again.
"""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass

import ai
from worker.actionlog import Json
from worker.errors import GameOver, HintsOff, NoSuchGame, NotToMove, ReadOnly, StillRunning
from worker.log import logger
from worker.moves import HandedBack, job_store, note_thinking, thinking
from worker.queues import HEARTBEAT, enqueue_advice
from worker.store import DAY, Store, game_key, reaching_the_store

CANDIDATES = 3
DIGITS = 4  # kept of a chance or an expected score
QUEUED_LEASE = 15  # seconds
HINT_KEPT = 3600  # seconds
SLICE = 1.0  # seconds that an analysis runs before moves and hints that came meanwhile have their turn


@dataclass(frozen=True)
class Hint:
    """The best few actions of the seat to move at `version`; `candidates` is None until they are found."""

    version: int
    candidates: list[Json] | None


@dataclass(frozen=True)
class Analysis:
    """The judgements so far of a game's `actions` actions, in order."""

    actions: int
    judgements: list[Json]

    @property
    def done(self) -> bool:
        return len(self.judgements) == self.actions


@reaching_the_store()
def ask_hint(store: Store, id: str, seat: int) -> Hint:
    """The hint for the seat to move; asked for the first time, it is worked out from now on.

    Raises NoSuchGame, ReadOnly, GameOver, HintsOff, NotToMove.
    """
    version = _version_to_hint_at(store, id, seat)
    store.client.set(_hint_key(id, version), "", nx=True, ex=HINT_KEPT)
    return _hint(store, id, version, store.client.get(_hint_key(id, version)))


@reaching_the_store()
def read_hint(store: Store, id: str, seat: int) -> Hint | None:
    """The hint for the seat to move as far as it is; None if nobody asked for it. Raises as `ask_hint`."""
    version = _version_to_hint_at(store, id, seat)
    found = store.client.get(_hint_key(id, version))
    return None if found is None else _hint(store, id, version, found)


def _version_to_hint_at(store: Store, id: str, seat: int) -> int:
    names = ("version", "hints", "seat_to_act", "over", "replay")
    version, hints, to_act, over, replay = store.client.hmget(game_key(id), names)
    if version is None:
        raise NoSuchGame(id)
    if replay == b"1":
        raise ReadOnly(id)
    if over == b"1":
        raise GameOver(id)
    if hints != b"1":
        raise HintsOff(id)
    if int(to_act) != seat:
        raise NotToMove(int(to_act))
    return int(version)


def _hint(store: Store, id: str, version: int, found: bytes | None) -> Hint:
    if found:
        return Hint(version, json.loads(found))
    _see_to(store, _hint_key(id, version), "give_hint", id, version, patience=store.settings.hint_seconds)
    return Hint(version, None)


def give_hint(id: str, version: int) -> None:
    """The job that finds the best actions for the seat to move in game `id`, if it still is at `version`."""
    with job_store() as store:
        settings = store.settings
        key = _hint_key(id, version)

        def work() -> None:
            try:
                stored = store.read(id)
            except NoSuchGame:
                return
            seat = stored.game.seat_to_act
            if stored.version != version or seat is None or store.client.get(key) != b"":
                return
            budget = ai.Budget(settings.hint_seconds, settings.hint_iterations)
            started = time.monotonic()
            with thinking():
                found = ai.consider(stored.game.observe(seat), budget, _seed(id, version), CANDIDATES)
            note_thinking(store, "hint", time.monotonic() - started)
            store.client.set(key, json.dumps([_candidate(each) for each in found]), xx=True, keepttl=True)
            logger().info("hint_given", game=id, version=version, seat=seat)

        _on_lease(store, key, settings.hint_seconds, work)


@reaching_the_store()
def ask_analysis(store: Store, id: str) -> Analysis:
    """The analysis of a game that is over, or a replay; asked for the first time, it is made from now on.

    Raises NoSuchGame, StillRunning.
    """
    actions, key = _actions_to_analyse(store, id), game_key(id, "analysis")
    if store.client.hsetnx(key, "asked", 1):
        store.client.expire(key, store.settings.game_kept_days * DAY)
    return _analysis(store, id, actions, store.client.hgetall(key))


@reaching_the_store()
def read_analysis(store: Store, id: str) -> Analysis | None:
    """The analysis as far as it is; None if nobody asked for it. Raises as `ask_analysis`."""
    actions = _actions_to_analyse(store, id)
    found = store.client.hgetall(game_key(id, "analysis"))
    return _analysis(store, id, actions, found) if found else None


def _actions_to_analyse(store: Store, id: str) -> int:
    played, over, replay = store.client.hmget(game_key(id), ("played", "over", "replay"))
    if played is None:
        raise NoSuchGame(id)
    if over != b"1" and replay != b"1":
        raise StillRunning(id)
    return int(played)


def _analysis(store: Store, id: str, actions: int, found: dict[bytes, bytes]) -> Analysis:
    analysis = Analysis(actions, _judgements(found))
    if not analysis.done:
        _go_on_analysing(store, id)
    return analysis


def _go_on_analysing(store: Store, id: str) -> None:
    patience = SLICE + store.settings.analysis_seconds
    _see_to(store, game_key(id, "analysis"), "analyse_game", id, patience=patience)


def analyse_game(id: str) -> None:
    """The job that judges the next few actions of a game, and queues the one that goes on from there."""
    with job_store() as store:
        settings = store.settings
        key = game_key(id, "analysis")
        left = 0

        def work() -> None:
            nonlocal left
            try:
                stored = store.load(id)
            except NoSuchGame:
                return
            actions = stored.game.actions_played
            judged = len(_judgements(store.client.hgetall(key)))
            left = actions - judged
            started = time.monotonic()
            until = started + SLICE
            budget = ai.Budget(settings.analysis_seconds, settings.analysis_iterations)
            judgements = ai.analyse(stored.game, budget, _seed(id, 0), start=judged)
            while left and time.monotonic() < until:
                with thinking():
                    judgement = next(judgements)
                store.client.hset(key, str(judgement.index), json.dumps(_judgement(judgement)))
                left -= 1
            note_thinking(store, "analysis", time.monotonic() - started)
            logger().info("game_analysed", game=id, actions=actions, judged=actions - left)

        if _on_lease(store, key, SLICE + settings.analysis_seconds, work) and left:
            _go_on_analysing(store, id)


def _see_to(store: Store, key: str, job: str, id: str, *args: int, patience: float) -> None:
    """Queue a job unless one is about."""
    if store.client.set(f"{key}:job", "queued", nx=True, ex=QUEUED_LEASE):
        enqueue_advice(store.client, job, id, *args, patience=patience)


def _on_lease(store: Store, key: str, longest: float, work: Callable[[], None]) -> bool:
    """Do a job's work, which takes at most `longest` seconds, unless another job is doing it; whether it was
    done to its end. The lease is given up in any case, so that work handed back is soon queued again."""
    lease = f"{key}:job"
    if store.client.get(lease) == b"running":
        return False
    store.client.set(lease, "running", ex=int(longest) + HEARTBEAT)
    try:
        work()
    except HandedBack:
        logger().info("advice_handed_back", key=key)
        return False
    finally:
        store.client.delete(lease)
    return True


def _hint_key(id: str, version: int) -> str:
    return game_key(id, f"hint:{version}")


def _seed(id: str, version: int) -> int:
    """The same question always gets the same answer, whatever cards are hidden."""
    return zlib.crc32(f"{id} {version}".encode())


def _judgements(found: dict[bytes, bytes]) -> list[Json]:
    judged: list[Json] = []
    while (text := found.get(str(len(judged)).encode())) is not None:
        judged.append(json.loads(text))
    return judged


def _candidate(candidate: ai.Candidate) -> Json:
    return {
        "action": candidate.action,
        "outlook": _rounded(candidate.outlook),
        "visits": candidate.visits,
    }


def _judgement(judgement: ai.Judgement) -> Json:
    return {
        "index": judgement.index,
        "seat": judgement.seat,
        "action": judgement.action,
        "before": _rounded(judgement.before),
        "after": _rounded(judgement.after),
        "better": judgement.better,
    }


def _rounded(outlook: list[float]) -> list[float]:
    return [round(each, DIGITS) for each in outlook]
