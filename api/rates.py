"""How often one client may ask for what costs much.

It is counted in the store, for all processes together, and only where something is limited: an extension that
looks at every request, polls too, makes an empty one cost nearly twice as much.
"""

from __future__ import annotations

import math
import time
from functools import lru_cache
from ipaddress import IPv6Address, ip_address

from flask import request
from limits import RateLimitItem, parse_many
from limits.storage import RedisStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from api.errors import Refusal
from api.viewers import store
from worker import Settings, Store

LONGEST_ADDRESS = 45


def check_rate(what: str) -> None:
    """Refuse a client that has asked too often for `what`: "games" where the setting is LIMIT_GAMES."""
    settings = store().settings
    who = client(settings)
    if who is None:
        return
    limiter = _limiter(store())
    for item in _limits(settings, what):
        if not limiter.hit(item, what, who):
            wait = math.ceil(limiter.get_window_stats(item, what, who).reset_time - time.time())
            raise Refusal(429, "too-many-requests", headers={"Retry-After": str(max(wait, 1))})


def client(settings: Settings) -> str | None:
    """Who asks: an address, or the network that one subscriber has by IPv6. None for this machine's own
    people, whom nothing limits; what a proxy on this machine passes on, told to us or not, is not theirs."""
    text = request.remote_addr or ""
    try:
        address = ip_address(text)
    except ValueError:
        return text[:LONGEST_ADDRESS] or "unknown"
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address
    if address.is_loopback and not settings.trusted_proxies and "X-Forwarded-For" not in request.headers:
        return None
    return str(address) if address.version == 4 else address.exploded[:19]


@lru_cache(maxsize=64)
def _limits(settings: Settings, what: str) -> list[RateLimitItem]:
    text: str = getattr(settings, f"limit_{what}")
    return [] if text == "off" else sorted(parse_many(text))


@lru_cache(maxsize=1)
def _limiter(games: Store) -> SlidingWindowCounterRateLimiter:
    # Over the connections of the games, so that it finds the embedded store again when it has moved.
    pool = games.client.connection_pool
    storage = RedisStorage("redis://", connection_pool=pool, key_prefix="sb:rate")
    return SlidingWindowCounterRateLimiter(storage)
