"""One rematch of a finished game, of which the old table tells everybody who sat there."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask

from engine import Game
from tests.api.tables import GAMES, HUMANS, Client, Table, error_code
from worker import RematchMade, Store

OPEN = [{"name": seat["name"], "player": "open"} for seat in HUMANS]


def nearly_over() -> dict[str, Any]:
    """The record of a game of two that lacks its last action, and that action."""
    game = Game.new("cooperative", list(HUMANS), seed=5)
    while not game.over:
        game.apply(game.legal_actions()[0])
    record = game.record()
    last = record["actions"].pop()
    return {"record": {**record, "result": None}, "last": last}


def finished(client: Client) -> Table:
    record, last = nearly_over().values()
    table = client.imported(record)
    assert table.act(last, last["seat"]).status_code == 201
    assert table.read()["over"]
    return table


def rematch(client: Client, table: Table, seat: int | None = 0, **more: Any) -> Any:
    body = {"mode": "cooperative", "seats": OPEN, "after": table.id, **more}
    return client.post(GAMES, body, token=table.token(seat))


def test_everybody_at_the_old_table_is_told_the_rematch(client: Client):
    table = finished(client)
    before = {seat: table.get(seat=seat) for seat in (0, 1, None)}
    assert {answer.get_json()["next_game"] for answer in before.values()} == {None}
    created = rematch(client, table)
    assert created.status_code == 201
    for seat, answer in before.items():
        again = table.get(seat=seat, headers={"If-None-Match": answer.headers["ETag"]})
        assert (again.status_code, again.get_json()["next_game"]) == (200, created.get_json()["id"])
    new = client.get(f"{GAMES}/{created.get_json()['id']}").get_json()
    assert [seat["player"] for seat in new["seats"]] == ["open", "open"]
    assert (new["next_game"], new["over"]) == (None, False)


def test_a_second_rematch_is_answered_with_the_first_ones_id(client: Client):
    table = finished(client)
    first = rematch(client, table, 0).get_json()["id"]
    second = rematch(client, table, 1)
    assert (second.status_code, error_code(second)) == (409, "rematch-made")
    assert second.get_json()["params"] == {"game": first}


def test_two_rematches_at_once_leave_one_game(client: Client, app: Flask):
    table = finished(client)
    games: Store = app.extensions["store"]

    def make(seat: int) -> str:
        try:
            return games.create(Game.new("cooperative", OPEN), public=True, after=table.id).id
        except RematchMade as refused:
            return refused.next_game

    with ThreadPoolExecutor(8) as pool:
        made = set(pool.map(make, range(8)))
    assert made == {table.read()["next_game"]}
    listed, _ = games.list_public(limit=50)
    assert [game.id for game in listed if game.id in made or game.mode == "cooperative"] == list(made)


def test_only_who_sat_there_makes_the_rematch(client: Client):
    table, other = finished(client), client.table()
    assert error_code(rematch(client, table, None)) == "no-token"
    body = {"mode": "cooperative", "seats": OPEN, "after": table.id}
    assert error_code(client.post(GAMES, body, token=other.token(0))) == "wrong-token"
    assert error_code(client.post(GAMES, {**body, "after": "nogame"}, token=table.token(0))) == "no-such-game"
    assert table.read()["next_game"] is None


@pytest.mark.parametrize("after", ["", "a b", "../x", 7, None, "x" * 41])
def test_anything_else_than_a_games_id_is_refused(client: Client, after: Any):
    body = {"mode": "cooperative", "seats": OPEN, "after": after}
    assert client.post(GAMES, body).status_code == 400


def test_a_game_has_no_rematch_before_its_end(client: Client):
    table = client.table()
    answer = rematch(client, table)
    assert (answer.status_code, error_code(answer)) == (409, "not-over")
    assert table.read()["next_game"] is None


def test_a_refused_rematch_leaves_the_old_game_as_it_was(client: Client):
    table = finished(client)
    version = table.read()["version"]
    assert rematch(client, table, seats=OPEN * 3).status_code in (400, 422)
    assert (table.read()["version"], table.read()["next_game"]) == (version, None)
    assert rematch(client, table).status_code == 201
