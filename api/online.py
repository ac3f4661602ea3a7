"""A Python bot at a server's table: what `stem-branch bot` runs."""

from __future__ import annotations

import json
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import Any

from ai.bot import Bot

Json = dict[str, Any]

WAIT = 20  # seconds that the server may hold an answer back until something changes
PATIENCE = 60  # seconds for any answer
AWAY = 120.0  # seconds that a server which has answered before may be away, as when it is started anew
BUSY = (429, 502, 503, 504)


def play_online(bot: Bot, server: str, game_id: str, token: str) -> Json | None:
    """Plays a seat to the end of the game; its result. A server that goes away is waited for.

    Raises urllib's errors for what the server refuses, and OSError or HTTPException where it does not answer.
    """
    game_url = f"{server.rstrip('/')}/api/v1/games/{game_id}"
    reached = False

    def ask(path: str, body: Json | None = None, etag: str = "") -> tuple[Json | None, Mapping[str, str]]:
        nonlocal reached
        headers = {"Authorization": f"Bearer {token}", "If-None-Match": etag}
        data = None if body is None else json.dumps(body).encode()
        if data is not None:
            # An action whose answer was lost is sent again, and not played twice.
            headers |= {"Content-Type": "application/json", "Idempotency-Key": secrets.token_hex(16)}
        request = urllib.request.Request(game_url + path, data, headers)  # noqa: S310 - the user names the server
        given_up = time.monotonic() + AWAY
        while True:
            pause = 1.0
            try:
                with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
                    told = json.load(answer)
                    reached = True
                    return told, answer.headers
            except urllib.error.HTTPError as refused:
                # Nothing new; or somebody was quicker, and the game is to be read again.
                if refused.code == 304 or (body is not None and refused.code == 409):
                    return None, {"ETag": etag}
                wanted = refused.headers.get("Retry-After", "")
                pause = max(pause, float(wanted) if wanted.isdigit() else 0.0)
                if refused.code not in BUSY or time.monotonic() + pause > given_up:
                    raise
            except (OSError, HTTPException):
                if not reached or time.monotonic() + pause > given_up:
                    raise
            time.sleep(pause)

    etag = ""
    while True:
        game, headers = ask(f"?wait={WAIT}", etag=etag)
        etag = headers["ETag"]
        if game is None:
            continue
        if game["over"]:
            return game["result"] and dict(game["result"])
        if game["seat_to_act"] == game["viewer"]:
            legal, headers = ask("/legal-actions")
            bot.time_left = seconds_left(game["absent_at"], headers["Date"])
            action = bot.choose(game, (legal or {})["actions"])
            ask("/actions", {"expected_version": game["version"], "action": action})


def seconds_left(absent_at: str | None, date: str) -> float | None:
    """Seconds from an answer's Date to when the seat counts as absent; both are by the server's clock."""
    if absent_at is None:
        return None
    left = datetime.fromisoformat(absent_at) - parsedate_to_datetime(date)
    return max(left.total_seconds() - 1, 0.0)  # a Date leaves out what is less than a second
