"""Ladders: made by whoever runs the service, watched by everybody."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from flask import Response

from ai import PLAYERS
from ai.ladder import BadLadder, Entrant, Ladder, Played, check_ladder
from api import bodies
from api.errors import Refusal
from api.reading import moment
from api.spec import LOCATION, Routes, answer
from api.standings import Standings, standings
from api.viewers import check_admin, store
from worker import (
    LadderRead,
    create_ladder,
    ladder_matches,
    ladder_record,
    list_ladders,
    read_ladder,
    set_ladder_state,
)

Json = dict[str, Any]

ladders = Routes(
    "ladders", __name__, url_prefix="/api/v1/ladders", description="Computer players against each other"
)

POLL_RUNNING = 2_000
POLL_RESTING = 15_000
FRESH = {"Cache-Control": "no-cache"}


@ladders.operation(
    "POST", "", 201, "CreatedLadder",
    body=bodies.LadderBody, who="admin", refusals=(403, 422, 503), headers=LOCATION, rate="ladders",
)  # fmt: skip
def start_ladder(body: Json) -> Response:
    """Begin a ladder

    Needs the administrator's token. Players are levels, and the bots that the server's settings name.
    """
    check_admin()
    bots = store().settings.named_bots
    entrants = [_entrant(player, bots) for player in body["players"]]
    ladder = Ladder(
        tuple(entrants),
        seats=body["seats"],
        games=body["games"],
        seed=body.get("seed", 1),
        mode=body["mode"],
        gauntlet=body.get("gauntlet", False),
        options=body.get("options", {}),
    )
    name = body.get("name", ", ".join(entrant.name for entrant in entrants))[:80]
    try:
        check_ladder(ladder)
        id = create_ladder(store(), name, ladder)
    except BadLadder as problem:
        raise Refusal(422, "bad-ladder", problem=str(problem).rstrip(".")) from problem
    return answer({"id": id}, 201, {"Location": f"/api/v1/ladders/{id}"})


def _entrant(player: Json, bots: dict[str, str]) -> Entrant:
    played: str = player["player"]
    # Never a path from outside: a level, or a bot by the name that the settings give it.
    if played not in bots and played not in PLAYERS:
        raise Refusal(422, "unknown-player", player=played)
    name: str = player.get("name", played)
    return Entrant(
        name=name,
        player=bots.get(played, played),
        seconds=player.get("seconds"),
        iterations=player.get("iterations"),
    )


@ladders.operation("GET", "", 200, "LadderList", refusals=(503,))
def get_ladders() -> Response:
    """List ladders, the newest first"""
    body = {
        "ladders": [_summary(read) for read in list_ladders(store())],
        "bots": sorted(store().settings.named_bots),
    }
    return answer(body, headers=FRESH)


@ladders.operation("GET", "/<game:ladder_id>", 200, "Ladder", refusals=(404, 503))
def get_ladder(ladder_id: str) -> Response:
    """Read how a ladder stands"""
    read = read_ladder(store(), ladder_id)
    table = _table(ladder_id, read)
    body = {
        **_summary(read),
        "seed": read.ladder.seed,
        "gauntlet": read.ladder.gauntlet,
        "options": read.ladder.options,
        "workers": read.workers,
        "method": None if table is None else table.method,
        "standings": [] if table is None else [_line(line) for line in table.lines],
        "pairings": [] if table is None else _pairings(table),
        "poll_after_ms": POLL_RUNNING if read.state == "running" else POLL_RESTING,
    }
    return answer(body, headers=FRESH)


@ladders.operation(
    "GET", "/<game:ladder_id>/matches", 200, "LadderMatches", query=bodies.MatchesQuery, refusals=(404, 503)
)
def get_matches(query: Json, ladder_id: str) -> Response:
    """List the games of the matches played, in the order of the schedule"""
    read = read_ladder(store(), ladder_id)
    matches = ladder_matches(store(), ladder_id)
    indexes = [index for index in matches if index > query["after"]]
    shown = indexes[: query["limit"]]
    body = {
        "matches": [
            {"index": index, "games": [_game(read.ladder, game) for game in matches[index]]}
            for index in shown
        ],
        "next_after": shown[-1] if len(indexes) > len(shown) else None,
    }
    return answer(body, headers=FRESH)


@ladders.operation(
    "GET", "/<game:ladder_id>/matches/<index:match>/games/<index:game>/record", 200, "Record",
    refusals=(404, 503),
)  # fmt: skip
def get_ladder_record(ladder_id: str, match: int, game: int) -> Response:
    """Export the record of a ladder's game"""
    read_ladder(store(), ladder_id)
    record = ladder_record(store(), ladder_id, match, game)
    if record is None:
        raise Refusal(404, "no-such-match")
    return answer(record, headers=FRESH)


@ladders.operation(
    "POST", "/<game:ladder_id>/<any(pause,resume,stop):change>", 200, "LadderState",
    who="admin", refusals=(403, 404, 409, 503), rate="ladders",
)  # fmt: skip
def change_ladder(ladder_id: str, change: str) -> Response:
    """Pause, resume or stop a ladder

    Matches under way are finished. What is stopped does not go on.
    """
    check_admin()
    state: Any = {"pause": "paused", "resume": "running", "stop": "stopped"}[change]
    set_ladder_state(store(), ladder_id, state)
    return answer({"state": state})


def _summary(read: LadderRead) -> Json:
    return {
        "id": read.id,
        "name": read.name,
        "state": read.state,
        "created_at": moment(read.created_at),
        "mode": read.ladder.mode,
        "seats": read.ladder.seats,
        "players": [entrant.name for entrant in read.ladder.entrants],
        "matches": read.matches,
        "played": read.played,
        "games": read.matches * read.ladder.rotations,
    }


def _table(ladder_id: str, read: LadderRead) -> Standings | None:
    return _standings(ladder_id, read.played) if read.played else None


@lru_cache(maxsize=64)
def _standings(ladder_id: str, _played: int) -> Standings:
    """The standings; they change only with the number of matches played."""
    matches = ladder_matches(store(), ladder_id)
    return standings(read_ladder(store(), ladder_id).ladder, list(matches.values()))


def _line(line: Any) -> Json:
    rating = line.rating
    return {
        "name": line.name,
        "rating": round(rating.value, 2),
        "low": round(rating.low, 2),
        "high": round(rating.high, 2),
        "games": line.games,
        "wins": round(line.wins, 3),
        "mean": round(line.mean, 4),
        "seconds_per_action": round(line.seconds_per_action, 4),
        "faults": line.faults,
    }


def _pairings(table: Standings) -> list[Json]:
    return [
        {"player": mine, "against": theirs, "games": games, "won": won}
        for mine, others in table.pairings.items()
        for theirs, (games, won) in others.items()
    ]


def _game(ladder: Ladder, game: Played) -> Json:
    return {
        "seats": [ladder.entrants[entrant].name for entrant in game.seats],
        "shares": [round(share, 4) for share in game.shares],
        "places": list(game.places),
        "fault": game.fault,
        "faulty_seat": game.faulty_seat,
    }
