"""A Python bot at a server's table: what `stem-branch bot` runs."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any

from ai.bot import Bot

Json = dict[str, Any]

WAIT = 20  # seconds that the server may hold an answer back until something changes
PATIENCE = 60  # seconds for any answer


def play_online(bot: Bot, server: str, game_id: str, token: str) -> Json | None:
    """Plays a seat to the end of the game; its result. Raises urllib's errors for what the server refuses."""
    game_url = f"{server.rstrip('/')}/api/v1/games/{game_id}"

    def ask(path: str, body: Json | None = None, etag: str = "") -> tuple[Json | None, Mapping[str, str]]:
        headers = {"Authorization": f"Bearer {token}", "If-None-Match": etag}
        data = None if body is None else json.dumps(body).encode()
        if data is not None:
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(game_url + path, data, headers)  # noqa: S310 - the user names the server
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
                return json.load(answer), answer.headers
        except urllib.error.HTTPError as refused:
            # Nothing new; or somebody was quicker, and the game is to be read again.
            if refused.code == 304 or (body is not None and refused.code == 409):
                return None, {"ETag": etag}
            raise

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
