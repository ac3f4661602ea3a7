"""What the API accepts: strict schemas of request bodies and query strings."""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from typing import Any

import marshmallow as ma
from marshmallow import fields, validate

from api.schemas import LONGEST_ABSENCE, MAX_SEED, MAX_VERSION, NAME_LENGTH, REPLACEMENTS, SEAT_PLAYERS
from engine import OPTION_CHOICES, board_names

LADDER_GAMES = 5_000
LADDER_SECONDS = 10.0
LADDER_ITERATIONS = 1_000_000
WAIT_SECONDS = 20
PAGE_LENGTH = 100
# Neither a space nor one of the characters that take no room or only turn text about.
SEEN = (
    r"[^\s\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    r"\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0]"
)
_DIGITS = re.compile(r"-?[0-9]{1,16}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Strict(ma.Schema):
    class Meta:
        unknown = ma.RAISE


class Whole(fields.Integer):
    """A whole number written as one: 1.0, 2.6e-42, true and "1" are none."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if type(value) is not int:
            raise self.make_error("invalid", input=value)
        return value


class WholeText(Whole):
    """The same in a query string, in plain digits (`int` alone would also take `+1`, `1_0` and `１`)."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if not isinstance(value, str) or not _DIGITS.fullmatch(value):
            raise self.make_error("invalid", input=value)
        return int(value)


class Number(fields.Float):
    """A number written as one: true and "1" are none."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> float:
        if type(value) not in (int, float):
            raise self.make_error("invalid", input=value)
        return float(value)


class Flag(fields.Boolean):
    """true or false, and nothing that merely looks like them."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class IsoDay(fields.Date):
    """A day as YYYY-MM-DD only, not the other forms of ISO 8601."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> date:
        if not isinstance(value, str) or not _DATE.fullmatch(value):
            raise self.make_error("invalid", input=value, obj_type="date")
        try:
            return date.fromisoformat(value)
        except ValueError as error:
            raise self.make_error("invalid", input=value, obj_type="date") from error


class Name(fields.String):
    """A person's name: any script, no control characters, at most 40 characters, and one that can be seen."""

    def __init__(self, **kwargs: Any) -> None:
        seen = validate.Regexp(rf".*{SEEN}", re.DOTALL, error="A name has a letter that can be seen.")
        super().__init__(validate=[validate.Length(1, NAME_LENGTH), seen], **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        text = str(super()._deserialize(value, attr, data, **kwargs))
        if any(unicodedata.category(letter) == "Cc" for letter in text):
            raise ma.ValidationError("Control characters are not allowed.")
        return text


class Described(fields.Dict):
    """A JSON object that the engine itself checks; the OpenAPI document refers to its schema."""

    def __init__(self, schema: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.schema_name = schema


class Absence(Whole):
    """Minutes after which who lets the others wait counts as absent."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            validate=validate.Range(1, LONGEST_ABSENCE),
            metadata={
                "description": "After so long a wait the person to act may be replaced; never when left out"
            },
            **kwargs,
        )


class SeatBody(Strict):
    name = Name(metadata={"description": "Left out: the player's usual name", "examples": ["Lan"]})
    player = fields.String(
        required=True, validate=validate.OneOf(SEAT_PLAYERS), metadata={"examples": ["human"]}
    )


class OptionsBody(Strict):
    """Co-operative only; what is left out takes its default."""

    element_tokens = Flag()
    scoring = fields.String(validate=validate.OneOf(OPTION_CHOICES["scoring"]))
    hands = fields.String(validate=validate.OneOf(OPTION_CHOICES["hands"]))
    move = fields.String(validate=validate.OneOf(OPTION_CHOICES["move"]))


class NewGameBody(Strict):
    mode = fields.String(required=True, validate=validate.OneOf(["competitive", "cooperative"]))
    seats = fields.List(
        fields.Nested(SeatBody),
        required=True,
        validate=validate.Length(1, 4),
        metadata={"description": "2-4 seats to compete, 1-4 to co-operate"},
    )
    options = fields.Nested(OptionsBody)
    board = fields.String(validate=validate.OneOf(board_names()))
    seed = Whole(
        validate=validate.Range(0, MAX_SEED),
        metadata={
            "description": "The same seed gives the same deal; everybody is told that a seed was chosen"
        },
    )
    public = Flag(metadata={"description": "Listed for everybody; false when left out"})
    hints = Flag(
        metadata={
            "description": "The seat to move may ask for a hint; everybody is told so. False when left out"
        }
    )
    absence_minutes = Absence()
    after = fields.String(
        validate=validate.Regexp("^[A-Za-z0-9_-]{1,40}$"),
        metadata={
            "description": "The finished game whose rematch this is; takes a token of one of its seats"
        },
    )


class ImportBody(Strict):
    record = Described("Record", required=True)
    purpose = fields.String(
        required=True,
        validate=validate.OneOf(["play", "replay"]),
        metadata={"description": "Go on playing, or only look at it with every hand shown"},
    )
    public = Flag()
    hints = Flag()
    absence_minutes = Absence()


class ActBody(Strict):
    expected_version = Whole(required=True, validate=validate.Range(0, MAX_VERSION))
    action = Described("Action", required=True)


class UndoBody(Strict):
    expected_version = Whole(required=True, validate=validate.Range(0, MAX_VERSION))


class JoinBody(Strict):
    name = Name(required=True, metadata={"examples": ["Minh"]})


class LeaveBody(Strict):
    replacement = fields.String(required=True, validate=validate.OneOf(REPLACEMENTS))


class ReplaceBody(LeaveBody):
    pass


class EntrantBody(Strict):
    player = fields.String(
        required=True,
        validate=validate.Length(1, NAME_LENGTH),
        metadata={"description": "A level, or a bot that the server's settings name", "examples": ["good"]},
    )
    name = Name(metadata={"description": "Left out: the player's", "examples": ["quick"]})
    seconds = Number(
        validate=validate.Range(0.001, LADDER_SECONDS),
        allow_nan=False,
        metadata={"description": "Thinking time an action"},
    )
    iterations = Whole(
        validate=validate.Range(1, LADDER_ITERATIONS),
        metadata={"description": "Instead: tries an action, which makes games reproducible"},
    )


class LadderBody(Strict):
    name = Name(metadata={"examples": ["Levels"]})
    players = fields.List(fields.Nested(EntrantBody), required=True, validate=validate.Length(1, 16))
    mode = fields.String(load_default="competitive", validate=validate.OneOf(["competitive", "cooperative"]))
    seats = Whole(load_default=2, validate=validate.Range(1, 4))
    games = Whole(
        required=True,
        validate=validate.Range(1, LADDER_GAMES),
        metadata={"description": "At least so many; whole matches are played"},
    )
    seed = Whole(validate=validate.Range(0, MAX_SEED // 2_000_000))
    gauntlet = Flag(metadata={"description": "The first player against all others"})
    options = fields.Nested(OptionsBody)


class MatchesQuery(Strict):
    after = WholeText(
        load_default=-1,
        validate=validate.Range(-1, MAX_VERSION),
        metadata={"description": "Only matches of a higher index"},
    )
    limit = WholeText(load_default=PAGE_LENGTH, validate=validate.Range(1, PAGE_LENGTH))


class NothingQuery(Strict):
    pass


class ReadQuery(Strict):
    wait = WholeText(
        load_default=0,
        validate=validate.Range(0, WAIT_SECONDS),
        metadata={"description": "Seconds to wait for a change from the version in If-None-Match"},
    )


class ListQuery(Strict):
    cursor = fields.String(
        validate=validate.Length(1, 100), metadata={"description": "`next_cursor` of the page before"}
    )
    limit = WholeText(load_default=20, validate=validate.Range(1, PAGE_LENGTH))
    state = fields.String(
        validate=validate.OneOf(["open", "running", "over"]),
        metadata={
            "description": "open: a seat is free; running: every seat is held; over: ended, or a replay"
        },
    )


class LogQuery(Strict):
    after = WholeText(
        load_default=-1,
        validate=validate.Range(-1, MAX_VERSION),
        metadata={"description": "Only actions of a higher index"},
    )
    limit = WholeText(load_default=PAGE_LENGTH, validate=validate.Range(1, PAGE_LENGTH))


class PositionQuery(Strict):
    seat = fields.String(
        validate=validate.OneOf(["0", "1", "2", "3", "spectator", "all"]),
        metadata={"description": "Whose eyes; others' only when the game is over or a replay"},
    )


class AlmanacQuery(Strict):
    date = IsoDay(required=True, metadata={"description": "From 1901-01-01 to 2100-12-31"})
