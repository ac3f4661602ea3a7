"""Hints for the seat to move, and the analysis of games that are over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from flask import Flask

import ai
from engine import Game
from tests.api.tables import Client, Json, Table, error_code
from worker import Settings, Store
from worker.advice import analyse_game, give_hint
from worker.moves import use

BOT = {"name": "Bot", "player": "human"}


@pytest.fixture(autouse=True)
def jobs(store_url: str) -> Iterator[None]:
    """Settings for jobs that are done in this process."""
    use(replace(Settings(redis_url=store_url), hint_iterations=300, analysis_iterations=60))
    yield
    use(Settings())


def stored(app: Flask) -> Store:
    found: Store = app.extensions["store"]
    return found


def mover(table: Table) -> int:
    return int(table.read()["seat_to_act"])


def test_a_hint_is_asked_for_polled_and_given(client: Client) -> None:
    table = client.table(hints=True)
    assert table.read()["hints"] is True
    seat = mover(table)
    assert error_code(table.get("/hint", seat=seat)) == "no-hint"
    asked = table.post("/hint", None, seat=seat)
    assert asked.status_code == 202
    assert asked.get_json() == {"version": 1, "candidates": None, "poll_after_ms": 300}
    assert table.get("/hint", seat=seat).get_json() == asked.get_json()
    give_hint(table.id, 1)
    hint = table.get("/hint", seat=seat)
    assert hint.status_code == 200
    assert hint.headers["Cache-Control"] == "no-store"
    candidates = hint.get_json()["candidates"]
    assert all(candidate["action"] in table.legal() for candidate in candidates)
    assert [candidate["visits"] for candidate in candidates] == sorted(
        (candidate["visits"] for candidate in candidates), reverse=True
    )
    assert hint.get_json()["poll_after_ms"] is None
    again = table.post("/hint", None, seat=seat)
    assert again.status_code == 200
    assert again.get_json() == hint.get_json()
    table.act(candidates[0]["action"])
    assert error_code(table.get("/hint", seat=mover(table))) == "no-hint"


def test_a_hint_in_co_op_tells_the_score_to_be_expected(client: Client) -> None:
    table = client.table("cooperative", [BOT], hints=True)
    table.post("/hint", None, seat=0)
    give_hint(table.id, 1)
    for candidate in table.get("/hint", seat=0).get_json()["candidates"]:
        assert 1 < candidate["outlook"][0] <= 60


def refused(table: Table, method: str, seat: int | None, token: str | None = None) -> tuple[int, str, Json]:
    token = table.token(seat) if token is None else token
    response = table.client.send(method, f"{table.url}/hint", token=token)
    return response.status_code, error_code(response), response.get_json()["params"]


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_only_the_seat_to_move_gets_a_hint_and_only_where_the_game_allows_it(
    client: Client, method: str
) -> None:
    table = client.table(hints=True)
    seat = mover(table)
    before = table.everything()
    assert refused(table, method, None) == (401, "no-token", {})
    assert refused(table, method, None, "x" * 43) == (401, "wrong-token", {})
    assert refused(table, method, 1 - seat) == (409, "not-your-turn", {"seat_to_act": seat})
    without = client.table()
    assert without.read()["hints"] is False
    assert refused(without, method, mover(without)) == (403, "hints-off", {})
    stranger = client.table(hints=True)
    assert refused(table, method, None, stranger.token(0)) == (401, "wrong-token", {})
    assert table.everything() == before
    gone = client.send(method, "/api/v1/games/nowhere/hint", token=table.token(0))
    assert error_code(gone) == "no-such-game"


@pytest.mark.parametrize("purpose", ["play", "replay"])
def test_an_imported_game_has_hints_if_it_was_said_so(client: Client, purpose: str) -> None:
    record = Game.new("competitive", [BOT, BOT], seed=4).record()
    body = {"record": record, "purpose": purpose, "hints": True}
    made = client.post("/api/v1/imports", body).get_json()
    assert client.get(f"/api/v1/games/{made['id']}").get_json()["hints"] is True
    assert (
        client.post("/api/v1/games", {"mode": "cooperative", "seats": [BOT], "hints": "yes"}).status_code
        == 400
    )


def finished_record() -> Json:
    game = Game.new("competitive", [BOT, BOT], seed=4)
    record: Json = ai.play_game(game, ["greedy", "random"], seed=1).record()
    return record


def test_a_finished_game_is_analysed_once_for_everybody(client: Client) -> None:
    record = finished_record()
    table = client.imported(record, "replay")
    assert error_code(table.get("/analysis")) == "no-analysis"
    asked = table.post("/analysis", None)
    assert asked.status_code == 202
    assert asked.get_json() == {
        "actions": len(record["actions"]),
        "judgements": [],
        "done": False,
        "poll_after_ms": 300,
    }
    for _ in range(len(record["actions"])):
        analyse_game(table.id)
        analysis = table.get("/analysis").get_json()
        if analysis["done"]:
            break
    assert [each["action"] for each in analysis["judgements"]] == record["actions"]
    assert analysis["poll_after_ms"] is None
    for each in analysis["judgements"]:
        assert sum(each["before"]) == pytest.approx(1, abs=0.001)
        assert each["better"] is None or each["better"]["seat"] == each["seat"]
        assert each["better"] is None or each["before"][each["seat"]] - each["after"][each["seat"]] > 0.1
    again = table.post("/analysis", None)
    assert again.status_code == 200
    assert again.get_json() == analysis


def test_a_running_game_is_not_analysed(client: Client) -> None:
    table = client.table()
    for response in (table.get("/analysis"), table.post("/analysis", None, seat=0)):
        assert response.status_code == 409
        assert error_code(response) == "still-running"
    assert error_code(client.get("/api/v1/games/nowhere/analysis")) == "no-such-game"
    assert error_code(client.get(f"{table.url}/analysis", token="x" * 43)) == "wrong-token"
