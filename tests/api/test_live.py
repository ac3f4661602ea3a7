"""The API as it is run: gunicorn with gevent, a worker and the sweeper, spoken to over a socket."""

from __future__ import annotations

import concurrent.futures
import json
import random
import socket
import time
from typing import Any

import httpx
import pytest

from engine import CARD_NAMES, Game
from tests.api.described import check_schema
from tests.playing import eventually
from worker import Settings

Json = dict[str, Any]


@pytest.fixture
def http(live_server: str):
    with httpx.Client(base_url=f"{live_server}/api/v1", timeout=30) as client:
        yield client


def created(http: httpx.Client, mode: str, seats: list[Json], **more: Any) -> tuple[str, dict[str, str]]:
    answer = http.post("/games", json={"mode": mode, "seats": seats, **more})
    assert answer.status_code == 201, answer.text
    return f"/games/{answer.json()['id']}", answer.json()["tokens"]


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@pytest.mark.parametrize(("mode", "rival"), [("competitive", "greedy"), ("cooperative", "beginner")])
def test_a_whole_game_of_a_program_against_the_computer(http: httpx.Client, mode, rival):
    url, tokens = created(http, mode, [{"name": "Bot", "player": "human"}, {"player": rival}])
    me = bearer(tokens["0"])
    rng = random.Random(7)
    tag, seen = "", -1
    deadline = time.monotonic() + 100
    while time.monotonic() < deadline:
        answer = http.get(url, params={"wait": 20}, headers={**me, "If-None-Match": tag})
        if answer.status_code == 304:
            continue
        game = answer.json()
        check_schema("Game", game)
        assert game["version"] > seen
        tag, seen = answer.headers["ETag"], game["version"]
        if game["over"]:
            break
        assert game["players"][1]["hand"] is None or mode == "cooperative"
        if game["seat_to_act"] != 0:
            continue
        legal = http.get(f"{url}/legal-actions", headers=me).json()["actions"]
        summons = [action for action in legal if action["type"] == "summon"]
        action = rng.choice(summons or legal)
        body = {"expected_version": game["version"], "action": action}
        played = http.post(f"{url}/actions", json=body, headers={**me, "Idempotency-Key": f"k{seen}"})
        assert played.status_code == 201, played.text
        check_schema("AppliedAction", played.json())
    assert game["over"], "the game did not end in time"
    record = http.get(f"{url}/record").json()
    check_schema("Record", record)
    assert Game.from_record(record).result == game["result"]
    log = http.get(f"{url}/actions", params={"limit": 100}).json()["actions"]
    assert {entry["seat"] for entry in log} == {0, 1}
    assert [entry["action"] for entry in log] == record["actions"][:100]
    position = http.get(f"{url}/positions/{len(record['actions'])}").json()
    assert position["result"] == game["result"]


def test_a_left_seat_is_played_on_by_the_computer(http: httpx.Client):
    url, tokens = created(http, "competitive", [{"player": "human"}, {"player": "human"}])
    for seat in ("0", "1"):
        answer = http.post(
            f"{url}/seats/{seat}/leave", json={"replacement": "random"}, headers=bearer(tokens[seat])
        )
        assert answer.status_code == 200
    deadline = time.monotonic() + 60
    while not (game := http.get(url).json())["over"]:
        assert time.monotonic() < deadline
        time.sleep(0.2)
    assert game["result"]


@pytest.mark.serial
def test_many_may_wait_while_others_are_answered(http: httpx.Client, live_server: str):
    url, _ = created(http, "competitive", [{"player": "human"}, {"player": "human"}])
    tag = http.get(url).headers["ETag"]

    def wait(_: int) -> int:
        headers = {"If-None-Match": tag}
        return httpx.get(f"{live_server}/api/v1{url}?wait=2", headers=headers, timeout=30).status_code

    with concurrent.futures.ThreadPoolExecutor(32) as pool:
        waiting = [pool.submit(wait, number) for number in range(32)]
        time.sleep(1)
        began = time.monotonic()
        assert http.get("/rules/players").status_code == 200
        assert time.monotonic() - began < 1
        assert {each.result() for each in waiting} == {304}


STALLED = {
    "headers": b"POST /api/v1/games HTTP/1.1\r\nHost: x\r\nX-Slow: ",
    "bodies": b"POST /api/v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    b"Content-Length: 1000\r\n\r\n{",
}


@pytest.mark.serial
@pytest.mark.parametrize("part", STALLED)
def test_clients_that_stall_do_not_stop_others(http: httpx.Client, live_server: str, part: str):
    address = live_server.removeprefix("http://").split(":")
    stalled = []
    try:
        for _ in range(64):
            connection = socket.create_connection((address[0], int(address[1])), timeout=10)
            connection.sendall(STALLED[part])
            stalled.append(connection)
        url, tokens = created(http, "cooperative", [{"player": "human"}])
        began = time.monotonic()
        for _ in range(5):
            assert http.get(url, headers=bearer(tokens["0"])).status_code == 200
        assert time.monotonic() - began < 1
        for connection in stalled:
            connection.sendall(b" ")  # still there, and still not done
    finally:
        for connection in stalled:
            connection.close()


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/rules/players?" + "x" * 9_000, {}),
        ("/" + "x" * 9_000, {}),
        ("/rules/players", {"X-Long": "x" * 20_000}),
        ("/rules/players", {f"X-{number}": "x" for number in range(200)}),
    ],
    ids=["query", "path", "header", "headers"],
)
def test_endless_addresses_and_headers_are_refused_and_others_are_answered(http: httpx.Client, path, headers):
    answer = http.get(path, headers=headers)
    assert 400 <= answer.status_code < 500
    assert http.get("/rules/players").status_code == 200


def test_an_endless_body_is_refused_over_the_wire(http: httpx.Client):
    answer = http.post(
        "/games", content=iter([b" " * 4096] * 64), headers={"Content-Type": "application/json"}
    )
    assert (answer.status_code, answer.json()["code"]) == (413, "body-too-large")


def test_health_and_readiness(live_server: str):
    assert httpx.get(f"{live_server}/healthz").json() == {"status": "ok"}
    assert httpx.get(f"{live_server}/readyz").json() == {"status": "ready", "workers": 1}


def test_no_token_and_no_card_is_in_the_logs(http: httpx.Client, live_settings: Settings):
    """At every level of logging, after a game with all that a seat can do, refusals included."""
    seats = [{"player": player} for player in ("human", "greedy", "open", "human")]
    url, tokens = created(http, "cooperative", seats, hints=True, options={"hands": "closed"})
    joined = http.post(f"{url}/seats/2/join", json={"name": "Mai"}).json()
    tokens["2"] = joined["token"]
    wrong = "wrong" * 8
    http.get(url, headers=bearer(wrong))
    hands, rng, turns = set[str](), random.Random(4), 0
    deadline = time.monotonic() + 60
    while not (game := http.get(url).json())["over"] and turns < 25:
        assert time.monotonic() < deadline
        seat, version = game["seat_to_act"], game["version"]
        if seat == 1:
            http.get(url, params={"wait": 20}, headers={"If-None-Match": f'"{version}-spectator"'})
            continue
        me, turns = bearer(tokens[str(seat)]), turns + 1
        hands |= set(http.get(url, headers=me).json()["players"][seat]["hand"])
        http.post(f"{url}/hint", headers=me)
        legal = http.get(f"{url}/legal-actions", headers=me).json()["actions"]
        action = rng.choice([each for each in legal if each["type"] == "summon"] or legal)
        key = {"Idempotency-Key": f"key-{version}"}
        for expected in (version + 1, version, version):
            body = {"expected_version": expected, "action": action}
            http.post(f"{url}/actions", json=body, headers=me | key)
        http.post(f"{url}/actions", json={"expected_version": version + 1, "action": legal[-1]}, headers=me)
        if turns % 4 == 0:
            http.post(f"{url}/undo", json={"expected_version": version + 1}, headers=me)
    http.post(f"{url}/seats/0/leave", json={"replacement": "greedy"}, headers=bearer(tokens["0"]))
    logs = (live_settings.data_dir / "live.log").read_text()
    assert url.rpartition("/")[2] in logs
    assert '"level":"debug"' in logs.replace(" ", "")
    assert len(hands) > 12
    told = [
        each for each in (*tokens.values(), wrong, live_settings.admin_token, *CARD_NAMES) if each in logs
    ]
    assert not told


def test_hints_and_the_analysis_of_a_finished_game_come_from_the_workers(http: httpx.Client):
    url, tokens = created(http, "cooperative", [{"name": "Bot", "player": "human"}], hints=True, seed=4)
    me = bearer(tokens["0"])

    def polled(path: str, headers: dict[str, str]) -> Json:
        deadline = time.monotonic() + 60
        answer = http.post(url + path, headers=headers)
        while (wait := answer.json()["poll_after_ms"]) is not None:
            assert time.monotonic() < deadline
            time.sleep(wait / 1000)
            answer = http.get(url + path, headers=headers)
        return dict(answer.json())

    for _ in range(200):
        game = http.get(url, headers=me).json()
        if game["over"]:
            break
        legal = http.get(f"{url}/legal-actions", headers=me).json()["actions"]
        action = legal[0]
        if game["actions_played"] < 3:
            action = polled("/hint", me)["candidates"][0]["action"]
            assert action in legal
        body = {"expected_version": game["version"], "action": action}
        assert http.post(f"{url}/actions", json=body, headers=me).status_code == 201
    analysis = polled("/analysis", {})
    assert [each["index"] for each in analysis["judgements"]] == list(range(analysis["actions"]))
    assert any(each["better"] for each in analysis["judgements"])


def test_a_requests_id_reaches_the_workers_lines_and_metrics_count_the_move(
    http: httpx.Client, live_settings: Settings
):
    id = f"of-this-test-{time.time_ns()}"
    rivals = {"mode": "competitive", "seats": [{"player": "human"}, {"player": "beginner"}]}
    while True:
        made = http.post("/games", json=rivals, headers={"X-Request-Id": id}).json()
        if http.get(f"/games/{made['id']}").json()["seat_to_act"] == 1:
            break

    def logged(event: str) -> list[Json]:
        text = (live_settings.data_dir / "live.log").read_text()
        told = [json.loads(line) for line in text.splitlines() if id in line and line.startswith("{")]
        return [line for line in told if line["event"] == event]

    eventually(lambda: any(line["game"] == made["id"] for line in logged("move_played")))
    assert {line["process"] for line in logged("move_played")} == {"worker-advice"}
    [line, *_] = logged("request")
    assert (line["process"], line["method"], line["route"], line["status"]) == (
        "api", "POST", "/api/v1/games", 201,
    )  # fmt: skip
    assert {line["process"] for line in logged("game_created")} == {"api"}
    text = httpx.get(f"{live_settings.url}/metrics").text
    assert 'stem_branch_thinking_seconds_count{player="beginner"}' in text
    assert 'stem_branch_workers{queue="moves"} 1.0' in text
    assert "stem_branch_sweeper_up 1.0" in text
    assert made["id"] not in text
