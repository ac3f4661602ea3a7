"""The log of a game's actions, as it is stored: one line an action, without what is usual."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

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


def entry_line(action: Json, outcome: Json) -> str:
    """An action and its outcome for the log; the commit script puts version and time before it."""
    noted = {key: value for key, value in outcome.items() if key not in USUAL or value != USUAL[key]}
    return json.dumps([action, noted], separators=(",", ":"))


def read_entry(index: int, line: bytes) -> LogEntry:
    version, at, rest = line.split(b" ", 2)
    action, noted = json.loads(rest)
    return LogEntry(index, int(version), moment(at), action["seat"], action, {**USUAL, "gained": [], **noted})


def read_action(line: bytes) -> Json:
    action: Json = json.loads(line.split(b" ", 2)[2])[0]
    return action


def moment(milliseconds: bytes | int) -> datetime:
    """The time, in UTC, so many milliseconds after the start of 1970."""
    return datetime.fromtimestamp(int(milliseconds) / 1000, UTC)
