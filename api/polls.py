"""The shortcut for polls of games in which nothing has happened, by far the most frequent request.

Flask would route, parse and wrap them at several times the cost of the one small read that they need.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import redis
from flask import Flask
from werkzeug.http import parse_etags, quote_etag

from api.errors import Refusal
from api.page import page_headers
from api.resources.games import PER_VIEWER, game_tag, games
from api.spec import GameId
from api.viewers import store_of, token_in, viewer_at
from api.watch import POLLED, ROUTE
from worker import StoreError

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse

POLL = re.compile(f"{games.url_prefix}/({GameId.regex})", re.ASCII)


class Polls:
    """WSGI middleware that answers a poll without `wait` with 304, if that is the answer.

    Everything else it passes on: another request, a changed game, a refusal. Flask answers those from the
    beginning, so here nothing needs to be right but the 304, which equals the one of `read_game`.
    """

    def __init__(self, app: Flask, headers: dict[str, str]) -> None:
        """`headers` are those that every answer has."""
        self.app, self.headers = app, {**PER_VIEWER, **headers}
        self.passed_on = app.wsgi_app

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        tag = self.unchanged(environ)
        if tag is None:
            return self.passed_on(environ, start_response)
        headers = {**self.headers, **page_headers(self.app), "ETag": quote_etag(tag)}
        environ[ROUTE] = POLLED
        start_response("304 NOT MODIFIED", list(headers.items()))
        return ()

    def unchanged(self, environ: dict[str, Any]) -> str | None:
        """The game's tag, if this is a poll by somebody who has that version."""
        known = environ.get("HTTP_IF_NONE_MATCH")
        if known is None or environ["REQUEST_METHOD"] != "GET" or environ["QUERY_STRING"]:
            return None
        if "HTTP_ORIGIN" in environ:
            return None  # another origin's page needs more headers
        asked = POLL.fullmatch(environ["PATH_INFO"])
        if asked is None:
            return None
        id = asked[1]
        try:
            store = store_of(self.app)
            version = store.version(id)
            viewer = viewer_at(store, id, token_in(environ.get("HTTP_AUTHORIZATION")), version)
        except (Refusal, StoreError, redis.RedisError):
            return None
        tag = game_tag(version, viewer)
        return tag if parse_etags(known).contains_weak(tag) else None
