"""Every refusal in one form: `{"code", "message", "rule", "params"}` with its status and headers."""

from __future__ import annotations

import json
from typing import Any

import redis
from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from api.almanac import FIRST_DAY, LAST_DAY, OutOfRange
from api.messages import sentence
from api.reading import moment
from engine import GameError, IllegalAction
from worker import (
    ActionUndone,
    AnothersAction,
    BadToken,
    GameOver,
    HintsOff,
    KeyReused,
    LadderEnded,
    NewerFormat,
    NoSuchGame,
    NoSuchLadder,
    NoSuchSeat,
    NotAbsent,
    NothingToUndo,
    NotOver,
    NotToMove,
    ReadOnly,
    RematchMade,
    SeatNotHeld,
    SeatTaken,
    StaleVersion,
    StillRunning,
    StoreError,
    StoreUnreachable,
    TooManyGames,
    UnknownPlayer,
    logger,
)

RETRY_SECONDS = 2
FULL_RETRY_SECONDS = 60

# Machine codes for what Werkzeug itself refuses.
_HTTP_CODES = {
    400: "bad-request",
    404: "not-found",
    405: "method-not-allowed",
    413: "body-too-large",
    415: "not-json",
    429: "too-many-requests",
    500: "internal-error",
    503: "store-unavailable",
}
# What the store refuses.
_STORE_REFUSALS: dict[type[StoreError], tuple[int, str]] = {
    BadToken: (401, "wrong-token"),
    AnothersAction: (403, "not-your-seat"),
    HintsOff: (403, "hints-off"),
    NoSuchGame: (404, "no-such-game"),
    NoSuchLadder: (404, "no-such-ladder"),
    NoSuchSeat: (404, "no-such-seat"),
    StaleVersion: (409, "stale-version"),
    SeatTaken: (409, "seat-taken"),
    SeatNotHeld: (409, "seat-not-held"),
    ReadOnly: (409, "read-only"),
    GameOver: (409, "game-over"),
    LadderEnded: (409, "ladder-ended"),
    NotToMove: (409, "not-your-turn"),
    NotAbsent: (409, "not-absent"),
    NothingToUndo: (409, "nothing-to-undo"),
    ActionUndone: (409, "action-undone"),
    StillRunning: (409, "still-running"),
    NotOver: (409, "not-over"),
    RematchMade: (409, "rematch-made"),
    KeyReused: (422, "key-reused"),
    UnknownPlayer: (422, "unknown-player"),
    TooManyGames: (503, "too-many-games"),
    # While a server is brought up to date, its next try may meet a process of the newer version.
    NewerFormat: (503, "newer-format"),
}
# Of the engine's refusals only these say that the request is no action or no record at all.
_MALFORMED = ("malformed-action", "malformed-record")
# Headers that belong to Werkzeug's HTML page, not to our answer.
_PAGE_HEADERS = ("content-type", "content-length")


class Refusal(Exception):
    """What a view raises to refuse: the HTTP status, a code that `messages` knows, and the facts."""

    def __init__(
        self,
        status: int,
        code: str,
        *,
        rule: str | None = None,
        headers: dict[str, str] | None = None,
        **params: Any,
    ) -> None:
        super().__init__(code)
        self.status, self.code, self.rule, self.headers, self.params = (
            status,
            code,
            rule,
            headers or {},
            params,
        )


def refuse(
    status: int,
    code: str,
    params: dict[str, Any],
    rule: str | None = None,
    headers: dict[str, str] | None = None,
) -> Response:
    """The answer that says no."""
    body = {"code": code, "message": sentence(code, params), "rule": rule, "params": params}
    return Response(
        json.dumps(body, ensure_ascii=False),
        status,
        {"Cache-Control": "no-store", **(headers or {})},
        mimetype="application/json",
    )


def token_refusal(code: str) -> Refusal:
    """401 with the challenge that RFC 6750 asks for."""
    challenge = 'Bearer realm="stem-branch"' + (', error="invalid_token"' if code == "wrong-token" else "")
    return Refusal(401, code, headers={"WWW-Authenticate": challenge})


def refuse_http(error: HTTPException) -> Response:
    """Werkzeug's own refusals in our form, with the headers that belong to them (Allow, Retry-After)."""
    status = error.code or 500
    headers = {
        name: value for name, value in error.get_headers(request.environ) if name.lower() not in _PAGE_HEADERS
    }
    return refuse(status, _HTTP_CODES.get(status, "bad-request"), {}, headers=headers)


def register_error_handlers(app: Flask) -> None:
    """Give every error of the application our form."""

    app.register_error_handler(HTTPException, refuse_http)

    @app.errorhandler(Refusal)
    def refusal(error: Refusal) -> Response:
        return refuse(error.status, error.code, error.params, error.rule, error.headers)

    @app.errorhandler(GameError)
    def game_error(error: GameError) -> Response:
        rule = error.rule if isinstance(error, IllegalAction) else None
        return refuse(400 if error.code in _MALFORMED else 422, error.code, error.params, rule)

    @app.errorhandler(StoreError)
    def store_error(error: StoreError) -> Response:
        if isinstance(error, BadToken):
            return refusal(token_refusal("wrong-token"))
        status, code = _STORE_REFUSALS[type(error)]
        params: dict[str, Any] = {}
        if isinstance(error, StaleVersion):
            params = {"current_version": error.current}
        elif isinstance(error, NotToMove):
            params = {"seat_to_act": error.seat_to_act}
        elif isinstance(error, NotAbsent):
            params = {"absent_at": None if error.absent_at is None else moment(error.absent_at)}
        elif isinstance(error, RematchMade):
            params = {"game": error.next_game}
        headers = {"Retry-After": str(FULL_RETRY_SECONDS)} if status == 503 else None
        return refuse(status, code, params, headers=headers)

    @app.errorhandler(StoreUnreachable)
    @app.errorhandler(redis.RedisError)
    def unreachable(error: Exception) -> Response:
        logger().error("store_unreachable", reason=type(error).__name__)
        # The embedded store may come back under another address.
        app.extensions.pop("store", None)
        return refuse(503, "store-unavailable", {}, headers={"Retry-After": str(RETRY_SECONDS)})

    @app.errorhandler(OutOfRange)
    def out_of_range(error: OutOfRange) -> Response:
        params = {"date": str(error), "first": FIRST_DAY.isoformat(), "last": LAST_DAY.isoformat()}
        return refuse(422, "date-out-of-range", params)
