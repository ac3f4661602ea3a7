"""The long-running processes: workers and the sweeper."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Any

import redis
from rq import Queue, SimpleWorker
from rq.exceptions import StopRequested
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.worker import WorkerStatus

import ai
from worker import moves
from worker.arena import tend_ladders
from worker.connection import connect, require_store
from worker.errors import StoreUnreachable
from worker.log import logger
from worker.moves import regularly
from worker.queues import HEARTBEAT, LADDERS, QUEUES
from worker.settings import Settings
from worker.store import Store, reaching_the_store
from worker.sweeper import sweep

TIDY_INTERVAL = 300.0
SIGN_INTERVAL = 2.0
LONGEST_RETRY = 2.0
WORKER_PAUSE = 0.5
HANG_GRACE = float(HEARTBEAT)  # seconds beyond its time after which a job that does not end ends its worker


class JobWorker(SimpleWorker):
    """RQ's worker that does its jobs itself, without a child for each, and is brief with the store.

    It says that it lives a few times in SILENCE, not a few times a job, and neither what it is doing nor what
    came of it; nor does it listen to commands of RQ's to workers.
    """

    max_connection_wait_time = LONGEST_RETRY
    told_to_stop = False
    _told_alive = 0.0

    def execute_job(self, job: Job, queue: Queue) -> None:
        execution = self.prepare_execution(job)
        ends = time.monotonic() + (job.timeout or 0) + HANG_GRACE

        def tell() -> bool:
            if time.monotonic() > ends:
                # RQ's time limit is a signal, which reaches Python but nothing that runs or waits below it.
                logger().error("job_hangs", job=job.id)
                os._exit(1)
            with reaching_the_store():
                self.maintain_heartbeats(job, execution)
            return True

        with regularly(tell, HEARTBEAT):
            self.perform_job(job, queue, execution)
        self.set_state(WorkerStatus.IDLE)

    def request_stop(self, _signal: int, _frame: FrameType | None) -> None:
        """The handler of SIGTERM and SIGINT. Unlike RQ's it does not speak to the store: the client may be
        in the midst of something."""
        if self.told_to_stop:
            return
        self.told_to_stop = self._stop_requested = True
        if self.get_state() != WorkerStatus.BUSY:
            raise StopRequested
        moves.stop_thinking()

    def heartbeat(self, timeout: int | None = None, pipeline: Any = None) -> None:
        now = time.monotonic()
        if pipeline is not None or now - self._told_alive > HEARTBEAT / 2:
            self._told_alive = now
            super().heartbeat(timeout, pipeline)

    def set_state(self, state: str, pipeline: Any = None) -> None:
        self._state = state

    def handle_execution_ended(self, job: Job, queue: Queue, heartbeat_ttl: int) -> None:
        job.ended_at = datetime.now(UTC)

    def handle_job_success(self, job: Job, queue: Queue, started_job_registry: Any, execution: Any) -> None:
        # No job has others that wait for it, is repeated, or leaves a result.
        with self.connection.pipeline() as pipe:
            self.cleanup_execution(job, pipe, execution)
            pipe.delete(job.key)
            pipe.execute()

    def check_for_suspension(self, burst: bool) -> None: ...

    def subscribe(self) -> None: ...

    def teardown(self) -> None:
        # It may be the store's trouble that ends the worker, which then cannot be told about it.
        with contextlib.suppress(redis.RedisError):
            self.register_death()  # type: ignore[no-untyped-call]


def job_worker(kind: type[JobWorker], client: redis.Redis, settings: Settings, queue: str) -> JobWorker:
    """A worker for a queue of QUEUES. Raises redis.RedisError."""
    return kind(
        list(QUEUES[queue]),
        connection=client,
        serializer=JSONSerializer,
        # It waits for jobs 15 seconds less than this, and then gives a sign of life.
        worker_ttl=15 + HEARTBEAT,
        job_monitoring_interval=HEARTBEAT,
        maintenance_interval=settings.maintenance_interval,
        default_result_ttl=0,
        log_job_description=False,
    )


def run_worker(settings: Settings, queue: str) -> None:
    """Work off a queue, "moves", "advice" (and moves before it) or "ladders", until SIGTERM or SIGINT. Raises
    StoreUnreachable at the start.

    On SIGTERM a job that is thinking hands its work back, and the process ends at once.
    """
    if queue not in QUEUES:
        raise ValueError(f"no queue {queue!r}: there are {', '.join(QUEUES)}")
    require_store(settings)
    # Kernels are compiled before the first job; and what is there by then is kept out of the garbage
    # collector's way.
    ai.warm_up()
    moves.use(settings)
    gc.collect()
    gc.freeze()
    # Only now: a worker that is started again has to be there soon.
    step_back(settings.ladder_nice if queue == LADDERS else settings.move_nice)
    client = connect(settings)
    logger().info("worker_ready", queue=queue)
    try:
        while not work_until_told_to_stop(client, settings, queue):
            # RQ gives up on what it does not expect of a store: a full disk, an answer that was cut off.
            # A new worker in this process goes on sooner than a new process, which has kernels to load.
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, lambda *_: sys.exit())
            time.sleep(WORKER_PAUSE)
    finally:
        client.close()
        logger().info("worker_stopped", queue=queue)


def step_back(nice: int) -> None:
    """Let other processes go first. Linux may weigh whole sessions against each other, and a process only
    within its own: so a process that leads a session lowers that, too."""
    os.nice(nice)
    if os.getsid(0) == os.getpid():
        with contextlib.suppress(OSError):
            Path("/proc/self/autogroup").write_text(str(nice))


def work_until_told_to_stop(client: redis.Redis, settings: Settings, queue: str) -> bool:
    """Work with one RQ worker until it ends: whether it was told to."""
    worker = job_worker(JobWorker, client, settings, queue)
    try:
        worker.work(logging_level="WARNING")
    except (redis.RedisError, StopRequested) as error:
        if not worker.told_to_stop:
            logger().warning("store_unreachable", reason=str(error))
    return worker.told_to_stop


def run_sweeper(settings: Settings) -> None:
    """Sweep until SIGTERM or SIGINT. Raises StoreUnreachable at the start; later outages are waited out."""
    require_store(settings)
    stop = threading.Event()

    def on_signal(_signal: int, _frame: FrameType | None) -> None:
        stop.set()

    before: list[tuple[int, Any]] = [
        (number, signal.signal(number, on_signal)) for number in (signal.SIGTERM, signal.SIGINT)
    ]
    store = Store(connect(settings), settings)
    logger().info("sweeper_ready")
    tidied = told = 0.0
    try:
        while not stop.is_set():
            try:
                sweep(store)
                tend_ladders(store)
                if time.monotonic() - told > SIGN_INTERVAL:
                    told = time.monotonic()
                    store.sweeper_lives()
                if time.monotonic() - tidied > TIDY_INTERVAL:
                    tidied = time.monotonic()
                    store.forget_expired()
            except StoreUnreachable as error:
                logger().warning("store_unreachable", reason=str(error))
                stop.wait(LONGEST_RETRY)
            stop.wait(settings.sweep_interval)
    finally:
        for number, handler in before:
            signal.signal(number, handler)
        store.client.close()
    logger().info("sweeper_stopped")
