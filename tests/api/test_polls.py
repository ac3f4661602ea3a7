"""Polls of games in which nothing has happened: a shortcut that nobody may notice but by its speed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask, request_started

from tests.api.tables import Client, Table, error_code


@pytest.fixture
def handled(app: Flask) -> Iterator[list[Any]]:
    """The requests that Flask handles; the shortcut's are not among them."""
    seen: list[Any] = []
    with request_started.connected_to(lambda *_, **__: seen.append(1), app):
        yield seen


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_an_unchanged_game_is_answered_by_the_shortcut_as_by_the_view(table: Table, viewer, handled):
    tag = {"If-None-Match": table.get(seat=viewer).headers["ETag"]}
    handled.clear()
    short = table.get(seat=viewer, headers=tag)
    assert not handled
    whole = table.get("?wait=0", seat=viewer, headers=tag)
    assert handled
    assert short.status == whole.status == "304 NOT MODIFIED"
    assert sorted(short.headers) == sorted(whole.headers)
    assert short.get_data() == whole.get_data() == b""


def test_a_changed_game_is_told_by_the_next_poll(table: Table, handled):
    old = table.get(seat=0).headers["ETag"]
    table.play(1)
    handled.clear()
    told = table.get(seat=0, headers={"If-None-Match": old})
    assert handled
    assert (told.status_code, told.get_json()["version"]) == (200, 2)
    assert table.get(seat=0, headers={"If-None-Match": told.headers["ETag"]}).status_code == 304


def test_a_seat_that_was_left_or_a_token_from_elsewhere_is_refused_though_the_tag_is_right(
    client: Client, table: Table
):
    table.post("/seats/0/leave", {"replacement": "greedy"}, seat=0)
    tag = {"If-None-Match": table.get(seat=1).headers["ETag"].replace("-1", "-0")}
    for wrong in (table.tokens["0"], client.table().tokens["0"], "x", "ü", ""):
        answer = table.client.get(table.url, token=wrong, headers=tag)
        assert (answer.status_code, error_code(answer)) == (401, "wrong-token")
    other_scheme = table.client.get(table.url, headers={**tag, "Authorization": f"Basic {table.tokens['1']}"})
    assert other_scheme.status_code == 401


@pytest.mark.parametrize("path", ["/nowhere", "/" + "x" * 41, "//", "/%F0%9F%90%AD"])
def test_a_game_that_is_not_there_is_404_for_any_tag(client: Client, path: str):
    assert client.flask_client.get(f"/api/v1/games{path}", headers={"If-None-Match": "*"}).status_code == 404


def test_an_odd_query_is_refused_before_the_tag_is_looked_at(table: Table):
    tag = {"If-None-Match": table.get().headers["ETag"]}
    assert table.get("?colour=red", headers=tag).status_code == 400
