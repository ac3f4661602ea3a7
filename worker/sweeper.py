"""The sweeper: no game waits for ever for an AI."""

from __future__ import annotations

import ai
from worker.errors import NewerFormat, NoSuchGame, StaleVersion
from worker.log import logger
from worker.metrics import FALLBACKS, RESCUES, Tally
from worker.store import Store, Turn


def sweep(store: Store) -> int:
    """Look after every AI turn that counts as lost: how many there were.

    Such a turn is queued again; when that has been done `ai_attempts` times, a quick legal move is played
    instead. Any number of sweepers may run.
    """
    turns = store.overdue()
    for turn in turns:
        try:
            _rescue(store, turn)
        except (NoSuchGame, StaleVersion, NewerFormat):
            continue
        except Exception:
            # One game that cannot be helped must not keep the others waiting.
            logger().exception("rescue_failed", game=turn.id, version=turn.version, attempt=turn.attempt)
    return len(turns)


def _rescue(store: Store, turn: Turn) -> None:
    stored = store.read(turn.id)
    seat = stored.game.seat_to_act
    if stored.version != turn.version or seat is None:
        return
    player = stored.game.seats[seat]["player"]
    if player not in ai.PLAYERS:
        return
    known = {
        "game": turn.id,
        "version": turn.version,
        "seat": seat,
        "player": player,
        "attempt": turn.attempt,
    }
    tally = Tally()
    if turn.attempt <= store.settings.ai_attempts:
        store.enqueue(turn, player)
        tally.count(RESCUES)
        tally.hand_over(store.client)
        logger().warning("turn_queued_again", **known)
        return
    store.act(turn.id, seat, ai.fallback(stored.game.observe(seat)), turn.version)
    logger().error("fallback_played", **known)
    tally.count(FALLBACKS)
    tally.hand_over(store.client)
