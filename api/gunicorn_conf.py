"""How gunicorn serves the API. It is read by path, before anything else is imported: see `api.cli.serve`."""

import gc
import os
import resource
from pathlib import Path
from typing import Any

from gunicorn.glogging import Logger

worker_class = "gevent"
# Each open page keeps one. gunicorn accepts no more than this, and hands the others to nobody.
worker_connections = 4000
# For a worker that hangs. Compiling the kernels at a first start may take a slow machine a minute.
timeout = 120
graceful_timeout = 3
keepalive = 30
control_socket_disable = True
proc_name = "stem-branch"
if Path("/dev/shm").is_dir():  # noqa: S108
    # The workers' heartbeat is a file; on a disk it can stall.
    worker_tmp_dir = "/dev/shm"  # noqa: S108

# Connections are open files, of which many systems allow 1,024 unless a process asks for more.
FILES = 2 * worker_connections
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
most = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
if soft != resource.RLIM_INFINITY and soft < most:
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


class logger_class(Logger):  # type: ignore[misc]  # noqa: N801 - the setting's name
    """Without access lines, which gunicorn composes for each request even where nothing takes them."""

    access_log_enabled = False


def json_lines() -> Any:
    """The form that `worker.set_up_logs` gives to the other processes' lines."""
    import structlog

    shared: list[Any] = [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
    ]
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
    )


LEVEL = os.environ.get("LOG_LEVEL") or "info"
logconfig_dict = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": json_lines}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"level": LEVEL.upper(), "handlers": ["stderr"]},
    "loggers": {"gunicorn.error": {"level": LEVEL.upper(), "handlers": [], "propagate": True}},
}


def post_worker_init(worker: Any) -> None:
    """By now gevent has patched this process, and the application may be imported."""
    from api import hand_over_regularly, warm_up
    from worker import Settings, set_up_logs

    set_up_logs(Settings.from_env().log_level, "api")
    warm_up()
    # All that is here stays: to look through it for garbage takes a tenth of a second each time.
    gc.collect()
    gc.freeze()
    hand_over_regularly(worker.app.callable)
