"""Logs: one line of JSON an event, on standard error. Never tokens, cards or hands."""

from __future__ import annotations

import logging
import sys
from typing import Any

import structlog

_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
]


def logger() -> Any:
    """The program's logger; keyword arguments of an event become keys of its line."""
    return structlog.stdlib.get_logger("stem-branch")


def set_up_logs(level: str = "info", process: str = "") -> None:
    """Send this process's events, and those of the libraries it uses, to standard error as JSON lines."""

    def name_process(_logger: Any, _method: str, event: Any) -> Any:
        # Not a context variable: a request's greenlet has a context of its own.
        return {"process": process, **event} if process else event

    shared = [*_SHARED, name_process]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    # RQ tells each job three times at level info; the jobs log their own line.
    for name in ("rq.worker", "rq.job", "rq.queue", "rq.scripts"):
        logging.getLogger(name).setLevel("WARNING")
    structlog.contextvars.clear_contextvars()
