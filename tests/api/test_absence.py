"""Replacing a player who stays away, over HTTP."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from flask import Flask

from engine import Game
from tests.api.tables import GAMES, HUMANS, Client, Table, error_code
from tests.api.test_games import first_seed_where

THREE = [*HUMANS, {"name": "Hoa", "player": "human"}]


def let_pass(app: Flask, table: Table, minutes: int) -> None:
    """Make the game's last change so much older."""
    app.extensions["store"].client.hincrby(f"sb:game:{table.id}", "updated_at", -minutes * 60_000)


def waiting(client: Client, **more: Any) -> Table:
    """A game of two that waits for seat 0, which counts as absent after ten minutes."""
    return client.table(seed=first_seed_where(0), absence_minutes=10, **more)


def replace(table: Table, seat: int, by: int | None, replacement: str = "good") -> Any:
    return table.post(f"/seats/{seat}/replace", {"replacement": replacement}, seat=by)


def test_everybody_is_told_when_the_seat_to_act_counts_as_absent(client: Client):
    table = waiting(client)
    for seat in (0, 1, None):
        read = table.read(seat)
        assert read["absence_minutes"] == 10
        changed = datetime.fromisoformat(read["updated_at"])
        assert datetime.fromisoformat(read["absent_at"]) == changed + timedelta(minutes=10)
        assert read["absent_at"].endswith("Z")
    plain = client.table().read()
    assert (plain["absence_minutes"], plain["absent_at"]) == (None, None)


def test_an_imported_game_can_have_a_time_for_absence_too(client: Client):
    record = Game.new("competitive", list(HUMANS), seed=1).record()
    body = {"record": record, "purpose": "play", "absence_minutes": 3}
    created = client.post("/api/v1/imports", body).get_json()
    assert client.get(f"{GAMES}/{created['id']}").get_json()["absence_minutes"] == 3


@pytest.mark.parametrize("minutes", [1, 10_080])
def test_the_time_is_from_a_minute_to_a_week(client: Client, minutes):
    assert client.table(absence_minutes=minutes).read()["absence_minutes"] == minutes


@pytest.mark.parametrize("minutes", [0, 10_081, -1, 1.5, "10", None, True, 2**60])
def test_any_other_time_is_refused(client: Client, minutes):
    body = {"mode": "competitive", "seats": list(HUMANS), "absence_minutes": minutes}
    answer = client.post(GAMES, body)
    assert (answer.status_code, list(answer.get_json()["params"].get("fields", {}))) in (
        (400, ["absence_minutes"]),
        (400, []),  # 2**60 is no number that JSON readers keep
    )


def test_who_waits_replaces_the_absent_player_and_the_token_is_dead(app: Flask, client: Client):
    table = waiting(client)
    let_pass(app, table, 10)
    before = table.get(seat=1)
    answer = replace(table, 0, by=1)
    assert (answer.status_code, answer.get_json()) == (200, {"version": table.version + 1})
    assert answer.headers["Cache-Control"] == "no-store"
    read = table.read(1)
    assert read["seats"][0] == {"seat": 0, "name": "Lan", "player": "good"}
    assert read["absent_at"] is None
    assert table.get(seat=1).headers["ETag"] != before.headers["ETag"]
    dead = table.get(seat=0)
    assert (dead.status_code, error_code(dead)) == (401, "wrong-token")


def test_before_that_the_refusal_says_when(app: Flask, client: Client):
    table = waiting(client)
    let_pass(app, table, 9)
    before = table.everything()
    answer = replace(table, 0, by=1)
    assert (answer.status_code, error_code(answer)) == (409, "not-absent")
    assert answer.get_json()["params"] == {"absent_at": table.read()["absent_at"]}
    assert table.everything() == before


@pytest.mark.parametrize(
    ("seat", "by", "replacement", "status", "code"),
    [
        (1, 2, "good", 409, "not-absent"),  # it is not to act
        (0, 0, "good", 403, "own-seat"),
        (0, None, "good", 401, "no-token"),
        (3, 1, "good", 404, "no-such-seat"),
        (9_999_999, 1, "good", 404, "not-found"),
        (0, 1, "human", 400, "bad-fields"),
        (0, 1, "open", 400, "bad-fields"),
        (0, 1, "hal9000", 400, "bad-fields"),
    ],
)
def test_what_is_refused_changes_nothing(app: Flask, client: Client, seat, by, replacement, status, code):
    seed = next(s for s in range(99) if client.table(seats=THREE, seed=s).read()["seat_to_act"] == 0)
    table = client.table(seats=THREE, seed=seed, absence_minutes=10)
    let_pass(app, table, 20)
    before = table.everything()
    answer = replace(table, seat, by, replacement)
    assert (answer.status_code, error_code(answer)) == (status, code)
    if code == "not-absent":
        assert answer.get_json()["params"] == {"absent_at": None}
    assert table.everything() == before


def test_a_wrong_token_replaces_nobody(app: Flask, client: Client):
    table, other = waiting(client), client.table()
    let_pass(app, table, 20)
    body = {"replacement": "good"}
    for token in ("x" * 43, other.tokens["1"]):
        answer = client.post(f"{table.url}/seats/0/replace", body, token=token)
        assert (answer.status_code, error_code(answer)) == (401, "wrong-token")
    assert table.read()["seats"][0]["player"] == "human"


def test_without_a_time_nobody_is_ever_replaced(app: Flask, client: Client):
    table = client.table(seed=first_seed_where(0))
    let_pass(app, table, 1_000_000)
    answer = replace(table, 0, by=1)
    assert (answer.status_code, answer.get_json()["params"]) == (409, {"absent_at": None})


def test_a_computer_players_seat_is_not_replaced(client: Client):
    table = client.table(seats=[*HUMANS, {"player": "good"}], seed=first_seed_where(0), absence_minutes=1)
    answer = replace(table, 2, by=1)
    assert (answer.status_code, error_code(answer)) == (409, "seat-not-held")
