"""Games: create, list, read, play, look back, take and leave seats."""

from __future__ import annotations

import hashlib
import json
import re
import time
from typing import Any

from flask import Response, request

from api import bodies, reading
from api.almanac import today_in_vietnam, year_animal
from api.errors import Refusal, token_refusal
from api.spec import LOCATION, Routes, answer, known_to_client, not_modified
from api.viewers import bearer_token, seat_of, store, viewer_at, viewer_of
from engine import Game, Viewer
from worker import Created, Deal, Stored

Json = dict[str, Any]

games = Routes(
    "games", __name__, url_prefix="/api/v1/games", description="Play, watch and look back at games"
)

# The first look again comes soon, for a computer player that answers at once; later ones cost less.
FIRST_PAUSE, LONGEST_PAUSE = 0.03, 0.25
KEY_LENGTH = 64
SECRET = {"Cache-Control": "no-store"}
PER_VIEWER = {"Cache-Control": "no-cache, private", "Vary": "Authorization"}
_KEY_HEADER = {
    "in": "header",
    "name": "Idempotency-Key",
    "schema": {"type": "string", "minLength": 1, "maxLength": KEY_LENGTH, "pattern": "^[!-~]+$"},
    "description": "Makes a repeated post safe: applied once, answered with the same version and outcome",
}
_REPEATED = {
    "Idempotent-Replayed": {
        "schema": {"type": "string", "const": "true"},
        "description": "This key was applied before",
    }
}


def game_url(game_id: str) -> str:
    return f"/api/v1/games/{game_id}"


def new_seats(given: list[Json]) -> list[Json]:
    """The seats of a new game, with a usual name where none was given."""
    return [
        {"name": seat.get("name", usual_name(seat["player"], index)), "player": seat["player"]}
        for index, seat in enumerate(given)
    ]


def usual_name(player: str, index: int) -> str:
    return {"human": f"Player {index + 1}", "open": "Open seat"}.get(player, player.capitalize())


@games.operation(
    "POST",
    "",
    201,
    "CreatedGame",
    body=bodies.NewGameBody,
    who="viewer",
    refusals=(404, 409, 422, 503),
    headers=LOCATION,
    rate="games",
)
def create_game(body: Json) -> Response:
    """Create a game

    Tokens are returned for human seats only, once. The deal is secret unless a seed is given. A finished game
    has one rematch (`after`), made with the token of one of its seats; its `next_game` tells everybody.
    """
    if "after" in body:
        seat_of(body["after"])
    game = Game.new(
        body["mode"],
        new_seats(body["seats"]),
        seed=body.get("seed"),
        options=body.get("options", {}),
        year_animal=year_animal(today_in_vietnam()),
        **({"board": body["board"]} if "board" in body else {}),
    )
    public = body.get("public", False)
    deal: Deal = "seed" if "seed" in body else "secret"
    created = store().create(
        game,
        public=public,
        deal=deal,
        hints=body.get("hints", False),
        absence_minutes=body.get("absence_minutes"),
        after=body.get("after"),
    )
    return created_answer(created)


def created_answer(created: Created) -> Response:
    """201 with the tokens that are shown this once."""
    tokens = {str(seat): token for seat, token in created.tokens.items()}
    body = {"id": created.id, "version": created.version, "tokens": tokens}
    return answer(body, 201, {"Location": game_url(created.id), **SECRET})


@games.operation("GET", "", 200, "GameList", query=bodies.ListQuery, refusals=(503,))
def list_games(query: Json) -> Response:
    """List public games, newest first"""
    cursor: str | None = query.get("cursor")
    if cursor is not None and not re.fullmatch("[0-9]{1,20}", cursor):
        raise Refusal(400, "bad-cursor")
    page, following = store().list_public(cursor, query["limit"], query.get("state"))
    listed = [reading.summary(entry) for entry in page]
    return answer({"games": listed, "next_cursor": following}, headers={"Cache-Control": "no-cache"})


@games.operation(
    "GET", "/<game:game_id>", 200, "Game",
    query=bodies.ReadQuery, who="viewer", refusals=(404, 503), conditional=True,
)  # fmt: skip
def read_game(query: Json, game_id: str) -> Response:
    """Read a game as its seat or as a spectator

    With If-None-Match and `wait`, the answer comes as soon as the game has changed, and else is 304 after so
    many seconds.
    """
    # A plain poll of an unchanged game does not come here: see api/polls.py.
    version = store().version(game_id)
    viewer = viewer_at(store(), game_id, bearer_token(), version)
    end, pause = time.monotonic() + query["wait"], FIRST_PAUSE
    while known_to_client(game_tag(version, viewer)):
        left = end - time.monotonic()
        if left <= 0:
            return not_modified(game_tag(version, viewer), PER_VIEWER)
        time.sleep(min(pause, left))
        pause = min(2 * pause, LONGEST_PAUSE)
        version = store().version(game_id)
        # The change may have been that this seat was left.
        viewer = viewer_at(store(), game_id, bearer_token(), version)
    stored = store().read(game_id)
    response = answer(reading.game_read(stored, viewer), headers=PER_VIEWER)
    response.set_etag(game_tag(stored.version, viewer))
    return response


def game_tag(version: int, viewer: Viewer) -> str:
    return f"{version}-{viewer}"


@games.operation(
    "GET", "/<game:game_id>/actions", 200, "ActionList",
    query=bodies.LogQuery, who="viewer", refusals=(404, 503),
)  # fmt: skip
def list_actions(query: Json, game_id: str) -> Response:
    """List the actions played, with what each brought about"""
    viewer = viewer_of(game_id)
    stored = store().read(game_id)
    after, limit = query["after"], query["limit"]
    entries, undone = store().history(game_id, after, limit + 1)
    shown = entries[:limit]
    return answer(
        {
            "actions": [reading.played_action(entry, stored, viewer) for entry in shown],
            "next_after": shown[-1].index if len(entries) > limit else None,
            "undone": [reading.taken_back(entry) for entry in undone],
        },
        headers=PER_VIEWER,
    )


@games.operation(
    "POST", "/<game:game_id>/actions", 201, "AppliedAction",
    body=bodies.ActBody, who="seat", refusals=(403, 404, 409, 422, 503),
    headers=_REPEATED, request_headers=(_KEY_HEADER,),
)  # fmt: skip
def act(body: Json, game_id: str) -> Response:
    """Play an action

    It is applied whole or not at all. `expected_version` must be the version that the player saw.
    """
    seat = seat_of(game_id)
    action = body["action"]
    if type(action.get("seat")) is int and action["seat"] != seat:
        raise Refusal(403, "not-your-seat")
    key = idempotency_key()
    applied = store().act(
        game_id,
        seat,
        action,
        body["expected_version"],
        key=key,
        body_hash=None if key is None else body_hash(body),
    )
    answered = {
        "version": applied.version,
        "index": applied.index,
        "outcome": applied.outcome,
        "game": reading.game_read(store().read(game_id), seat),
    }
    return answer(answered, 201, SECRET | ({"Idempotent-Replayed": "true"} if applied.repeated else {}))


@games.operation(
    "POST", "/<game:game_id>/undo", 200, "UndoneAction",
    body=bodies.UndoBody, who="seat", refusals=(403, 404, 409, 422, 503),
    headers=_REPEATED, request_headers=(_KEY_HEADER,),
)  # fmt: skip
def undo(body: Json, game_id: str) -> Response:
    """Take back this seat's last action

    Only in the turn in which it was played, and only if it showed no hidden card: see `can_undo`. The record
    loses the action; the list of actions keeps it as undone.
    """
    seat = seat_of(game_id)
    key = idempotency_key()
    undone = store().undo(
        game_id, seat, body["expected_version"], key=key, body_hash=None if key is None else body_hash(body)
    )
    answered = {"version": undone.version, "game": reading.game_read(store().read(game_id), seat)}
    return answer(answered, headers=SECRET | ({"Idempotent-Replayed": "true"} if undone.repeated else {}))


def idempotency_key() -> str | None:
    key = request.headers.get("Idempotency-Key")
    if key is not None and not (0 < len(key) <= KEY_LENGTH and all("!" <= letter <= "~" for letter in key)):
        raise Refusal(400, "bad-key")
    return key


def body_hash(body: Json) -> str:
    """The same for bodies that are equal as JSON, however they were written."""
    return hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


@games.operation("GET", "/<game:game_id>/legal-actions", 200, "LegalActions", who="seat", refusals=(404, 503))
def legal_actions(game_id: str) -> Response:
    """Every complete action that this seat may play now

    There may be hundreds; `choices` says the same compactly.
    """
    seat = seat_of(game_id)
    stored = store().read(game_id)
    to_act = stored.game.seat_to_act == seat
    body = {"version": stored.version, "actions": stored.game.legal_actions() if to_act else []}
    return answer(body, headers=PER_VIEWER)


@games.operation("GET", "/<game:game_id>/choices", 200, "ChoicesAnswer", who="seat", refusals=(404, 503))
def choices(game_id: str) -> Response:
    """What this seat may do now: per card its spaces, costs, means of payment and gains"""
    seat = seat_of(game_id)
    stored = store().read(game_id)
    to_act = stored.game.seat_to_act == seat
    return answer(
        {"version": stored.version, "choices": stored.game.choices() if to_act else None}, headers=PER_VIEWER
    )


@games.operation("GET", "/<game:game_id>/record", 200, "Record", who="viewer", refusals=(404, 503))
def read_record(game_id: str) -> Response:
    """Export the game record

    Whole after the end and for a replay; before, only what the viewer may see of it.
    """
    viewer = viewer_of(game_id)
    stored = store().load(game_id)
    record = stored.game.record() if reading.all_is_known(stored) else stored.game.record(viewer=viewer)
    return answer(record, headers=PER_VIEWER)


@games.operation(
    "GET", "/<game:game_id>/positions/<index:index>", 200, "Position",
    query=bodies.PositionQuery, who="viewer", refusals=(403, 404, 503),
)  # fmt: skip
def read_position(query: Json, game_id: str, index: int) -> Response:
    """The game after its first so many actions, as the viewer saw it then

    In a replay every hand is shown unless `seat` chooses the eyes; so it can for a game that is over.
    """
    viewer = viewer_of(game_id)
    stored = store().load(game_id)
    played = len(stored.game.actions)
    if index > played:
        raise Refusal(404, "no-such-position", actions=played)
    eyes = chosen_eyes(query.get("seat"), viewer, stored)
    return answer(reading.position(stored, index, eyes), headers=PER_VIEWER)


def chosen_eyes(chosen: str | None, viewer: Viewer, stored: Stored) -> Viewer | str:
    """Whose eyes a position is seen with; Refusal where that would show what the viewer may not see."""
    if chosen is None:
        return "all" if stored.replay else viewer
    eyes: Viewer | str = int(chosen) if chosen.isdigit() else chosen
    if isinstance(eyes, int) and eyes >= len(stored.game.seats):
        raise Refusal(404, "no-such-seat")
    if eyes not in (viewer, "spectator") and not reading.all_is_known(stored):
        nobody = viewer == "spectator" and isinstance(eyes, int)
        raise token_refusal("no-token") if nobody else Refusal(403, "not-your-seat")
    return eyes


@games.operation(
    "POST", "/<game:game_id>/seats/<index:seat>/join", 201, "JoinedSeat",
    body=bodies.JoinBody, refusals=(404, 409, 503), rate="joins",
)  # fmt: skip
def join_seat(body: Json, game_id: str, seat: int) -> Response:
    """Take an open seat

    The token is made for whoever joins, and shown this once.
    """
    check_seat(game_id, seat)
    token, version = store().join(game_id, seat, body["name"])
    return answer({"seat": seat, "token": token, "version": version}, 201, SECRET)


@games.operation(
    "POST", "/<game:game_id>/seats/<index:seat>/leave", 200, "LeftSeat",
    body=bodies.LeaveBody, who="seat", refusals=(403, 404, 409, 503),
)  # fmt: skip
def leave_seat(body: Json, game_id: str, seat: int) -> Response:
    """Leave a seat to a computer player

    The seat's token is no longer valid afterwards.
    """
    own = seat_of(game_id)
    check_seat(game_id, seat)
    if own != seat:
        raise Refusal(403, "not-your-seat")
    return answer({"version": store().leave(game_id, seat, body["replacement"])}, headers=SECRET)


@games.operation(
    "POST", "/<game:game_id>/seats/<index:seat>/replace", 200, "ReplacedSeat",
    body=bodies.ReplaceBody, who="seat", refusals=(403, 404, 409, 503),
)  # fmt: skip
def replace_player(body: Json, game_id: str, seat: int) -> Response:
    """Let a computer player go on for another seat, whose player is absent

    The seat's token is no longer valid afterwards. `absent_at` says when this may be done.
    """
    own = seat_of(game_id)
    check_seat(game_id, seat)
    if own == seat:
        raise Refusal(403, "own-seat")
    return answer({"version": store().replace(game_id, seat, body["replacement"])}, headers=SECRET)


def check_seat(game_id: str, seat: int) -> None:
    if seat >= len(store().read(game_id).game.seats):
        raise Refusal(404, "no-such-seat")
