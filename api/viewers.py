"""Who is asking: the bearer token of a seat, or nobody in particular."""

from __future__ import annotations

import hmac
import threading
from collections.abc import Callable
from functools import lru_cache

from flask import Flask, current_app, request

from api.errors import Refusal, token_refusal
from engine import Viewer
from worker import Settings, Store, admin_token, connect, logger

LONGEST_TOKEN = 100
_connecting = threading.Lock()


def use_store(app: Flask, settings: Settings) -> None:
    """Let `store()` connect with these settings, at its first use in each process (that is, after a fork)."""
    app.extensions["store_maker"] = lambda: Store(connect(settings), settings)


def store() -> Store:
    """This process's store. Raises StoreUnreachable."""
    return store_of(current_app)


def store_of(app: Flask) -> Store:
    """The same where no request is being handled."""
    extensions = app.extensions
    found: Store | None = extensions.get("store")
    if found is None:
        with _connecting:
            found = extensions.get("store")
            if found is None:
                make: Callable[[], Store] = extensions["store_maker"]
                found = extensions["store"] = make()
    return found


def bearer_token() -> str | None:
    """The request's token; None without an Authorization header. Any other scheme is a wrong token."""
    return token_in(request.headers.get("Authorization"))


def token_in(header: str | None) -> str | None:
    """The token of an Authorization header."""
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not 0 < len(token) <= LONGEST_TOKEN or not token.isascii():
        raise token_refusal("wrong-token")
    return token


@lru_cache(maxsize=4096)
def _seat_at(games: Store, game_id: str, token: str, version: int) -> int:
    """A token's seat. It changes only with the game's version, so polls that see none need not ask again."""
    return games.seat_of(game_id, token)


def viewer_of(game_id: str) -> Viewer:
    """The token's seat, or "spectator" without a token; a wrong token is refused, never taken for none."""
    token = bearer_token()
    return "spectator" if token is None else store().seat_of(game_id, token)


def viewer_at(games: Store, game_id: str, token: str | None, version: int) -> Viewer:
    """The same for who has just read the game's `version`, which often saves a read."""
    return "spectator" if token is None else _seat_at(games, game_id, token, version)


def seat_of(game_id: str) -> int:
    """The token's seat; refused without a token."""
    token = bearer_token()
    if token is None:
        store().version(game_id)  # a game that is not there is 404, token or not
        raise token_refusal("no-token")
    return store().seat_of(game_id, token)


def check_admin() -> None:
    """Refuse whoever does not show the administrator's token."""
    token = bearer_token()
    if token is None:
        raise token_refusal("no-token")
    try:
        wanted = admin_token(store().settings)
    except OSError as error:
        # As in a container without a folder of its own: without ADMIN_TOKEN, nobody is the administrator.
        logger().warning("no_admin_token", reason=error.strerror)
        raise Refusal(403, "not-admin") from error
    if not hmac.compare_digest(token, wanted):
        raise Refusal(403, "not-admin")
