"""Clients of the store."""

from __future__ import annotations

import select
import sys
from ssl import SSLSocket
from typing import Any

import redis
from redis.backoff import ExponentialBackoff
from redis.connection import DefaultParser
from redis.retry import Retry

from worker.embedded import running_store_url
from worker.errors import StoreUnreachable
from worker.settings import Settings

OLDEST_SERVER = 7
CONNECTIONS = 50


class Parser(DefaultParser):  # type: ignore[misc, valid-type]
    """redis-py's, which looks before each command whether its connection is closed or has an answer left.

    It is cheap to see by the system's own poll that it has nothing; gevent's takes a turn of its loop for it.
    """

    def can_read(self, timeout: float = 0) -> bool:
        socket, reader = self._sock, self._reader
        if timeout == 0 and socket and reader and not reader.has_data() and not isinstance(socket, SSLSocket):
            look = system_poll()
            look.register(socket, select.POLLIN)
            if not look.poll(0):
                return False
        return bool(super().can_read(timeout))


def system_poll() -> Any:
    """A `select.poll`, also where gevent has put its own in that place."""
    gevent = sys.modules.get("gevent.monkey")
    return (gevent.get_original("select", "poll") if gevent else select.poll)()


def connect(settings: Settings) -> redis.Redis:
    """A client with a pool of its own; it speaks to the server at its first command.

    Call it in each process by itself, after a fork. A command is tried at most three
    times within about a third of a second (plus time-outs of `settings.store_timeout`), so whatever is
    sent has to bear being sent twice. Raises StoreUnreachable when no REDIS_URL is set and
    no embedded store runs in the data directory.
    """
    url = settings.redis_url or running_store_url(settings.data_dir)
    if url is None:
        raise StoreUnreachable(
            f"No store is running in {settings.data_dir}: start `stem-branch play`, or set REDIS_URL."
        )
    # While the store is held up, commands wait for one of these to be free. A pool that does not wait would
    # refuse them beyond its limit, or open hundreds of connections that the store has to greet as well.
    pool = redis.BlockingConnectionPool.from_url(
        url,
        max_connections=CONNECTIONS,
        timeout=settings.store_timeout,
        socket_timeout=settings.store_timeout,
        socket_connect_timeout=min(2.0, settings.store_timeout),
        retry=Retry(ExponentialBackoff(cap=0.2, base=0.05), retries=2),
        health_check_interval=30,
        parser_class=Parser,
    )
    return redis.Redis.from_pool(pool)


def require_store(settings: Settings) -> None:
    """Check that the store answers and is new enough. Raises StoreUnreachable with a clear sentence."""
    where = "the store" if not settings.redis_url else f"REDIS_URL ({hide_password(settings.redis_url)})"
    client = connect(settings)
    try:
        version = str(client.info("server")["redis_version"])
    except redis.AuthenticationError as error:
        raise StoreUnreachable(f"The server at {where} refuses the user name or password.") from error
    except redis.RedisError as error:
        raise StoreUnreachable(
            f"Nothing answers at {where}: is the Redis or Valkey server running?"
        ) from error
    finally:
        client.close()
    if int(version.split(".")[0]) < OLDEST_SERVER:
        raise StoreUnreachable(
            f"The server at {where} is version {version}; Redis or Valkey {OLDEST_SERVER} or newer is needed."
        )


def hide_password(url: str) -> str:
    """The address without user name and password, fit for messages and logs."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2].partition('?')[0]}"
