"""Game records brought in: to go on playing, or to look at."""

from __future__ import annotations

import unicodedata
from typing import Any

from flask import Response

from api import bodies
from api.errors import Refusal
from api.resources.games import created_answer
from api.schemas import SEAT_PLAYERS
from api.spec import LOCATION, Routes
from api.viewers import store
from engine import Game

Json = dict[str, Any]

imports = Routes("imports", __name__, url_prefix="/api/v1/imports", description="Bring a game record in")

RECORD_LIMIT = 262_144


@imports.operation(
    "POST", "", 201, "CreatedGame",
    body=bodies.ImportBody, refusals=(422, 503), headers=LOCATION, body_limit=RECORD_LIMIT, rate="imports",
)  # fmt: skip
def import_record(body: Json) -> Response:
    """Load a game record as a new game or as a replay

    To play, the record's human seats get new tokens and everybody is told that the deal came from a record.
    A replay shows every hand, and nobody may change it.
    """
    game = Game.from_record(body["record"])
    replay = body["purpose"] == "replay"
    check_seats(game, replay)
    if game.over and not replay:
        raise Refusal(422, "record-finished")
    created = store().create(
        game,
        public=body.get("public", False),
        deal="record",
        replay=replay,
        hints=body.get("hints", False),
        absence_minutes=body.get("absence_minutes"),
    )
    return created_answer(created)


def check_seats(game: Game, replay: bool) -> None:
    """Names must be text that can be shown; to play, every computer player must be one of ours."""
    for index, seat in enumerate(game.seats):
        if any(unicodedata.category(letter) == "Cc" for letter in seat["name"] + seat["player"]):
            wrong = {f"record.seats.{index}": ["Control characters are not allowed."]}
            raise Refusal(400, "bad-fields", location="body", fields=wrong)
        if not replay and seat["player"] not in SEAT_PLAYERS:
            raise Refusal(422, "unknown-player", player=seat["player"])
