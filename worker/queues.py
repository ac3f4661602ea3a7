"""RQ's queues: moves of running games, hints and analyses, and work for ladders.

A job is only a hint that a turn is due. The store is the truth: a job that comes twice, late, or never does
no harm.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

import redis
from rq import Queue, get_current_job
from rq.exceptions import DuplicateJobError
from rq.serializers import JSONSerializer
from rq.utils import utcparse
from rq.worker_registration import get_keys
from structlog.contextvars import get_contextvars

REQUEST_ID = "request_id"  # as log lines and jobs name it
MOVES = "moves"
ADVICE = "advice"
LADDERS = "ladders"
# By the queue that a worker is for, the queues that it serves, the first one first. Who gives advice helps
# out with moves; where there is another worker, moves never wait for advice.
QUEUES = {MOVES: (MOVES,), ADVICE: (MOVES, ADVICE), LADDERS: (LADDERS,)}

HEARTBEAT = 5  # seconds between a worker's signs of life
SILENCE = 3 * HEARTBEAT  # after which it is taken for dead
WAIT_LIMIT = 300  # a job that has waited so many seconds is of no use
FAILURES_KEPT = 3600  # seconds
MATCH_LIMIT = 6 * 3600  # seconds


def queue(client: redis.Redis, name: str) -> Queue:
    """A queue whose jobs are JSON: by RQ's default, pickle, whoever reaches the store could run code here."""
    return Queue(name, connection=client, serializer=JSONSerializer)


def enqueue_turn(client: redis.Redis, id: str, version: int, attempt: int, patience: float) -> None:
    """Queue the job that plays the AI's turn of game `id` at `version`; once for each attempt."""
    try:
        queue(client, MOVES).enqueue_call(
            "worker.moves.play_turn",
            args=(id, version, attempt),
            job_id=f"{id}-{version}-{attempt}",
            unique=True,
            # A result would keep its key, and a job of the same id would be refused as long as that lives.
            result_ttl=0,
            failure_ttl=FAILURES_KEPT,
            ttl=WAIT_LIMIT,
            timeout=math.ceil(patience) + HEARTBEAT,
            description="turn",
            meta=_request(),
        )
    except DuplicateJobError:
        return


def waiting_turns(client: redis.Redis) -> dict[str, int]:
    """The games whose turn waits while workers are alive, and the version that its job plays."""
    if not workers_alive(client, MOVES):
        return {}
    jobs = (job.rsplit("-", 2) for job in queue(client, MOVES).get_job_ids())
    return {id: int(version) for id, version, _attempt in jobs}


def enqueue_advice(client: redis.Redis, function: str, id: str, *args: int, patience: float) -> None:
    """Queue a job of `worker.advice` about game `id`, whose thinking takes at most `patience` seconds."""
    queue(client, ADVICE).enqueue_call(
        f"worker.advice.{function}",
        args=(id, *args),
        result_ttl=0,
        failure_ttl=FAILURES_KEPT,
        ttl=WAIT_LIMIT,
        timeout=math.ceil(patience) + HEARTBEAT,
        description=function,
        meta=_request(),
    )


def enqueue_match(client: redis.Redis, ladder: str, index: int, job: str) -> None:
    """Queue the job that plays a match of a ladder, under an id that tells it from earlier tries."""
    queue(client, LADDERS).enqueue_call(
        "worker.ladders.play_ladder_match",
        args=(ladder, index),
        job_id=job,
        result_ttl=0,
        failure_ttl=FAILURES_KEPT,
        timeout=MATCH_LIMIT,
        description="match",
    )


def _request() -> dict[str, str]:
    """The id of the request that is being handled, for the job that it brings about."""
    bound = get_contextvars()
    return {REQUEST_ID: bound[REQUEST_ID]} if REQUEST_ID in bound else {}


def request_of_job() -> dict[str, str]:
    """The id of the request that brought about the job that runs in this process; none elsewhere."""
    job = get_current_job()
    meta = job.meta if job is not None else {}
    return {REQUEST_ID: str(meta[REQUEST_ID])} if REQUEST_ID in meta else {}


def workers_alive(client: Any, name: str) -> int:
    """How many workers of the queue have given a sign of life lately.

    It reads RQ's hashes itself, since `rq.Worker.all` changes the time-outs of the client it is given.
    """
    with client.pipeline(transaction=False) as pipe:
        for key in get_keys(queue(client, name)):
            pipe.hmget(key, "last_heartbeat", "death")
        found = pipe.execute()
    now = datetime.now(UTC)
    return sum(
        1
        for heartbeat, death in found
        if heartbeat and not death and (now - utcparse(heartbeat.decode())).total_seconds() < SILENCE
    )
