"""What happens at the same time, over HTTP and through two processes of the API."""

from __future__ import annotations

import os
import socket
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count, islice
from typing import Any

import httpx
import pytest

from engine import Game
from tests.conftest import wait_until_ready
from worker import Process, Settings, Store, connect

Json = dict[str, Any]
MANY = 50
ROUNDS = 6


@pytest.fixture(scope="module")
def settings(store_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """Two processes that answer requests; nobody plays for the computer."""
    folder = tmp_path_factory.mktemp("races")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = {"port": listener.getsockname()[1], "redis_url": store_url}
        settings = replace(Settings(data_dir=folder, api_workers=2), **address)
        handle = listener.fileno()
        command = [sys.executable, "-P", "-m", "api.cli", "api", "--fd", str(handle)]
        api = Process(
            "api", command, {**os.environ, **settings.to_env()}, folder / "api.log", handles=[handle]
        )
        api.start()
        try:
            wait_until_ready(f"{settings.url}/healthz", [api])
            yield settings
        finally:
            api.stop(5)


@pytest.fixture
def http(settings: Settings) -> Iterator[httpx.Client]:
    limits = httpx.Limits(max_connections=MANY)
    with httpx.Client(base_url=f"{settings.url}/api/v1", timeout=60, limits=limits) as client:
        yield client


@pytest.fixture
def store(settings: Settings) -> Iterator[Store]:
    with connect(settings) as client:
        yield Store(client, settings)


@pytest.fixture(scope="module")
def crowd() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(MANY) as threads:
        yield threads


def created(http: httpx.Client, *players: str, **more: Any) -> tuple[str, dict[str, str], int]:
    """A new game's address, its tokens and the seat to act."""
    seats = [{"player": player} for player in players]
    made = http.post("/games", json={"mode": "competitive", "seats": seats, **more}).json()
    url = f"/games/{made['id']}"
    return url, made["tokens"], http.get(url).json()["seat_to_act"]


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_of_fifty_posts_for_one_version_one_wins(http: httpx.Client, crowd: ThreadPoolExecutor) -> None:
    url, tokens, seat = created(http, "human", "human")
    body = {"expected_version": 1, "action": {"seat": seat, "type": "draw", "source": "deck"}}

    def post(_: int) -> httpx.Response:
        return http.post(f"{url}/actions", json=body, headers=bearer(tokens[str(seat)]))

    answers = list(crowd.map(post, range(MANY)))
    assert Counter(answer.status_code for answer in answers) == {201: 1, 409: MANY - 1}
    stale = [answer.json() for answer in answers if answer.status_code == 409]
    assert {(each["code"], each["params"]["current_version"]) for each in stale} == {("stale-version", 2)}
    assert http.get(url).json()["actions_played"] == 1


def test_one_idempotency_key_in_parallel_has_one_effect_and_one_answer(
    http: httpx.Client, crowd: ThreadPoolExecutor
) -> None:
    url, tokens, seat = created(http, "human", "human")
    body = {"expected_version": 1, "action": {"seat": seat, "type": "draw", "source": "deck"}}
    headers = bearer(tokens[str(seat)]) | {"Idempotency-Key": "the-same"}
    answers = list(crowd.map(lambda _: http.post(f"{url}/actions", json=body, headers=headers), range(MANY)))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.text for answer in answers}) == 1
    assert sum("Idempotent-Replayed" not in answer.headers for answer in answers) == 1
    assert http.get(url).json()["version"] == 2


def seeds_with_a_summon() -> Iterator[int]:
    """Deals in which one of the first three of four seats begins, and can summon."""
    for seed in count():
        game = Game.new("competitive", 4, seed=seed)
        if game.seat_to_act != 3 and any(action["type"] == "summon" for action in game.legal_actions()):
            yield seed


def test_undoing_leaving_joining_and_acting_at_once_each_happen_once_or_are_refused(
    http: httpx.Client, store: Store, crowd: ThreadPoolExecutor
) -> None:
    for seed in islice(seeds_with_a_summon(), ROUNDS):
        url, tokens, seat = created(http, "human", "human", "human", "open", seed=seed)
        me = bearer(tokens[str(seat)])

        def post(path: str, body: Json, url: str = url, me: dict[str, str] = me) -> tuple[str, int]:
            headers = {} if path.endswith("join") else me
            return path.rpartition("/")[2], http.post(url + path, json=body, headers=headers).status_code

        legal = http.get(f"{url}/legal-actions", headers=me).json()["actions"]
        summon = next(action for action in legal if action["type"] == "summon")
        assert post("/actions", {"expected_version": 1, "action": summon})[1] == 201
        draw = {"seat": seat, "type": "draw", "source": 1}
        asks = [
            ("/undo", {"expected_version": 2}),
            ("/actions", {"expected_version": 2, "action": draw}),
            (f"/seats/{seat}/leave", {"replacement": "greedy"}),
            ("/seats/3/join", {"name": "Lan"}),
            ("/seats/3/join", {"name": "Minh"}),
        ]
        answers = Counter(crowd.map(lambda ask: post(*ask), asks * 2))
        assert {status for _, status in answers} <= {200, 201, 401, 403, 409}
        # Whatever came first: each of these can happen once, and one of undo and act at most.
        assert (answers["leave", 200], answers["join", 201]) == (1, 1)
        assert answers["undo", 200] + answers["actions", 201] <= 1
        whole = store.load(url.rpartition("/")[2])
        entries, undone = store.history(whole.id)
        happened = sum(times for (_, status), times in answers.items() if status < 400)
        assert whole.version == 2 + happened
        assert len(entries) == 1 + answers["actions", 201] - answers["undo", 200]
        assert len(undone) == answers["undo", 200]
        assert [entry.action for entry in entries] == whole.game.actions
        assert Game.from_record(whole.game.record()).state_bytes() == whole.game.state_bytes()
        assert whole.game.seats[seat]["player"] == "greedy"
