"""Nobody takes more than a share: limits by client, room for so many games, other origins shut out."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from redis import Redis

from api import create_app
from api.application import SECURITY_HEADERS
from engine import Game
from tests.api.tables import GAMES, HUMANS, Client, Table, error_code
from worker import EmbeddedStore, Settings

ADMIN = "an-administrator-of-tests"
RATES = ("games", "imports", "joins", "hints", "analyses", "ladders")
NEW_GAME = {"mode": "competitive", "seats": list(HUMANS)}
ADDRESSES = (f"198.51.100.{number}" for number in itertools.count(1))


@pytest.fixture
def make(store_url: str) -> Callable[..., Flask]:
    """Makes an application with settings of the test's own, over an empty database."""
    url = f"{store_url}?db=14"
    with Redis.from_url(url) as client:
        client.flushdb()

    def made(**settings: Any) -> Flask:
        return create_app(Settings(**{"redis_url": url, "admin_token": ADMIN, **settings}))

    return made


def from_address(app: Flask, address: str) -> Client:
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = address
    return Client(client)


@pytest.fixture
def costly(make: Callable[..., Flask]) -> dict[str, tuple[str, Any, str | None]]:
    """By limit, a request that it counts: path, body and token."""
    home = Client(make().test_client())
    hinted = home.table("cooperative", [HUMANS[0]], hints=True)
    game = Game.new("competitive", list(HUMANS), seed=2)
    replay = home.imported(game.record(), "replay")
    return {
        "games": (GAMES, NEW_GAME, None),
        "imports": ("/api/v1/imports", {"record": game.record(), "purpose": "play"}, None),
        "joins": (f"{hinted.url}/seats/0/join", {"name": "Eve"}, None),
        "hints": (f"{hinted.url}/hint", None, hinted.token(0)),
        "analyses": (f"{replay.url}/analysis", None, None),
        "ladders": ("/api/v1/ladders", {"players": [{"player": "random"}], "games": 2}, "not-the-admin"),
    }


@pytest.mark.parametrize("what", RATES)
def test_what_costs_much_is_limited_by_client(make: Callable[..., Flask], costly: Any, what: str):
    path, body, token = costly[what]
    app = make(**{f"limit_{what}": "2/hour"})
    greedy, other = (from_address(app, address) for address in itertools.islice(ADDRESSES, 2))

    def ask(client: Client) -> Any:
        return client.send("POST", path, token=token, **({} if body is None else {"json": body}))

    usual = ask(greedy).status_code
    assert usual != 429
    assert ask(greedy).status_code == usual
    refused = ask(greedy)
    assert (refused.status_code, error_code(refused)) == (429, "too-many-requests")
    assert 1 <= int(refused.headers["Retry-After"]) <= 3600
    assert ask(other).status_code == usual


def test_a_refused_client_may_still_poll_and_play(make: Callable[..., Flask]):
    app = make(**{f"limit_{what}": "1/hour" for what in RATES})
    client = from_address(app, next(ADDRESSES))
    table: Table = client.table()
    assert client.post(GAMES, NEW_GAME).status_code == 429
    for _ in range(30):
        assert table.get().status_code == 200
    table.play(4)


def test_who_waits_as_told_is_let_in_again(make: Callable[..., Flask]):
    client = from_address(make(limit_games="1/second"), next(ADDRESSES))
    answers = [client.post(GAMES, NEW_GAME)]
    while answers[-1].status_code != 429:
        answers.append(client.post(GAMES, NEW_GAME))
    told = int(answers[-1].headers["Retry-After"])
    assert told == 1
    end = time.monotonic() + told
    while (answer := client.post(GAMES, NEW_GAME)).status_code == 429 and time.monotonic() < end + 5:
        time.sleep(0.05)
    assert answer.status_code == 201


def test_processes_count_together_and_a_limit_can_be_taken_off(make: Callable[..., Flask]):
    address = next(ADDRESSES)
    one, another = (from_address(make(limit_games="2/hour"), address) for _ in range(2))
    free = from_address(make(limit_games="off"), address)
    assert [each.post(GAMES, NEW_GAME).status_code for each in (one, another, one)] == [201, 201, 429]
    assert [free.post(GAMES, NEW_GAME).status_code for _ in range(4)] == [201] * 4


def test_people_at_this_machine_meet_no_limit(make: Callable[..., Flask]):
    app = make(limit_games="1/hour")
    for address in ("127.0.0.1", "::1", "::ffff:127.0.0.1"):
        statuses = [from_address(app, address).post(GAMES, NEW_GAME).status_code for _ in range(3)]
        assert statuses == [201] * 3


def test_behind_a_proxy_the_address_that_it_saw_counts_and_no_other(make: Callable[..., Flask]):
    app = make(limit_games="1/hour", trusted_proxies=1)

    def ask(forwarded: str) -> int:
        headers = {"X-Forwarded-For": forwarded}
        return from_address(app, "127.0.0.1").post(GAMES, NEW_GAME, headers=headers).status_code

    mine, other = next(ADDRESSES), next(ADDRESSES)
    assert ask(mine) == 201
    assert ask(mine) == 429
    assert ask(f"203.0.113.77, {mine}") == 429, "what the client wrote itself is not believed"
    assert ask(other) == 201
    assert ask("x" * 4000) in (201, 429)


def test_without_a_trusted_proxy_nobody_chooses_an_address(make: Callable[..., Flask]):
    client = from_address(make(limit_games="1/hour"), next(ADDRESSES))
    statuses = [
        client.post(GAMES, NEW_GAME, headers={"X-Forwarded-For": forwarded}).status_code
        for forwarded in ("192.0.2.1", "192.0.2.2", "127.0.0.1")
    ]
    assert statuses == [201, 429, 429]


def test_what_a_forgotten_proxy_passes_on_does_not_count_as_this_machines(make: Callable[..., Flask]):
    client = from_address(make(limit_games="1/hour"), "127.0.0.1")
    headers = {"X-Forwarded-For": next(ADDRESSES)}
    assert [client.post(GAMES, NEW_GAME, headers=headers).status_code for _ in range(2)] == [201, 429]
    assert client.flask_client.get("/metrics", headers=headers).status_code == 401
    assert client.flask_client.get("/metrics").status_code == 200


def test_one_subscribers_network_is_one_client_by_ipv6(make: Callable[..., Flask]):
    app = make(limit_games="1/hour")
    addresses = ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1")
    assert [from_address(app, each).post(GAMES, NEW_GAME).status_code for each in addresses] == [
        201,
        429,
        201,
    ]


def test_without_the_store_it_is_503_not_500():
    nowhere = create_app(Settings(redis_url="redis://127.0.0.1:1/0"))
    answer = from_address(nowhere, next(ADDRESSES)).post(GAMES, NEW_GAME)
    assert (answer.status_code, error_code(answer)) == (503, "store-unavailable")
    assert answer.headers["Retry-After"]


def test_the_count_goes_on_when_the_embedded_store_comes_back_elsewhere(tmp_path: Path):
    settings = Settings(data_dir=tmp_path, limit_games="2/hour")
    client = from_address(create_app(settings), next(ADDRESSES))
    with EmbeddedStore(settings) as store:
        before = store.url
        assert client.post(GAMES, NEW_GAME).status_code == 201
    with EmbeddedStore(settings) as store:
        assert store.url != before
        statuses = [client.post(GAMES, NEW_GAME).status_code for _ in range(3)]
        assert statuses in ([503, 201, 429], [201, 429, 429])


def test_there_is_room_for_so_many_games_finished_ones_too(make: Callable[..., Flask]):
    client = Client(make(max_games=3).test_client())
    record = Game.new("competitive", list(HUMANS), seed=2).record()
    client.imported(record, "replay")
    client.table(seats=[HUMANS[0], {"player": "open"}])
    table = client.table()
    for path, body in ((GAMES, NEW_GAME), ("/api/v1/imports", {"record": record, "purpose": "play"})):
        refused = client.post(path, body)
        assert (refused.status_code, error_code(refused)) == (503, "too-many-games")
        assert int(refused.headers["Retry-After"]) > 1
    table.play(4)
    with_more_room = Client(make(max_games=4).test_client())
    assert with_more_room.post(GAMES, NEW_GAME).status_code == 201


def test_who_has_no_folder_for_the_administrators_token_has_no_administrator(make: Callable[..., Flask]):
    app = make(admin_token="", data_dir=Path("/proc/none"))
    answer = Client(app.test_client()).post(
        "/api/v1/ladders",
        {"players": [{"player": "random"}, {"player": "greedy"}], "games": 2},
        token="x" * 20,
    )
    assert (answer.status_code, error_code(answer)) == (403, "not-admin")


PAGE = "https://bots.example.org"
PREFLIGHT = {
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type",
}


def cors_headers(answer: Any) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if name.startswith("Access-Control-")}


@pytest.mark.parametrize("listed", ["", "https://others.example"])
def test_no_page_of_another_origin_may_use_the_api_unless_it_is_listed(make: Any, listed: str):
    client = make(cors_origins=listed).test_client()
    paths = (GAMES, "/api/v1/openapi.json", "/api/v1/nothing", "/api/v1/docs")
    for origin in (PAGE, "https://others.example.evil.org", "null", "*", ""):
        for path, method in itertools.product(paths, ("GET", "OPTIONS", "DELETE")):
            answer = client.open(path, method=method, headers={"Origin": origin, **PREFLIGHT})
            assert cors_headers(answer) == {}


def test_a_listed_origin_may_and_sees_the_headers_that_programs_need(make: Callable[..., Flask]):
    client = make(cors_origins=f"https://x.example,{PAGE}").test_client()
    asked = client.open(GAMES, method="OPTIONS", headers={"Origin": PAGE, **PREFLIGHT})
    assert asked.status_code == 200
    assert asked.headers["Access-Control-Allow-Origin"] == PAGE
    assert "POST" in asked.headers["Access-Control-Allow-Methods"]
    assert {"Authorization", "Content-Type", "Idempotency-Key", "If-None-Match"} <= set(
        asked.headers["Access-Control-Allow-Headers"].split(", ")
    )
    created = client.post(GAMES, json=NEW_GAME, headers={"Origin": PAGE})
    game = client.get(f"{GAMES}/{created.get_json()['id']}", headers={"Origin": PAGE})
    same = client.get(
        f"{GAMES}/{created.get_json()['id']}",
        headers={"Origin": PAGE, "If-None-Match": game.headers["ETag"]},
    )
    missing = client.get("/api/v1/nothing", headers={"Origin": PAGE})
    assert [created.status_code, game.status_code, same.status_code] == [201, 200, 304]
    for answer in (created, game, same, missing):
        assert answer.headers["Access-Control-Allow-Origin"] == PAGE
        assert "Origin" in answer.headers["Vary"]
        exposed = set(answer.headers["Access-Control-Expose-Headers"].split(", "))
        assert {"ETag", "Retry-After", "Location", "Stem-Branch-Page", "Idempotent-Replayed"} <= exposed
        assert "Access-Control-Allow-Credentials" not in answer.headers
    assert "Authorization" in game.headers["Vary"]
    url, tag = f"{GAMES}/{created.get_json()['id']}", game.headers["ETag"]
    for answer in (client.get(GAMES), client.get(url), client.get(url, headers={"If-None-Match": tag})):
        assert "Origin" in answer.headers["Vary"], "or a cache would give one origin's answer to all"
    with client.get("/", headers={"Origin": PAGE}) as page:
        assert cors_headers(page) == {}, "the page is not the API"


def test_every_kind_of_answer_carries_the_security_headers(make: Callable[..., Flask]):
    app = make(limit_games="1/hour")

    @app.get("/api/v1/broken")
    def broken() -> Any:
        raise RuntimeError

    app.config["PROPAGATE_EXCEPTIONS"] = False
    home, away = app.test_client(), from_address(app, next(ADDRESSES)).flask_client
    created = away.post(GAMES, json=NEW_GAME)
    url = f"{GAMES}/{created.get_json()['id']}"
    tag = home.get(url).headers["ETag"]
    document = home.get("/api/v1/openapi.json").headers["ETag"]
    answers = {
        "created": (created, 201),
        "read": (home.get(url), 200),
        "unchanged": (home.get(url, headers={"If-None-Match": tag}), 304),
        "unchanged document": (home.get("/api/v1/openapi.json", headers={"If-None-Match": document}), 304),
        "head": (home.head(url), 200),
        "options": (home.options(url), 200),
        "malformed": (home.post(GAMES, json={}), 400),
        "wrong token": (home.get(url, headers={"Authorization": "Bearer x"}), 401),
        "missing": (home.get(f"{GAMES}/none"), 404),
        "no address": (home.get("/api/v1/nothing"), 404),
        "wrong method": (home.delete(url), 405),
        "too large": (home.post(GAMES, data=b" " * 99_999, content_type="application/json"), 413),
        "wrong type": (home.post(GAMES, data="x"), 415),
        "limited": (away.post(GAMES, json=NEW_GAME), 429),
        "broken": (home.get("/api/v1/broken"), 500),
        "not ready": (home.get("/readyz"), 503),
        "docs": (home.get("/api/v1/docs"), 200),
        "docs script": (home.get("/api/v1/docs/swagger-ui-bundle.js"), 200),
    }
    for kind, (answer, status) in answers.items():
        assert answer.status_code == status, kind
        for name, value in SECURITY_HEADERS.items():
            assert answer.headers.getlist(name) == [value], (kind, name)
        answer.close()
