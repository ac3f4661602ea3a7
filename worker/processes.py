"""The long-running processes: workers and the sweeper."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
import threading
import time
from pathlib import Path
from types import FrameType
from typing import Any

import redis
from rq import Worker
from rq.exceptions import StopRequested
from rq.serializers import JSONSerializer

import ai
from worker import moves
from worker.arena import tend_ladders
from worker.connection import connect, require_store
from worker.errors import StoreUnreachable
from worker.log import logger
from worker.queues import HEARTBEAT, LADDERS, QUEUES
from worker.settings import Settings
from worker.store import Store
from worker.sweeper import sweep

TIDY_INTERVAL = 300.0
SIGN_INTERVAL = 2.0
LONGEST_RETRY = 2.0
WORKER_PAUSE = 0.5


class JobWorker(Worker):
    """RQ's forking worker, which on SIGTERM has its child hand back what it is thinking about."""

    max_connection_wait_time = LONGEST_RETRY
    told_to_stop = False

    def setup_work_horse_signals(self) -> None:
        super().setup_work_horse_signals()  # type: ignore[no-untyped-call]
        signal.signal(signal.SIGTERM, moves.on_terminate)

    def handle_warm_shutdown_request(self) -> None:
        super().handle_warm_shutdown_request()  # type: ignore[no-untyped-call]
        self.told_to_stop = True
        if self.horse_pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.horse_pid, signal.SIGTERM)

    def teardown(self) -> None:
        # It may be the store's trouble that ends the worker, which then cannot be told about it.
        with contextlib.suppress(redis.RedisError):
            self.register_death()  # type: ignore[no-untyped-call]
        with contextlib.suppress(redis.RedisError):
            self.unsubscribe()  # type: ignore[no-untyped-call]


def run_worker(settings: Settings, queue: str) -> None:
    """Work off a queue, "moves", "advice" (and moves before it) or "ladders", until SIGTERM or SIGINT. Raises
    StoreUnreachable at the start.

    On SIGTERM a job that is thinking hands its work back, and the process ends at once.
    """
    if queue not in QUEUES:
        raise ValueError(f"no queue {queue!r}: there are {', '.join(QUEUES)}")
    require_store(settings)
    step_back(settings.ladder_nice if queue == LADDERS else settings.move_nice)
    # Kernels are compiled before the first fork, so that no job has to; and what is there by then is kept
    # out of the garbage collector's way, which would copy it into every child.
    ai.warm_up()
    moves.use(settings)
    gc.collect()
    gc.freeze()
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
    worker = JobWorker(
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
