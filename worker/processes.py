"""The long-running processes: workers and the sweeper."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from types import FrameType
from typing import Any

from rq import Worker
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
LONGEST_RETRY = 2.0


class JobWorker(Worker):
    """RQ's forking worker, which on SIGTERM has its child hand back what it is thinking about."""

    max_connection_wait_time = LONGEST_RETRY

    def setup_work_horse_signals(self) -> None:
        super().setup_work_horse_signals()  # type: ignore[no-untyped-call]
        signal.signal(signal.SIGTERM, moves.on_terminate)

    def handle_warm_shutdown_request(self) -> None:
        super().handle_warm_shutdown_request()  # type: ignore[no-untyped-call]
        if self.horse_pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.horse_pid, signal.SIGTERM)


def run_worker(settings: Settings, queue: str) -> None:
    """Work off a queue, "moves", "advice" (and moves before it) or "ladders", until SIGTERM or SIGINT. Raises
    StoreUnreachable at the start.

    On SIGTERM a job that is thinking hands its work back, and the process ends at once.
    """
    if queue not in QUEUES:
        raise ValueError(f"no queue {queue!r}: there are {', '.join(QUEUES)}")
    require_store(settings)
    if queue == LADDERS:
        os.nice(settings.ladder_nice)
    # Kernels are compiled before the first fork, so that no job has to.
    ai.warm_up()
    moves.use(settings)
    worker = JobWorker(
        list(QUEUES[queue]),
        connection=connect(settings),
        serializer=JSONSerializer,
        # It waits for jobs 15 seconds less than this, and then gives a sign of life.
        worker_ttl=15 + HEARTBEAT,
        job_monitoring_interval=HEARTBEAT,
        maintenance_interval=settings.maintenance_interval,
        default_result_ttl=0,
        log_job_description=False,
    )
    logger().info("worker_ready", queue=queue, worker=worker.name)
    worker.work(logging_level="WARNING")
    logger().info("worker_stopped", queue=queue, worker=worker.name)


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
    tidied = 0.0
    try:
        while not stop.is_set():
            try:
                sweep(store)
                tend_ladders(store)
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
