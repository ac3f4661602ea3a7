"""What must be true after the faults: read from the store, started anew from its files."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import ai
from bench.soak.tables import Table
from engine import Game
from worker import LogEntry, Store, Stored

LATE = 10.0  # seconds in which an AI moves once things are back

Spans = list[tuple[float, float]]


def all_games(store: Store) -> list[str]:
    """The ids of every game in the store."""
    return sorted(
        key.decode().split(":")[2]
        for key in store.client.scan_iter("sb:game:*", count=1000)
        if key.count(b":") == 2
    )


def whole_log(store: Store, id: str) -> list[LogEntry]:
    return store.log(id, limit=10_000)


def game_faults(store: Store, id: str) -> list[str]:
    """What is wrong with a stored game by itself."""
    stored = store.load(id)
    game = stored.game
    found = []
    log = whole_log(store, id)
    if [entry.action for entry in log] != game.actions:
        found.append("the log and the record differ")
    versions = [entry.version for entry in log]
    if any(later <= sooner for sooner, later in pairwise([0, *versions, stored.version + 1])):
        found.append(f"versions do not rise: {versions} at {stored.version}")
    if Game.from_record(game.record()).state_bytes() != game.state_bytes():
        found.append("the record does not replay to the stored state")
    seat = game.seat_to_act
    if seat is not None and game.seats[seat]["player"] in ai.PLAYERS:
        found.append("it still waits for an AI")
    return [f"{id}: {what}" for what in found]


def table_faults(store: Store, table: Table) -> list[str]:
    """What was acknowledged to the players of a table and is not so, or the other way round."""
    log = {entry.version: entry for entry in whole_log(store, table.id)}
    undone = {entry.version for entry in store.history(table.id)[1]}
    found = []
    for told in table.played:
        entry = log.get(told.version)
        if told.undone:
            if entry is not None or told.version not in undone:
                found.append(f"version {told.version} was taken back, and still stands")
        elif entry is None or entry.seat != told.seat or entry.action != told.action:
            found.append(f"version {told.version} was acknowledged, and is lost")
    acknowledged = {told.version for told in table.played if not told.undone}
    found += [
        f"version {entry.version} stands, and nobody was told"
        for entry in log.values()
        if entry.seat in table.tokens and entry.version not in acknowledged
    ]
    return [f"{table.id}: {what}" for what in found]


def waits_for_ais(stored: Stored, log: list[LogEntry], left: Iterable[int] = ()) -> list[tuple[float, float]]:
    """From when to when each AI's action was waited for, where that is known."""
    ais = {
        seat
        for seat, holder in enumerate(stored.game.seats)
        if holder["player"] in ai.PLAYERS and seat not in left
    }
    waits = []
    version, at = 1, stored.created_at
    for entry in log:
        # Where something else changed in between, the log does not tell when the turn began.
        if entry.seat in ais and entry.version == version + 1:
            waits.append((at.timestamp(), entry.at.timestamp()))
        version, at = entry.version, entry.at
    return waits


def calm_wait(wait: tuple[float, float], trouble: Spans) -> float:
    """The longest stretch of a wait in which nothing was amiss, in seconds."""
    since, until = wait
    longest = 0.0
    for began, ended in sorted(trouble):
        if began >= until:
            break
        longest = max(longest, began - since)
        since = max(since, ended)
    return max(longest, until - since)
