"""The log of a game's actions, as it is stored: one short line an action."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from engine import CARD_NAMES

Json = dict[str, Any]

# What an outcome says when nothing of note happened; a line holds only what differs from it.
USUAL: Json = {
    "drawn": None,
    "hidden": False,
    "refill": None,
    "cost": None,
    "covered": None,
    "gained": [],
    "animal_token": None,
    "ascended": None,
    "years": 0,
    "turn_over": False,
    "last_round": None,
    "over": False,
}

# What lines are likely to say, so that a line of 150 bytes packs into 30: a game's log is most of what it
# takes in the store. Stored lines can be read only with these very phrases.
_PHRASES = (
    ",".join(f'"{name}"' for name in CARD_NAMES)
    + '"ascended":"drawn":"hidden":true,"turn_over":true,"over":true,'
    '"last_round":"refill":"covered":"animal_token":{"animal":"from":"years":"by":"move","by":"ascension",'
    '"from":{"from":"supply"}},"gained":[{"element":"by":"space","from":{"from":"space","space":'
    '[{"seat":2,"type":"pass"},{[{"seat":3,"type":"discard","cards":["[{"seat":1,"type":"draw","source":"deck"},'
    '[{"seat":0,"type":"summon","card":"space":1,"move":{"from":,"to":"move":null,"pay":{"cards":[],"tokens":0},'
    '"gain":{"from":"seat","seat":"gain":null},{"cost":'
).encode()
_WINDOW = 12  # the base 2 logarithm of more than their length


@dataclass(frozen=True)
class LogEntry:
    """One action of the log: `index` in the game's record, the game's `version` after it, who did what, and
    what came of it. The outcome is the whole truth: mask it before a viewer sees it."""

    index: int
    version: int
    at: datetime
    seat: int
    action: Json
    outcome: Json


@dataclass(frozen=True)
class UndoneEntry:
    """An action that was taken back at `undone_version`; the rest as it stood in the log."""

    index: int
    version: int
    undone_version: int
    at: datetime
    seat: int
    action: Json


def pack_entry(action: Json, outcome: Json) -> bytes:
    """An action and its outcome for the log; the commit script puts version and time before it."""
    noted = {key: value for key, value in outcome.items() if key not in USUAL or value != USUAL[key]}
    packer = zlib.compressobj(9, zlib.DEFLATED, -_WINDOW, 5, zlib.Z_DEFAULT_STRATEGY, _PHRASES)
    return packer.compress(json.dumps([action, noted], separators=(",", ":")).encode()) + packer.flush()


def read_entry(index: int, line: bytes) -> LogEntry:
    """The log entry at `index`."""
    version, at, packed = line.split(b" ", 2)
    action, noted = _unpack(packed)
    return LogEntry(index, int(version), moment(at), action["seat"], action, {**USUAL, "gained": [], **noted})


def read_undone(line: bytes) -> UndoneEntry:
    """The entry of an action that was taken back: the commit script put index and version before its line."""
    index, undone_version, rest = line.split(b" ", 2)
    entry = read_entry(int(index), rest)
    return UndoneEntry(entry.index, entry.version, int(undone_version), entry.at, entry.seat, entry.action)


def read_action(line: bytes) -> Json:
    """The action alone."""
    return _unpack(line.split(b" ", 2)[2])[0]


def _unpack(packed: bytes) -> tuple[Json, Json]:
    action, noted = json.loads(zlib.decompressobj(-_WINDOW, _PHRASES).decompress(packed))
    return action, noted


def moment(milliseconds: bytes | int) -> datetime:
    """The time, in UTC, so many milliseconds after the start of 1970."""
    return datetime.fromtimestamp(int(milliseconds) / 1000, UTC)
