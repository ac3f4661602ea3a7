"""Ladders over HTTP: begun by the administrator alone, watched by everybody."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from flask import Flask

from api import create_app
from engine import Game
from tests.api.described import check_schema
from tests.api.tables import Client, Json, error_code
from worker import ADMIN_FILE, Settings, admin_token, ladder_record
from worker.arena import tend_ladders
from worker.ladders import play_ladder_match
from worker.moves import use
from worker.queues import LADDERS, queue

URL = "/api/v1/ladders"
BOTS = "mine=examples/my_bot.py:MyBot,gone=/nowhere/bot.py:Bot"
SECRET = "the-administrator-of-these-tests"
LEVELS = {"players": [{"player": "random"}, {"player": "greedy"}], "games": 4}


@pytest.fixture(scope="module")
def app(store_url: str) -> Iterator[Flask]:
    settings = Settings(redis_url=store_url, admin_token=SECRET, ladder_bots=BOTS)
    application = create_app(settings)
    application.testing = True
    use(settings)
    yield application
    use(Settings())


def begun(client: Client, **more: Any) -> str:
    response = client.post(URL, {**LEVELS, **more}, token=SECRET)
    assert response.status_code == 201, response.get_json()
    assert response.headers["Location"] == f"{URL}/{response.get_json()['id']}"
    return str(response.get_json()["id"])


def played(app: Flask, client: Client, id: str) -> Json:
    """Gives out and plays what the ladder still lacks, in this process."""
    store = app.extensions["store"]
    waiting = queue(store.client, LADDERS)
    for _ in range(50):
        store.client.delete("sb:ladders:tending")
        tend_ladders(store)
        for job in waiting.jobs:
            waiting.remove(job)
            play_ladder_match(*job.args)
        ladder: Json = client.get(f"{URL}/{id}").get_json()
        if ladder["state"] != "running":
            return ladder
    raise AssertionError("the ladder does not end")


def test_a_ladder_is_begun_played_and_read(app: Flask, client: Client) -> None:
    id = begun(client, name="Two of them", seed=7)
    before = client.get(f"{URL}/{id}").get_json()
    assert (before["state"], before["played"], before["matches"], before["games"]) == ("running", 0, 2, 4)
    assert before["method"] is None
    listed = client.get(URL).get_json()
    assert (listed["ladders"][0]["name"], listed["bots"]) == ("Two of them", ["gone", "mine"])
    ladder = played(app, client, id)
    assert (ladder["state"], ladder["played"], ladder["method"]) == ("done", 2, "Elo")
    assert [line["name"] for line in ladder["standings"]] == ["greedy", "random"]
    assert sum(line["wins"] for line in ladder["standings"]) == 4
    assert {(each["player"], each["games"]) for each in ladder["pairings"]} == {("greedy", 4), ("random", 4)}
    matches = client.get(f"{URL}/{id}/matches?limit=1").get_json()
    assert matches["next_after"] == 0
    [game, turned] = matches["matches"][0]["games"]
    assert game["seats"] == turned["seats"][::-1] == ["random", "greedy"]
    record = client.get(f"{URL}/{id}/matches/0/games/1/record").get_json()
    assert Game.from_record(record).result["winners"] == [
        seat for seat, place in enumerate(turned["places"]) if place == 0
    ]
    again = client.post("/api/v1/imports", {"record": record, "purpose": "replay"})
    assert again.status_code == 201


def test_a_ladder_is_paused_resumed_and_stopped(app: Flask, client: Client) -> None:
    id = begun(client)

    def change(what: str) -> Any:
        return client.send("POST", f"{URL}/{id}/{what}", token=SECRET)

    store = app.extensions["store"]
    store.client.delete("sb:ladders:tending")
    tend_ladders(store)
    assert change("pause").get_json() == {"state": "paused"}
    assert not [job for job in queue(store.client, LADDERS).jobs if job.args[0] == id]
    store.client.delete("sb:ladders:tending")
    tend_ladders(store)
    assert not [job for job in queue(store.client, LADDERS).jobs if job.args[0] == id]
    assert change("resume").get_json() == {"state": "running"}
    assert played(app, client, id)["state"] == "done"
    assert (change("stop").status_code, error_code(change("resume"))) == (409, "ladder-ended")
    other = begun(client)
    assert client.send("POST", f"{URL}/{other}/stop", token=SECRET).get_json() == {"state": "stopped"}
    assert error_code(client.send("POST", f"{URL}/{other}/resume", token=SECRET)) == "ladder-ended"


def test_only_the_administrator_begins_and_changes_ladders(client: Client) -> None:
    id = begun(client)
    table = client.table()
    for path in ("", f"/{id}/pause", f"/{id}/resume", f"/{id}/stop"):
        for token, refused in ((None, (401, "no-token")), (table.token(0), (403, "not-admin"))):
            response = client.send("POST", URL + path, token=token, json=LEVELS)
            assert (response.status_code, error_code(response)) == refused
    assert client.get(f"{URL}/{id}").get_json()["state"] == "running"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"players": [{"player": "good"}, {"player": "grandmaster"}]}, 422, "unknown-player"),
        ({"players": [{"player": "good"}, {"player": "examples/my_bot.py:MyBot"}]}, 422, "unknown-player"),
        ({"players": [{"player": "good"}, {"player": "good"}]}, 422, "bad-ladder"),
        ({"players": [{"player": "good"}]}, 422, "bad-ladder"),
        ({"players": [{"player": "greedy", "iterations": 5}, {"player": "good"}]}, 422, "bad-ladder"),
        (
            {"players": [{"player": "good", "seconds": 1, "iterations": 5}, {"player": "strong"}]},
            422,
            "bad-ladder",
        ),
        ({"options": {"hands": "closed"}}, 422, "bad-ladder"),
        ({"players": []}, 400, "bad-fields"),
        ({"games": 0}, 400, "bad-fields"),
        ({"games": 10**6}, 400, "bad-fields"),
        ({"seats": 5}, 400, "bad-fields"),
        ({"players": [{"player": "good", "seconds": 1e9}, {"player": "strong"}]}, 400, "bad-fields"),
        *(
            ({"players": [{"player": "good", "seconds": seconds}, {"player": "strong"}]}, 400, "bad-fields")
            for seconds in ("1", " 1 ", "1_0", True)
        ),
        ({"players": [{"player": "good"}, {"player": "mine", "iterations": 5}]}, 422, "bad-ladder"),
        ({"players": [{"player": "good"}, {"player": "gone"}]}, 422, "bad-ladder"),
        ({"command": "rm"}, 400, "bad-fields"),
    ],
)
def test_a_ladder_that_makes_no_sense_is_refused_and_nothing_is_made(
    client: Client, body, status, code
) -> None:
    before = client.get(URL).get_json()
    response = client.post(URL, {**LEVELS, **body}, token=SECRET)
    assert (response.status_code, error_code(response)) == (status, code)
    assert client.get(URL).get_json() == before


def test_a_bot_takes_part_by_the_name_that_the_settings_give_it(app: Flask, client: Client) -> None:
    id = begun(client, players=[{"player": "random"}, {"player": "mine"}], games=2)
    ladder = played(app, client, id)
    assert ladder["standings"][0]["name"] == "mine"
    record = client.get(f"{URL}/{id}/matches/0/games/0/record").get_json()
    assert {seat["player"] for seat in record["seats"]} == {"random", "my_bot.py:MyBot"}
    assert all(sum(line["faults"].values()) == 0 for line in ladder["standings"])


def test_co_op_ladders_are_ranked_by_mean_score(app: Flask, client: Client) -> None:
    id = begun(client, mode="cooperative", seats=2, games=4)
    ladder = played(app, client, id)
    assert (ladder["method"], ladder["pairings"]) == ("mean score", [])
    assert ladder["standings"][0]["rating"] == ladder["standings"][0]["mean"]


def test_what_is_not_there_is_not_found(app: Flask, client: Client) -> None:
    assert error_code(client.get(f"{URL}/nowhere")) == "no-such-ladder"
    assert error_code(client.get(f"{URL}/nowhere/matches")) == "no-such-ladder"
    assert error_code(client.send("POST", f"{URL}/nowhere/pause", token=SECRET)) == "no-such-ladder"
    id = begun(client)
    assert error_code(client.get(f"{URL}/{id}/matches/0/games/0/record")) == "no-such-match"
    assert ladder_record(app.extensions["store"], id, 0, 0) is None


def test_without_a_setting_the_administrators_token_is_made_in_a_file_for_its_owner(tmp_path) -> None:
    settings = Settings(data_dir=tmp_path / "new")
    token = admin_token(settings)
    file = tmp_path / "new" / ADMIN_FILE
    assert len(token) >= 40
    assert file.stat().st_mode & 0o777 == 0o600
    assert admin_token(settings) == token == file.read_text().strip()
    assert SECRET not in repr(Settings(admin_token=SECRET))


def test_a_ladder_begun_over_http_is_played_by_the_workers(
    live_settings: Settings, ladder_worker: None
) -> None:
    with httpx.Client(base_url=f"{live_settings.url}/api/v1", timeout=30) as http:
        body = {"players": [{"player": "random"}, {"player": "greedy"}, {"player": "beginner"}], "games": 6}
        admin = {"Authorization": f"Bearer {live_settings.admin_token}"}
        answer = http.post("/ladders", json=body, headers=admin)
        assert answer.status_code == 201, answer.text
        url = f"/ladders/{answer.json()['id']}"
        deadline = time.monotonic() + 120
        while (ladder := http.get(url).json())["state"] == "running":
            assert time.monotonic() < deadline
            time.sleep(0.3)
        check_schema("Ladder", ladder)
        assert (ladder["state"], ladder["played"]) == ("done", 3)
