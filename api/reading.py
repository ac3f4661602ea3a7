"""Games as answers: what a viewer may see of a stored game."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from engine import Game, Viewer, hide_outcome
from worker import LogEntry, Stored, Summary, UndoneEntry

Json = dict[str, Any]

# When asking again is worth it, by who is to act (milliseconds)
POLL_AI = 300
POLL_PERSON = 1_500
POLL_OPEN_SEAT = 3_000
POLL_OWN_TURN = 5_000
POLL_OVER = 15_000
POLL_ADVICE = 300


def moment(at: datetime) -> str:
    """UTC in ISO 8601 with Z, to the millisecond."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def poll_after_ms(game: Game, viewer: Viewer, replay: bool) -> int:
    """How long a polling client may wait: a matter of version and viewer alone, as the ETag is."""
    if replay or game.seat_to_act is None:
        return POLL_OVER
    if game.seat_to_act == viewer:
        return POLL_OWN_TURN
    return {"human": POLL_PERSON, "open": POLL_OPEN_SEAT}.get(game.seats[game.seat_to_act]["player"], POLL_AI)


def view(game: Game, eyes: Viewer | str) -> Json:
    """`Game.view`, with "all" for eyes that see every hand (replays only)."""
    if eyes != "all":
        return game.view(eyes)  # type: ignore[arg-type]
    seen = game.view("spectator")
    for player in seen["players"]:
        player["hand"] = game.view(player["seat"])["players"][player["seat"]]["hand"]
    return seen


def game_read(stored: Stored, viewer: Viewer) -> Json:
    """The `Game` answer."""
    game = stored.game
    return {
        "id": stored.id,
        "version": stored.version,
        "viewer": viewer,
        **game.settings,
        "public": stored.public,
        "deal": stored.deal,
        "replay": stored.replay,
        "hints": stored.hints,
        "absence_minutes": stored.absence_minutes,
        "absent_at": None if stored.absent_at is None else moment(stored.absent_at),
        "created_at": moment(stored.created_at),
        "updated_at": moment(stored.updated_at),
        "next_game": stored.next_game,
        **view(game, "all" if stored.replay else viewer),
        "can_undo": stored.undoable > 0 and game.seat_to_act == viewer,
        "poll_after_ms": poll_after_ms(game, viewer, stored.replay),
    }


def all_is_known(stored: Stored) -> bool:
    """Whether nothing is hidden from anybody any more."""
    return stored.replay or stored.game.over


def played_action(entry: LogEntry, stored: Stored, viewer: Viewer) -> Json:
    """The `PlayedAction` answer, its outcome masked for the viewer."""
    all_seen = all_is_known(stored) or stored.game.open_hands
    return {
        "index": entry.index,
        "version": entry.version,
        "at": moment(entry.at),
        "seat": entry.seat,
        "action": entry.action,
        "outcome": hide_outcome(entry.outcome, entry.seat, viewer, all_seen),
    }


def taken_back(entry: UndoneEntry) -> Json:
    """The `TakenBack` answer. What came of it is not told: the game is as if it had not been played."""
    return {
        "index": entry.index,
        "version": entry.version,
        "undone_version": entry.undone_version,
        "at": moment(entry.at),
        "seat": entry.seat,
        "action": entry.action,
    }


def position(stored: Stored, index: int, eyes: Viewer | str) -> Json:
    """The `Position` answer; `stored` must have its actions, at least `index` of them."""
    record = stored.game.record()
    whole = index == len(record["actions"])
    if not whole:
        record = {**record, "actions": record["actions"][:index], "result": None}
        record.pop("ended", None)
    return {"index": index, "viewer": eyes, **view(stored.game if whole else Game.from_record(record), eyes)}


def summary(entry: Summary) -> Json:
    """The `GameSummary` answer."""
    return {
        "id": entry.id,
        "mode": entry.mode,
        "seats": [{"seat": index, **seat} for index, seat in enumerate(entry.seats)],
        "seat_to_act": entry.seat_to_act,
        "over": entry.over,
        "result": entry.result,
        "actions_played": entry.actions_played,
        "created_at": moment(entry.created_at),
        "updated_at": moment(entry.updated_at),
        "deal": entry.deal,
    }
