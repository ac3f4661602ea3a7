"""Every token at every address by every method: nobody gets at anything but their own."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from flask import Flask

from api import create_app, openapi_document
from bench.hidden import CASES, ID, Ask, Now
from tests.api.tables import HUMANS, Client, Table, error_code
from worker import Settings

ADMIN = "the-administrator-of-this-matrix"
PATHS = openapi_document()["paths"]
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]
THREE = [*HUMANS, {"name": "Hoa", "player": "human"}]
HERE = "/api/v1/games/{game_id}"


@pytest.fixture(scope="module")
def app(store_url: str) -> Flask:
    application = create_app(Settings(redis_url=store_url, admin_token=ADMIN))
    application.testing = True
    return application


@dataclass
class Keys:
    """A game of three, whose seat 2 was left, and every kind of token that somebody may show there."""

    table: Table
    own: dict[str, str]
    foreign: dict[str, str]

    @property
    def all(self) -> dict[str, str | None]:
        return {"none": None, **self.own, **self.foreign, "admin": ADMIN}


@pytest.fixture
def keys(client: Client) -> Keys:
    table = client.table(seats=THREE)
    left = table.tokens.pop("2")
    body = {"replacement": "greedy"}
    assert client.post(f"{table.url}/seats/2/leave", body, token=left).status_code == 200
    foreign = {"left": left, "of another game": client.table().token(0) or "", "made up": "x" * 43}
    return Keys(table, {f"seat {seat}": token for seat, token in table.tokens.items()}, foreign)


def operations() -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
    """Method, path as the document has it, and who may use it."""
    for path, item in PATHS.items():
        for method in sorted(item.keys() & {"get", "post"}):
            yield method, path, item[method]["security"]


def ask_of(method: str, path: str, table: Table, seat: int) -> Ask:
    """A well-formed request of that operation, about this game."""
    now = Now(table.read()["version"], 0, 3, seat, random.Random(1))
    ask = CASES[f"{method} {path.removeprefix('/api/v1')}"](now)[0]
    body = ask.body and {name: table.id if value == ID else value for name, value in ask.body.items()}
    return ask._replace(path=ask.path.replace(ID, table.id), body=body)


@pytest.mark.parametrize(("method", "path", "security"), list(operations()))
def test_a_token_opens_its_own_and_nothing_else(client: Client, keys: Keys, method, path, security) -> None:
    table = keys.table
    if (method, path) == ("post", "/api/v1/games"):
        security = [{"seat": []}]  # what is asked for is a rematch
    before = table.everything()
    opened = {}
    for who, token in sorted(keys.all.items(), key=lambda item: item[0].startswith("seat")):
        seat = int(token == keys.own["seat 1"])
        ask = ask_of(method, path, table, seat)
        response = client.send(ask.method, ask.path, token=token, json=ask.body)
        refused = error_code(response) if response.status_code in (401, 403) else None
        if not security:
            expected = None
        elif security == [{"admin": []}]:
            expected = {"none": "no-token", "admin": None}.get(who, "not-admin")
        elif who in keys.own:
            expected = None
        else:
            expected = (
                None if who == "none" and {} in security else "no-token" if who == "none" else "wrong-token"
            )
        if expected is None:
            # Refused perhaps, but not for the token: as not being this seat's turn.
            assert refused not in ("no-token", "wrong-token", "not-admin"), who
            opened[who] = response
        else:
            assert refused == expected, who
        if who not in keys.own and security and security != [{"admin": []}]:
            assert table.everything() == before, who
    for who, response in opened.items():
        told = response.get_json() or {}
        if "viewer" in told:
            assert told["viewer"] == (int(who.removeprefix("seat ")) if who in keys.own else "spectator")


@pytest.mark.parametrize("path", list(PATHS))
def test_other_methods_are_refused_to_everybody_and_change_nothing(
    client: Client, keys: Keys, path: str
) -> None:
    before = keys.table.everything()
    known = {method.upper() for method in PATHS[path].keys() & {"get", "post"}}
    url = path
    for name, value in {
        "game_id": keys.table.id,
        "seat": "0",
        "index": "0",
        "ladder_id": "l",
        "match": "0",
    }.items():
        url = url.replace(f"{{{name}}}", value)
    url = url.replace("{game}", "0").replace("{change}", "stop")
    for method in METHODS:
        if method not in known:
            for token in (None, *keys.own.values(), ADMIN):
                headers = {"Authorization": f"Bearer {token}"} if token else {}
                response = client.flask_client.open(url, method=method, headers=headers, json={})
                assert response.status_code == 405
                assert known <= set(response.headers["Allow"].split(", "))
    assert keys.table.everything() == before


def test_a_seats_token_does_nothing_for_another_seat(client: Client, keys: Keys) -> None:
    table = keys.table
    before = table.everything()
    for own, other in ((0, 1), (1, 0)):
        for path, body in (
            (
                "/actions",
                {"expected_version": 2, "action": {"seat": other, "type": "draw", "source": "deck"}},
            ),
            (f"/seats/{other}/leave", {"replacement": "greedy"}),
        ):
            assert error_code(table.post(path, body, seat=own)) == "not-your-seat"
        assert error_code(table.get(f"/positions/0?seat={other}", seat=own)) == "not-your-seat"
        assert table.post(f"/seats/{other}/replace", {"replacement": "greedy"}, seat=own).status_code == 409
    assert table.everything() == before
