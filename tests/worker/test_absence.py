"""A player who stays away can be replaced, by whoever waits, after the time set for the table."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from engine import Game
from tests.worker.conftest import everything, game_where, until
from worker import (
    BadToken,
    GameOver,
    NoSuchGame,
    NoSuchSeat,
    NotAbsent,
    ReadOnly,
    SeatNotHeld,
    Settings,
    StaleVersion,
    Store,
    UnknownPlayer,
)

OpenStore = Callable[[Settings], Store]
MINUTE = 60_000
DRAW = {"seat": 0, "type": "draw", "source": "deck"}


def let_pass(store: Store, id: str, minutes: float) -> None:
    """Make the game's last change so much older."""
    store.client.hincrby(f"sb:game:{id}", "updated_at", -int(minutes * MINUTE))


def test_the_seat_to_act_counts_as_absent_so_long_after_the_last_change(store: Store):
    id = store.create(game_where(0, "human", "human"), absence_minutes=10).id
    stored = store.read(id)
    assert stored.absence_minutes == 10
    assert stored.absent_at == stored.updated_at + timedelta(minutes=10)
    let_pass(store, id, 3)
    assert store.read(id).absent_at == stored.absent_at - timedelta(minutes=3)
    store.act(id, 0, DRAW, 1)
    later = store.read(id)
    assert later.absent_at == later.updated_at + timedelta(minutes=10) > stored.absent_at


def test_nobody_is_absent_where_no_time_was_set_or_no_person_is_to_act(store: Store):
    assert store.read(store.create(game_where(0, "human", "human")).id).absent_at is None
    for first, players in ((0, ("greedy", "human")), (0, ("open", "human"))):
        id = store.create(game_where(first, *players), absence_minutes=1).id
        assert (store.read(id).absence_minutes, store.read(id).absent_at) == (1, None)
    replay = store.create(game_where(0, "human", "human"), deal="record", replay=True, absence_minutes=1)
    assert store.read(replay.id).absent_at is None
    game = game_where(0, "human", "human")
    game.abandon()
    assert store.read(store.create(game, absence_minutes=1).id).absent_at is None


def test_a_game_stored_before_absence_could_be_set_is_read(store: Store):
    id = store.create(game_where(0, "human", "human"), absence_minutes=5).id
    store.client.hdel(f"sb:game:{id}", "absence_minutes")
    assert (store.read(id).absence_minutes, store.read(id).absent_at) == (None, None)


def test_an_absent_players_seat_goes_to_an_ai_and_its_token_is_revoked(store: Store):
    created = store.create(game_where(0, "human", "human"), absence_minutes=10)
    let_pass(store, created.id, 10)
    assert store.replace(created.id, 0, "greedy") == 2
    stored = store.read(created.id)
    assert stored.game.seats[0] == {"name": "Seat 0", "player": "greedy"}
    assert stored.absent_at is None
    with pytest.raises(BadToken):
        store.seat_of(created.id, created.tokens[0])
    assert store.seat_of(created.id, created.tokens[1]) == 1
    assert store.client.zscore("sb:due", created.id) is not None


def test_the_ai_plays_on_at_once(running: Store):
    id = running.create(game_where(0, "human", "human"), absence_minutes=1).id
    let_pass(running, id, 1)
    running.replace(id, 0, "random")
    until(lambda: running.read(id).game.seat_to_act == 1, 30)


def test_a_seat_that_is_not_absent_is_not_replaced_and_nothing_changes(store: Store):
    id = store.create(game_where(0, "human", "human", "greedy", "open"), absence_minutes=10).id
    let_pass(store, id, 9.9)
    never = store.create(game_where(0, "human", "human")).id
    let_pass(store, never, 1e6)
    replay = store.create(game_where(0, "human", "human"), deal="record", replay=True).id
    abandoned = game_where(0, "human", "human")
    abandoned.abandon()
    over = store.create(abandoned, absence_minutes=1).id
    before = everything(store)
    with pytest.raises(NotAbsent) as refusal:
        store.replace(id, 0, "greedy")
    assert refusal.value.absent_at == store.read(id).absent_at
    for seat, game in ((1, id), (0, never)):
        with pytest.raises(NotAbsent) as refusal:
            store.replace(game, seat, "greedy")
        assert refusal.value.absent_at is None
    for attempt, expected in (
        (lambda: store.replace(id, 2, "greedy"), SeatNotHeld),
        (lambda: store.replace(id, 3, "greedy"), SeatNotHeld),
        (lambda: store.replace(id, 4, "greedy"), NoSuchSeat),
        (lambda: store.replace(id, 0, "human"), UnknownPlayer),
        (lambda: store.replace(replay, 0, "greedy"), ReadOnly),
        (lambda: store.replace(over, 0, "greedy"), GameOver),
        (lambda: store.replace("nowhere", 0, "greedy"), NoSuchGame),
    ):
        with pytest.raises(expected):
            attempt()
    assert everything(store) == before


def test_an_action_takes_the_absence_away(store: Store):
    game = Game.new("cooperative", [{"name": str(seat), "player": "human"} for seat in range(2)], seed=1)
    seat = game.seat_to_act
    assert seat is not None
    id = store.create(game, absence_minutes=10).id
    let_pass(store, id, 20)
    store.act(id, seat, {"seat": seat, "type": "draw", "source": 1}, 1)
    with pytest.raises(NotAbsent):
        store.replace(id, seat, "greedy")
    assert store.read(id).game.seats[seat]["player"] == "human"


def test_of_an_action_at_the_last_moment_and_a_replacement_one_wins(
    settings: Settings, open_store: OpenStore
):
    stores = [open_store(settings) for _ in range(3)]
    for _ in range(20):
        id = stores[0].create(game_where(0, "human", "human", "human"), absence_minutes=10).id
        let_pass(stores[0], id, 11)
        start = threading.Barrier(3)

        def do(who: int, id: str = id, start: Any = start) -> str:
            start.wait()
            try:
                if who == 0:
                    stores[0].act(id, 0, DRAW, 1)
                else:
                    stores[who].replace(id, 0, "greedy")
            except (StaleVersion, NotAbsent, SeatNotHeld) as refusal:
                return type(refusal).__name__
            return "done"

        with ThreadPoolExecutor(3) as threads:
            said = list(threads.map(do, range(3)))
        stored = stores[0].read(id)
        assert stored.version == 2
        if said[0] == "done":
            assert said[1:] == ["NotAbsent"] * 2
        else:
            assert [said[0], *sorted(said[1:])] == ["StaleVersion", "SeatNotHeld", "done"]
        assert (stored.game.seats[0]["player"] == "human") == (said[0] == "done")
