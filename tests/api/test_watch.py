"""Every request has an id and a line; /metrics tells what happens, and nothing of anybody."""

from __future__ import annotations

import io
import json
import logging
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import structlog
from flask import Flask
from prometheus_client.parser import text_string_to_metric_families
from redis import Redis

from api import create_app
from engine import Game
from tests.api.tables import GAMES, HUMANS, Client, Table
from worker import QUEUES, REQUEST_ID, Settings, set_up_logs
from worker.moves import play_turn, use
from worker.queues import MOVES, queue
from worker.sweeper import sweep

ADMIN = "an-administrator-of-tests"
NEW_GAME = {"mode": "competitive", "seats": list(HUMANS)}


@pytest.fixture
def settings(store_url: str) -> Settings:
    """Settings for an empty database."""
    url = f"{store_url}?db=13"
    with Redis.from_url(url) as client:
        client.flushdb()
    return Settings(redis_url=url, admin_token=ADMIN)


@pytest.fixture
def app(settings: Settings) -> Flask:
    return create_app(settings)


@pytest.fixture
def client(app: Flask) -> Client:
    return Client(app.test_client())


@pytest.fixture
def lines() -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """What is logged from here on, at every level."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    set_up_logs("debug", "test")
    stream = io.StringIO()
    root.handlers[0].setStream(stream)  # type: ignore[attr-defined]
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines() if '"event"' in line]
    root.handlers[:], root.level = before, level
    structlog.reset_defaults()
    structlog.contextvars.clear_contextvars()


def samples(client: Client, **more: Any) -> dict[str, dict[tuple[str, ...], float]]:
    """The metrics, by name and the values of their labels."""
    answer = client.flask_client.get("/metrics", **more)
    assert answer.status_code == 200
    found: dict[str, dict[tuple[str, ...], float]] = {}
    for family in text_string_to_metric_families(answer.get_data(as_text=True)):
        for sample in family.samples:
            labels = tuple(sample.labels[name] for name in sorted(sample.labels))
            found.setdefault(sample.name.removeprefix("stem_branch_"), {})[labels] = sample.value
    return found


def test_requests_are_counted_by_route_and_not_by_what_they_are_about(client: Client):
    tables = [client.table(), client.table()]
    for table in tables:
        tag = table.get().headers["ETag"]
        assert table.get(headers={"If-None-Match": tag}).status_code == 304
    client.get(f"{GAMES}/nothing-there")
    client.flask_client.get("/api/v1/" + "x" * 30)
    client.flask_client.open("/wp-login.php", method="PROPFIND")
    told = samples(client)
    requests = told["http_requests_total"]
    game = f"{GAMES}/{{game_id}}"
    assert requests["POST", GAMES, "201"] == 2
    assert requests["GET", game, "200"] == 2
    assert requests["GET", game, "304"] == 2, "the shortcut counts, too"
    assert requests["GET", game, "404"] == 1
    assert requests["GET", "none", "404"] == 1
    assert requests["other", "none", "404"] + requests.get(("other", "none", "405"), 0) == 1
    assert told["http_request_seconds_count"]["GET", game] == 5
    assert told["http_request_seconds_bucket"]["+Inf", "GET", game] == 5
    assert told["http_request_seconds_sum"]["GET", game] > 0
    assert all(table.id not in str(told) for table in tables)


def test_the_counts_of_all_processes_are_one_and_outlive_them(settings: Settings, client: Client):
    client.table()
    samples(client)  # hands over
    another = Client(create_app(settings).test_client())
    another.table()
    assert samples(another)["http_requests_total"]["POST", GAMES, "201"] == 2


def test_games_are_told_by_state_without_looking_at_each(client: Client, app: Flask):
    client.table(seats=[HUMANS[0], {"player": "open"}])
    client.table()
    client.table("cooperative", [HUMANS[0]])
    commands = number_of_commands(app, lambda: samples(client))
    assert samples(client)["games"] == {("open",): 1, ("running",): 2, ("over",): 0}
    client.imported(Game.new("competitive", list(HUMANS), seed=2).record(), "replay")
    for _ in range(20):
        client.table()
    assert samples(client)["games"] == {("open",): 1, ("running",): 22, ("over",): 1}
    assert number_of_commands(app, lambda: samples(client)) <= commands + 4


def number_of_commands(app: Flask, work: Callable[[], object]) -> int:
    store = app.extensions["store"].client
    before = store.info("stats")["total_commands_processed"]
    work()
    return int(store.info("stats")["total_commands_processed"] - before)


def test_a_computer_players_time_and_iterations_are_told_by_level(client: Client, settings: Settings):
    use(settings)
    try:
        id = client.post(GAMES, {**NEW_GAME, "seats": [{"player": "apprentice"}, {"player": "random"}]})
        for version in (1, 2, 3):
            play_turn(id.get_json()["id"], version, 0)
    finally:
        use(Settings())
    told = samples(client)
    assert sum(told["thinking_seconds_count"].values()) == 3
    assert told["iterations_total"]["apprentice",] >= 1
    assert ("random",) not in told["iterations_total"]


def test_lost_turns_and_fallbacks_are_told(client: Client, app: Flask, settings: Settings):
    client.post(GAMES, {**NEW_GAME, "seats": [{"player": "random"}, {"player": "random"}]})
    store = app.extensions["store"]
    assert samples(client)["turns_due"] == {(): 1}
    assert samples(client)["queue_jobs"]["moves",] == 1
    assert samples(client)["queue_oldest_seconds"]["moves",] >= 0
    for _ in range(settings.ai_attempts + 1):
        [id] = store.client.zrange("sb:due", 0, -1)
        store.client.zadd("sb:due", {id: 1})
        assert samples(client)["turns_overdue"] == {(): 1}
        assert sweep(store) == 1
    told = samples(client)
    assert told["turns_queued_again_total"] == {(): settings.ai_attempts}
    assert told["fallback_moves_total"] == {(): 1}


def test_every_metric_is_there_from_the_beginning(client: Client):
    told = samples(client)
    assert told["store_up"] == {(): 1}
    assert told["store_writes_ok"] == {(): 1}
    assert told["store_memory_bytes"][()] > 100_000
    assert told["sweeper_up"] == {(): 0}
    assert told["workers"] == dict.fromkeys([(name,) for name in QUEUES], 0)
    assert told["fallback_moves_total"] == {(): 0}
    assert list(told["build_info"].values()) == [1]


def test_without_the_store_the_metrics_say_so():
    nowhere = Client(create_app(Settings(redis_url="redis://127.0.0.1:1/0")).test_client())
    told = samples(nowhere)
    assert told["store_up"] == {(): 0}
    assert "games" not in told


@pytest.mark.parametrize(
    ("metrics", "address", "token", "status"),
    [
        ("private", "127.0.0.1", None, 200),
        ("private", "198.51.100.7", None, 401),
        ("private", "198.51.100.7", "x" * 30, 403),
        ("private", "198.51.100.7", ADMIN, 200),
        ("open", "198.51.100.7", None, 200),
    ],
)
def test_who_may_read_the_metrics(settings: Settings, metrics: str, address: str, token: Any, status: int):
    app = create_app(Settings(redis_url=settings.redis_url, admin_token=ADMIN, metrics=metrics))
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = app.test_client().get("/metrics", headers=headers, environ_base={"REMOTE_ADDR": address})
    assert answer.status_code == status


def test_behind_a_proxy_nobody_passes_for_this_machine(settings: Settings):
    app = create_app(Settings(redis_url=settings.redis_url, admin_token=ADMIN, trusted_proxies=1))
    assert app.test_client().get("/metrics").status_code == 401


@pytest.mark.parametrize("given", ["abc-1.2_3", "A" * 64])
def test_an_id_that_comes_with_a_request_is_kept(client: Client, table_of: Table, given: str):
    for answer in answers_of(client, table_of, {"X-Request-Id": given}):
        assert answer.headers.getlist("X-Request-Id") == [given]


@pytest.mark.parametrize("given", [None, "", "a b", "A" * 65, "é", 'x"}', "<script>"])
def test_else_each_request_gets_one_of_its_own(client: Client, table_of: Table, given: str | None):
    headers = {} if given is None else {"X-Request-Id": given.encode().decode("latin-1")}
    seen = [answer.headers["X-Request-Id"] for answer in answers_of(client, table_of, headers)]
    assert all(re.fullmatch("[0-9a-f]{16}", id) for id in seen)
    assert len(set(seen)) == len(seen)


@pytest.fixture
def table_of(client: Client) -> Table:
    return client.table()


def answers_of(client: Client, table: Table, headers: dict[str, str]) -> list[Any]:
    """One of each kind: read, unchanged, refused, missing, the page's."""
    http = client.flask_client
    read = http.get(table.url, headers=headers)
    found = [
        read,
        http.get(table.url, headers={**headers, "If-None-Match": read.headers["ETag"]}),
        http.post(GAMES, json={}, headers=headers),
        http.get("/api/v1/nothing", headers=headers),
        http.get("/healthz", headers=headers),
    ]
    assert [answer.status_code for answer in found] == [200, 304, 400, 404, 200]
    return found


def test_each_request_has_one_line_without_query_body_or_token(client: Client, lines: Any):
    table = client.table(seats=[{"name": "Lan", "player": "human"}, {"player": "random"}])
    table.get(seat=0, query_string={"wait": "0"}, headers={"X-Request-Id": "the-read"})
    client.flask_client.get(f"{table.url}?token={table.token(0)}", headers={"X-Request-Id": "the-refused"})
    text = json.dumps(lines())
    assert table.tokens["0"] not in text
    assert "Lan" not in text
    assert "token=" not in text
    [read] = [line for line in lines() if line["event"] == "request" and line[REQUEST_ID] == "the-read"]
    assert read.pop("ms") >= 0
    assert read.pop("at")
    route = f"{GAMES}/{{game_id}}"
    assert read == {
        "event": "request", "process": "test", "level": "debug",
        "method": "GET", "route": route, "status": 200, "request_id": "the-read",
    }  # fmt: skip
    [refused] = [line for line in lines() if line.get(REQUEST_ID) == "the-refused"]
    assert (refused["status"], refused["level"]) == (400, "info")


def test_a_requests_id_is_in_all_its_lines_and_goes_with_the_job(client: Client, app: Flask, lines: Any):
    rivals = {**NEW_GAME, "seats": [{"player": "random"}, {"player": "random"}]}
    client.post(GAMES, rivals, headers={"X-Request-Id": "the-beginning"})
    [created] = [line for line in lines() if line["event"] == "game_created"]
    assert created[REQUEST_ID] == "the-beginning"
    [job] = queue(app.extensions["store"].client, MOVES).jobs
    assert job.meta == {REQUEST_ID: "the-beginning"}
    client.get("/api/v1/rules/players")
    assert REQUEST_ID not in structlog.contextvars.get_contextvars()


def test_it_is_not_ready_without_a_sweeper_or_where_nothing_can_be_written(
    client: Client, app: Flask, monkeypatch: pytest.MonkeyPatch
):
    client.table()
    store = app.extensions["store"]
    monkeypatch.setattr(type(store), "workers_alive", lambda *_: 1)
    assert client.get("/readyz").get_json()["code"] == "no-sweeper"
    store.sweeper_lives()
    assert client.get("/readyz").status_code == 200
    limit = store.client.config_get("maxmemory")["maxmemory"]
    try:
        store.client.config_set("maxmemory", 1)
        full = client.get("/readyz")
        assert (full.status_code, full.get_json()["code"]) == (503, "store-unavailable")
        assert client.get("/healthz").status_code == 200
    finally:
        store.client.config_set("maxmemory", limit)
